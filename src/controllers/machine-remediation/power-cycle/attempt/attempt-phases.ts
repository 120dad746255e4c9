import type { Node } from '../../../../kube/builtin/index.ts';
import { after, SECOND, type Instant } from '../../../../base/index.ts';
import type { Decision, Effect } from '../../../../runtime/reconcile/controller.ts';
import { endClaim } from '../budget/budget-claims.ts';
import { NO_COMMAND, repeatPowerOff, requestPowerOn } from '../host/power-command.ts';
import {
  COMMAND_QUIET_MS,
  earliestOf,
  FREEING_TIMEOUT_MS,
  hasElapsed,
  HOST_POLL_MS,
  phaseStart,
  RECHECK_INTERVAL_MS,
  timeoutsOf,
} from '../limits.ts';
import { machineUnreadable, poweringOffReport, reportOrFault } from '../messages.ts';
import { acceptsCommand, isOff, isOn, type Eligibility, type PowerCycleSeen } from '../observed.ts';
import { enterPhase, needsCleanup, stayInPhase, type ReadyReport } from '../status.ts';
import { cancelAttempt, whyCancel } from './cancel-attempt.ts';
import { attemptFailed } from './failed-attempt.ts';
import { isKubeletSilent, isOutOfService, taintNode } from './out-of-service.ts';
import { removeTaint, repeatPowerOnAndUntaint, restorePower } from './restore-power.ts';
import { endOnWrongHost, nodeStillRunsReport, recordWrongHost, stillRunningNode, wrongHostOf, wrongHostReport } from './wrong-host.ts';

/** The host was ordered to switch off. That it is off is read, never inferred. While the Machine is ineligible the command is not repeated. */
export function decidePowerOff(seen: PowerCycleSeen, now: Instant): Decision {
  const { object, machine } = seen;
  if (isOff(seen)) return enterPhase('freeing', object, now, { report: FREEING, wakeAt: after(now, SECOND) });
  const ineligible = whyCancel(seen, now);
  if (ineligible) return cancelAttempt(seen, now, ineligible);
  const { offMs } = timeoutsOf(object);
  const deadline = after(phaseStart(object, now), offMs);
  if (now >= deadline) return attemptFailed(seen, now, `the host did not report that it is off within ${offMs / SECOND} s`);
  const { set, effects } = machine.kind === 'eligible' && acceptsCommand(seen, 'off') ? repeatPowerOff(object, now) : NO_COMMAND;
  const report = reportOrFault(seen, poweringOffReport(object.status?.retryCount ?? 0));
  return stayInPhase(object, now, { report, set, effects, wakeAt: earliestOf(deadline, after(now, HOST_POLL_MS)) });
}

const FREEING: ReadyReport = { reason: 'FreeingWorkloads', message: 'the host is off; its workloads may start elsewhere' };

/**
 * The host is off: the out-of-service taint makes Kubernetes move its pods. A Node is tainted only if its kubelet is silent and the host reports in
 * this very pass that it is off.
 */
export function decideFreeing(seen: PowerCycleSeen, now: Instant): Decision {
  const { object } = seen;
  if (isOn(seen)) return hostCameOn(seen, now);
  const deadline = after(phaseStart(object, now), FREEING_TIMEOUT_MS);
  if (isNothingToFree(seen) || now >= deadline) return switchHostOn(seen, now);
  const wakeAt = earliestOf(deadline, after(now, HOST_POLL_MS));
  const node = nodeToTaint(seen);
  if (!node) return stayInPhase(object, now, { report: reportOrFault(seen, FREEING), wakeAt });
  // Status records the Node before it is tainted: a process that continues after a crash must find the taint again.
  return stayInPhase(object, now, { report: FREEING, set: { taintedNode: node.metadata.name }, effects: [taintNode(node)], wakeAt });
}

const isNothingToFree = (seen: PowerCycleSeen): boolean =>
  seen.machine.kind === 'ineligible' || seen.node.kind === 'absent' || seen.node.kind === 'other-cluster' || isEmpty(seen);

function nodeToTaint(seen: PowerCycleSeen): Node | undefined {
  const { machine, node } = seen;
  if (!isOff(seen) || machine.kind !== 'eligible' || node.kind !== 'value') return undefined;
  return isKubeletSilent(node.value) && !isOutOfService(node.value) ? node.value : undefined;
}

const isEmpty = ({ node, pods }: PowerCycleSeen): boolean =>
  node.kind === 'value' && isOutOfService(node.value) && pods.kind === 'count' && pods.left === 0;

function switchHostOn(seen: PowerCycleSeen, now: Instant): Decision {
  const { object } = seen;
  const { set, effects } = requestPowerOn(object, now);
  const node = stillRunningNode(seen, now);
  return enterPhase('power-on', object, now, {
    report: node ? nodeStillRunsReport(node) : POWERING_ON,
    set: { ...set, ...(node && recordWrongHost(seen)) },
    effects,
    wakeAt: after(now, HOST_POLL_MS),
  });
}

const POWERING_ON: ReadyReport = { reason: 'PoweringOn', message: 'waiting for the host to switch on' };

/** The host is on, by our command or by an operator's: either completes the power cycle. */
function hostCameOn(seen: PowerCycleSeen, now: Instant): Decision {
  const { object } = seen;
  const { set: cleared, effects } = removeTaint(seen);
  const set = { ...cleared, switchOnOwed: !hasElapsed(object.status?.powerOffRequestedAt, COMMAND_QUIET_MS, now) };
  const wrongHost = wrongHostOf(object);
  if (wrongHost) return endOnWrongHost(seen, now, wrongHost, { set, effects });
  return enterPhase('waiting', object, now, { report: WAITING, set, effects, wakeAt: after(now, HOST_POLL_MS) });
}

const WAITING: ReadyReport = { reason: 'WaitingForNode', message: 'the host is on; waiting for its Node to become healthy' };

/** The host was ordered to switch on. This continues even if the Machine becomes ineligible. */
export function decidePowerOn(seen: PowerCycleSeen, now: Instant): Decision {
  const { object } = seen;
  if (isOn(seen)) return hostCameOn(seen, now);
  const { onMs } = timeoutsOf(object);
  const deadline = after(phaseStart(object, now), onMs);
  if (now >= deadline) return attemptFailed(seen, now, `the host did not report that it is on within ${onMs / SECOND} s`);
  const { set, effects } = repeatPowerOnAndUntaint(seen, now);
  const wrongHost = wrongHostOf(object);
  return stayInPhase(object, now, {
    report: reportOrFault(seen, wrongHost ? wrongHostReport(wrongHost) : POWERING_ON),
    set,
    effects,
    wakeAt: earliestOf(deadline, after(now, HOST_POLL_MS)),
  });
}

/** The host is on again. Once the Node is healthy its MachineHealthCheck deletes the request. */
export function decideWaiting(seen: PowerCycleSeen, now: Instant): Decision {
  const { object, machine } = seen;
  const { nodeMs } = timeoutsOf(object);
  const deadline = after(phaseStart(object, now), nodeMs);
  if (machine.kind === 'eligible' && now >= deadline)
    return attemptFailed(seen, now, `the host is on, but its Node is not healthy after ${nodeMs / SECOND} s`);
  // Only the deletion of the request is left, or the Machine cannot be read for an unknown time: its budget slot is free for others.
  const isOver = machine.kind === 'ineligible' || now >= deadline;
  const cleanup = restorePower(seen, now);
  const soon = after(now, needsCleanup(object) ? HOST_POLL_MS : RECHECK_INTERVAL_MS);
  return stayInPhase(object, now, {
    report: cleanup.report ?? (isOver ? waitOverReport(machine) : WAITING),
    set: cleanup.set,
    effects: [...cleanup.effects, ...(isOver ? endClaimUnlessOff(seen, now) : [])],
    wakeAt: needsCleanup(object) || isOver ? soon : deadline,
  });
}

/** A host that a late command switched off needs its budget slot until it is on again. */
const endClaimUnlessOff = (seen: PowerCycleSeen, now: Instant): readonly Effect[] =>
  seen.power.kind === 'state' && !isOn(seen) ? [] : endClaim(seen.budget, now);

function waitOverReport(machine: Eligibility): ReadyReport {
  if (machine.kind === 'ineligible') return { reason: machine.reason, message: machine.message };
  return machine.kind === 'unreadable' ? machineUnreadable(machine.reason) : WAITING;
}
