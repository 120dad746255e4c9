import type { Node } from '../../../../kube/builtin/index.ts';
import type { PowerCycleRemediation } from '../../../../api/power-cycle-remediation/power-cycle-remediation.ts';
import { after, toMicroTime, type Instant } from '../../../../base/index.ts';
import type { Decision } from '../../../../runtime/reconcile/controller.ts';
import { endClaim } from '../budget/budget-claims.ts';
import { hostText, isSameHost, type Host } from '../host/host-identity.ts';
import type { CommandUpdate } from '../host/power-command.ts';
import { FREEING_TIMEOUT_MS, HOST_POLL_MS, phaseStart } from '../limits.ts';
import { reportOrFault } from '../messages.ts';
import { isOff, type PowerCycleSeen } from '../observed.ts';
import { enterPhase, needsCleanup, type ReadyReport, type StatusChange } from '../status.ts';
import { isKubeletReporting } from './out-of-service.ts';

const ANOTHER_HOST = 'AnotherHost';

/**
 * The Node, where its kubelet still reports although the host reports off, and has been off for so long that Kubernetes would have noticed: the
 * Secret then points to the host of another Machine.
 */
export function stillRunningNode(seen: PowerCycleSeen, now: Instant): Node | undefined {
  const { object, machine, node } = seen;
  if (!isOff(seen) || machine.kind !== 'eligible' || node.kind !== 'value') return undefined;
  return isKubeletReporting(node.value) && now >= after(phaseStart(object, now), FREEING_TIMEOUT_MS) ? node.value : undefined;
}

export const nodeStillRunsReport = ({ metadata }: Node): ReadyReport => ({
  reason: ANOTHER_HOST,
  message:
    `the host reports that it is off, but Node ${metadata.name} still runs: check that the Secret belongs to the host of this Node. ` +
    'No workload was freed',
  isWarning: true,
});

/** Records the wrong host in status: the Secret may be corrected later. */
export function recordWrongHost({ object, host: pointedTo }: PowerCycleSeen): StatusChange {
  const host = object.status?.host ?? pointedTo;
  return host ? { host, anotherHost: true } : {};
}

/** The host that status records as the wrong one. */
export const wrongHostOf = ({ status }: PowerCycleRemediation): Host | undefined =>
  status?.anotherHost === true ? status.host : undefined;

export const wrongHostReport = (host: Host): ReadyReport => ({
  reason: ANOTHER_HOST,
  message:
    `${hostText(host)} was off while the Machine's Node still ran, so that it is not the Machine's host: it is not switched off again until the ` +
    'Secret points to another host. If it is the right host, delete this request',
  isWarning: true,
});

/** Why no attempt starts while the Secret still points to the wrong host: it would switch off another Machine's host in vain. */
export function whyStillWrongHost(seen: PowerCycleSeen): ReadyReport | undefined {
  const { object, host } = seen;
  const wrongHost = wrongHostOf(object);
  if (!wrongHost || !host || !isSameHost(wrongHost, host)) return undefined;
  return needsCleanup(object) ? reportOrFault(seen, wrongHostReport(wrongHost)) : wrongHostReport(wrongHost);
}

/** Ends an attempt on the wrong host, which is on again. There is no Node to wait for, and it does not count as a power cycle of the Machine. */
export const endOnWrongHost = ({ object, budget }: PowerCycleSeen, now: Instant, host: Host, { set, effects }: CommandUpdate): Decision =>
  enterPhase('backoff', object, now, {
    report: wrongHostReport(host),
    set: { ...set, nextAttemptTime: toMicroTime(now), attemptsNeverOff: (object.status?.attemptsNeverOff ?? 0) + 1 },
    effects: [...effects, ...endClaim(budget, now)],
    wakeAt: after(now, HOST_POLL_MS),
  });
