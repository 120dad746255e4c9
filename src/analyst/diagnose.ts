import { assertNever, MINUTE, parseTime, type Instant } from '../base/index.ts';
import type { Diagnosis } from './diagnosis.ts';
import { targetName, type DeploymentEvidence, type Evidence, type Revision } from './evidence.ts';
import { crashOf, isReady, lastEndOf, troubleOf } from './pod-state.ts';
import { crashLoopAfterRollout } from './rules/crash-loop-after-rollout.ts';

/** Knows one cause; undefined when it is another. */
export type Rule = (evidence: DeploymentEvidence, now: Instant) => Diagnosis | undefined;

/** In order: the first that knows the cause names it. */
export const RULES: readonly Rule[] = [crashLoopAfterRollout];

/** For so long a rollout may take, and for so long must nothing have ended before all is called well: the longest wait of a crash loop. */
const CALM_MS = 5 * MINUTE;

/** What is wrong with the target, as far as the evidence tells. */
export function diagnose(evidence: Evidence, now: Instant): Diagnosis {
  switch (evidence.kind) {
    case 'Unreadable':
      return { kind: 'NotYet', reason: `${targetName(evidence.target)}: ${evidence.reason}` };
    case 'Absent':
      return {
        kind: 'Unclear',
        reason: `${targetName(evidence.target)} does not exist`,
        advice: 'if it was deleted on purpose, remove or silence the alert; otherwise restore it from where it is kept',
      };
    case 'Unsupported':
      return {
        kind: 'Unclear',
        reason: `no rule knows the faults of a ${evidence.target.kind}`,
        advice: `look at ${targetName(evidence.target)} yourself: kubectl describe ${describeArguments(evidence.target)}`,
      };
    case 'Deployment':
      return byRule(evidence, now) ?? judgeHealth(evidence, now);
    default:
      return assertNever(evidence);
  }
}

function byRule(evidence: DeploymentEvidence, now: Instant): Diagnosis | undefined {
  for (const rule of RULES) {
    const diagnosis = rule(evidence, now);
    if (diagnosis) return diagnosis;
  }
  return undefined;
}

/** Where no rule knows a cause: is there a fault at all, and is it time to say so? */
function judgeHealth(evidence: DeploymentEvidence, now: Instant): Diagnosis {
  const { target, deployment } = evidence;
  const name = targetName(target);
  const wanted = deployment.spec.replicas ?? 1;
  const [newest] = evidence.revisions;
  if (wanted === 0) return { kind: 'NothingWrong', reason: `${name} is scaled to zero: there is no pod that could fail` };
  const ready = newest?.pods.filter(isReady) ?? [];
  if (newest && ready.length >= wanted && ready.length === newest.pods.length) return judgeCalm(newest, name, now);
  const since = parseTime((newest?.replicaSet ?? deployment).metadata.creationTimestamp);
  const state = `${ready.length} of ${wanted} pods of ${revisionText(newest)} are ready${troublesText(newest)}`;
  if (since !== undefined && now - since < CALM_MS) return { kind: 'NotYet', reason: `${name} is still being rolled out: ${state}` };
  const describe = `kubectl describe ${describeArguments(target)}`;
  return {
    kind: 'Unclear',
    reason: `${name}: ${state}, and no rule knows why`,
    advice: `look at its pods and their events: ${describe} and kubectl get events -n ${target.namespace ?? ''} --sort-by=.lastTimestamp`,
  };
}

/** All are ready; but who crashed a moment ago may crash again. */
function judgeCalm({ number, pods }: Revision, name: string, now: Instant): Diagnosis {
  const restarted = pods.some((pod) => {
    const end = lastEndOf(pod);
    return crashOf(pod, now) !== undefined || (end !== undefined && now - end < CALM_MS);
  });
  if (restarted) return { kind: 'NotYet', reason: `${name} is ready, but its containers were restarted a moment ago` };
  return {
    kind: 'NothingWrong',
    reason: `all ${pods.length} pods of revision ${number} of ${name} are ready, and none was restarted lately`,
  };
}

const revisionText = (revision: Revision | undefined): string => (revision ? `revision ${revision.number}` : 'no revision');

function troublesText(revision: Revision | undefined): string {
  const troubles = new Set((revision?.pods ?? []).filter((pod) => !isReady(pod)).map(troubleOf));
  return troubles.size === 0 ? '' : ` (${[...troubles].toSorted().join(', ')})`;
}

const describeArguments = ({ kind, name, namespace }: Evidence['target']): string =>
  `${namespace ? `-n ${namespace} ` : ''}${kind.toLowerCase()} ${name}`;
