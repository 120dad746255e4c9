import { targetName } from '../../src/analyst/index.ts';
import type { AIAnalysis } from '../../src/api/ai-analysis/ai-analysis.ts';
import { assertNever } from '../../src/base/index.ts';
import type { Answer, CorpusCase, Plan } from './corpus-case.ts';

type Status = NonNullable<AIAnalysis['status']>;

/**
 * `wrong` would have done harm: another change than expected, or a fault that was called none. `handed over` asks a person without having
 * found the cause.
 */
export type Verdict = 'right' | 'handed over' | 'wrong';

/** What an analysis says. */
export interface Said {
  readonly kind: Answer['kind'];
  readonly action?: string;
  readonly parameters: Readonly<Record<string, string>>;
  /** Everything that a person is told. */
  readonly text: string;
}

/** Reads the answer from the fields that the orchestrator reads. */
export function saidBy(status: Status): Said {
  const text = textOf(status);
  const { selectedWorkflow: selected, reason } = status;
  if (status.phase !== 'Completed' || status.needsHumanReview) return { kind: 'HandOver', parameters: {}, text };
  if (selected) return { kind: 'Plan', action: selected.actionType ?? '', parameters: selected.parameters ?? {}, text };
  return { kind: reason === 'WorkflowNotNeeded' ? 'NothingToDo' : 'HandOver', parameters: {}, text };
}

const textOf = ({ message, rootCauseAnalysis: cause, warnings = [] }: Status): string =>
  [message, cause?.summary, ...(cause?.contributingFactors ?? []), ...warnings].filter((part) => part !== undefined).join('\n');

/** Judges an answer by what was expected. */
export function judge(one: CorpusCase, said: Said): Verdict {
  if (isExpected(one, said)) return 'right';
  if (said.kind !== 'HandOver') return 'wrong';
  return one.misleading === undefined ? 'handed over' : 'right';
}

/** Whether it is one of the answers that were expected, so that a hand-over names the cause. */
export function isExpected({ expected, alert }: CorpusCase, said: Said): boolean {
  const target = typeof alert.target === 'function' ? undefined : targetName(alert.target);
  return expected.some((one) => isAnswer(one, said, target));
}

function isAnswer(expected: Answer, said: Said, target: string | undefined): boolean {
  if (expected.kind !== said.kind) return false;
  switch (expected.kind) {
    case 'Plan':
      return isPlan(expected, said, target);
    case 'HandOver':
      return expected.says.every((part) => part.test(said.text));
    case 'NothingToDo':
      return true;
    default:
      return assertNever(expected);
  }
}

function isPlan({ action, parameters, on }: Plan, said: Said, target: string | undefined): boolean {
  const { TARGET_RESOURCE_KIND: kind = '', TARGET_RESOURCE_NAME: name = '', TARGET_RESOURCE_NAMESPACE: namespace } = said.parameters;
  const isOnTarget =
    on === undefined
      ? target === undefined || target === targetName({ kind, name, ...(namespace !== undefined && { namespace }) })
      : on === `${kind}/${name}`;
  return (
    isOnTarget && isValue(said.action, action) && Object.entries(parameters).every(([key, value]) => isValue(said.parameters[key], value))
  );
}

const isValue = (given: string | undefined, wanted: string | RegExp): boolean =>
  typeof wanted === 'string' ? given === wanted : wanted.test(given ?? '');
