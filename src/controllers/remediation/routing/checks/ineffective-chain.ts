import { after, formatDuration, type Instant } from '../../../../base/index.ts';
import { targetText } from '../../../target/index.ts';
import type { RoutingEvidence, PlannedEvidence } from '../evidence.ts';
import { effectsInWindow, type RemediationEffect } from '../target-history.ts';
import type { CheckVerdict } from '../check-verdict.ts';
import { noPlan, pass, unknown } from './pass.ts';

const CHECK = 'IneffectiveChain';

/** Check 7: a target that remediations do not help, or that needs them again and again, needs a manual review. */
export function ineffectiveChainCheck({ planned, routing }: RoutingEvidence, now: Instant): CheckVerdict {
  if (!planned) return noPlan(CHECK);
  const target = targetText(planned.target);
  const windowMs = routing.ineffectiveTimeWindowMs;
  const record = recordOf(planned);
  if (typeof record === 'string') return unknown(CHECK, record, { target });
  const effects = effectsInWindow(record, now, windowMs);
  const ineffective = ineffectiveInRow(effects);
  const inputs = { target, remediations: effects.length, ineffectiveInRow: ineffective, window: formatDuration(windowMs) };
  const isChain = ineffective >= routing.ineffectiveChainThreshold;
  if (!isChain && effects.length < routing.recurrenceCountThreshold) return pass(CHECK, inputs);
  const what = isChain
    ? `the last ${ineffective} remediations of ${target} did not help`
    : `${target} was remediated ${effects.length} times`;
  const message = `${what} within ${formatDuration(windowMs)}: find the cause by hand; nothing more is tried before a signal that comes after ${formatDuration(windowMs)}`;
  return { kind: 'block', check: CHECK, inputs, message, lookAgainAt: after(now, windowMs) };
}

/** How many of the newest were ineffective in a row; an unknown effect neither counts nor ends the row. */
function ineffectiveInRow(effects: readonly RemediationEffect[]): number {
  const known = effects.filter((effect) => effect !== 'unknown');
  const effective = known.indexOf('effective');
  return effective === -1 ? known.length : effective;
}

/** The recorded history of the target, or why it could not be read. */
function recordOf({ history, executions, assessments, specHash }: PlannedEvidence) {
  if (history.kind === 'unreadable') return history.reason;
  if (executions.kind === 'unreadable') return executions.reason;
  if (assessments.kind === 'unreadable') return assessments.reason;
  return { requests: history.value, executions: executions.value, assessments: assessments.value, specHash };
}
