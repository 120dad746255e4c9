import { RemediationWorkflow } from '../../src/api/remediation-workflow/remediation-workflow.ts';
import type { KubeObject } from '../../src/api/meta.ts';
import { DEFAULT_SETTINGS } from '../../src/controllers/default-settings.ts';
import { readLibrary } from '../../workflows/library.ts';
import { analyse } from './analyse.ts';
import type { CorpusCase } from './corpus-case.ts';
import { judge, saidBy, type Said, type Verdict } from './judge.ts';

/** The answer to one alert of a case. */
export interface Round {
  readonly alertAt: number;
  readonly seconds: number;
  readonly said: Said;
  readonly verdict: Verdict;
}

/** How a case was judged. */
export interface CaseResult {
  readonly case: CorpusCase;
  readonly verdict: Verdict;
  readonly rounds: readonly Round[];
}

/** Real alerts wait before they fire; those that come at once see a fault that is only just beginning. */
const ALERTS_AT = { recorded: [5, 30, 120], changed: [120], written: [0] } as const;

/** Analyses a case once for each of its alerts. One wrong answer makes it wrong. */
export async function runCase(one: CorpusCase, library: readonly KubeObject[]): Promise<CaseResult> {
  const rounds: Round[] = [];
  for (const alertAt of one.alertsAt ?? ALERTS_AT[one.origin]) {
    const { status, seconds } = await analyse(one, alertAt, library);
    const said = saidBy(status);
    rounds.push({ alertAt, seconds, said, verdict: judge(one, said) });
  }
  const isWrong = rounds.some(({ verdict }) => verdict === 'wrong');
  return { case: one, verdict: isWrong ? 'wrong' : (rounds.at(-1)?.verdict ?? 'handed over'), rounds };
}

/** The catalogue of workflows as it is shipped. */
export async function shippedWorkflows(): Promise<readonly KubeObject[]> {
  const { namespace, executionNamespace } = DEFAULT_SETTINGS;
  const entries = await readLibrary({ namespace, executionNamespace });
  return entries.filter(({ resource }) => resource.kind === RemediationWorkflow.kind).map(({ draft }) => asStored(draft as KubeObject));
}

const asStored = (draft: KubeObject): KubeObject => ({
  ...draft,
  metadata: { ...draft.metadata, uid: `uid-${draft.metadata.name}`, resourceVersion: '1', creationTimestamp: '2026-11-01T00:00:00Z' },
});
