import { gateAllows } from '../../../api/machine-health-check/unhealthy-limit.ts';
import { ANNOTATIONS, LABELS } from '../../../api/well-known.ts';
import { after, MINUTE, type Instant } from '../../../base/index.ts';
import type { Decision, Effect } from '../../../runtime/reconcile/controller.ts';
import { headcount, nextLook } from '../check/decide-check.ts';
import type { CheckSeen } from '../check/observe-check.ts';
import { LABELLED_FOR_US, type Whose } from './managing-controller.ts';

/** The call that tells what was seen of a check that is not ours. */
export const TELL_OBSERVED = 'tell-observed-check';

/** What is seen of a check that somebody else works on. */
export interface Observation {
  readonly check: string;
  readonly machines: number;
  readonly healthy: number;
  /** Names of those that fail, the first of them. */
  readonly unhealthy: readonly string[];
  /** Whether its gate is open by our count. */
  readonly remediationAllowed: boolean;
}

const MOST_NAMED = 20;
/** What cannot be read is asked for again. */
const LOOK_AGAIN_MS = MINUTE / 2;

/** Judges a check that is not ours and only tells of it: nothing is written, neither on it nor on its Machines. */
export function decideObserved(seen: CheckSeen, whose: Exclude<Whose, 'ours'>, now: Instant): Decision {
  const contested = whose === 'contested' ? [CONTESTED] : [];
  const { read, targets, blind, pausedBy } = seen;
  if (blind !== undefined) return { effects: contested, wakeAt: after(now, LOOK_AGAIN_MS) };
  if (read.kind === 'invalid' || pausedBy.length > 0) return { effects: contested };
  const count = headcount(seen);
  const input: Observation = {
    check: `${read.namespace}/${read.name}`,
    machines: count.total,
    healthy: count.total - count.unhealthy,
    unhealthy: targets
      .filter(({ verdict }) => verdict.kind === 'unhealthy')
      .map(({ target }) => target.machine.metadata.name)
      .slice(0, MOST_NAMED),
    remediationAllowed: gateAllows(read.check.gate, count),
  };
  const told: Effect = { kind: 'Call', run: TELL_OBSERVED, key: seen.object.metadata.uid, input };
  return { effects: [told, ...contested], ...nextLook(targets, [], now) };
}

const CONTESTED: Effect = {
  kind: 'Event',
  type: 'Warning',
  reason: 'NotKeptOff',
  message:
    `the label ${LABELS.watchFilter}=${LABELLED_FOR_US} asks Sickbay to work on this check, but Cluster API's controller does so already: ` +
    `set the annotation ${ANNOTATIONS.paused} on it too, which keeps that one off`,
};
