import type { Node } from '../../../../api/builtin/index.ts';
import type { PowerCycleRemediation } from '../../../../api/power-cycle-remediation/power-cycle-remediation.ts';
import { after, toMicroTime, type Instant } from '../../../../base/index.ts';
import type { Decision } from '../../../../runtime/reconcile/controller.ts';
import { giveBack } from '../budget/budget-claims.ts';
import type { Telling } from '../host/power-command.ts';
import { hostText, isSameHost, type Host } from '../host/host-identity.ts';
import { FREE_WITHIN_MS, phaseStart, POLL_MS } from '../limits.ts';
import { isReporting } from './out-of-service.ts';
import { isOff, type PowerCycleSeen } from '../observed.ts';
import { enter, isOwing, type Change, type Words } from '../status.ts';
import { wordsOr } from '../messages.ts';

const ANOTHER_HOST = 'AnotherHost';

/** The Node, where it still reports although its host says that it is off, and has been for so long that Kubernetes would have noticed. */
export function ranOn(seen: PowerCycleSeen, now: Instant): Node | undefined {
  const { object, machine, node } = seen;
  if (!isOff(seen) || machine.kind !== 'ill' || node.kind !== 'there') return undefined;
  return isReporting(node.node) && now >= after(phaseStart(object, now), FREE_WITHIN_MS) ? node.node : undefined;
}

export const stillRuns = ({ metadata }: Node): Words => ({
  reason: ANOTHER_HOST,
  message: `the host says that it is off, but Node ${metadata.name} still runs: see that the Secret is that of its host; nothing was freed`,
  isWarning: true,
});

/** That it is another's, and which one it is: the Secret may be mended. */
export function recordAnothers({ object, host: led }: PowerCycleSeen): Change {
  const host = object.status?.host ?? led;
  return host ? { host, anotherHost: true } : {};
}

/** The host, where it is on record that it is another's. */
export const anothersHost = ({ status }: PowerCycleRemediation): Host | undefined =>
  status?.anotherHost === true ? status.host : undefined;

export const anothers = (host: Host): Words => ({
  reason: ANOTHER_HOST,
  message:
    `${hostText(host)} was off while the Node of the Machine still ran: it is not switched off again before the Secret leads to another host; ` +
    'if it is the right one all the same, delete this request',
  isWarning: true,
});

/** Why no attempt begins, where the Secret still leads to a host that is another's: whoever works there would be switched off for nothing. */
export function whyAnothers(seen: PowerCycleSeen): Words | undefined {
  const { object, host } = seen;
  const found = anothersHost(object);
  if (!found || !host || !isSameHost(found, host)) return undefined;
  return isOwing(object) ? wordsOr(seen, anothers(found)) : anothers(found);
}

/** Ends an attempt on a host that is another's, and on again: there is no Node to wait for, and this was no power cycle of the Machine. */
export const leaveAnothers = ({ object, budget }: PowerCycleSeen, now: Instant, host: Host, { set, effects }: Telling): Decision =>
  enter('backoff', object, now, {
    words: anothers(host),
    set: { ...set, nextAttemptTime: toMicroTime(now), attemptsNeverOff: (object.status?.attemptsNeverOff ?? 0) + 1 },
    effects: [...effects, ...giveBack(budget, now)],
    wakeAt: after(now, POLL_MS),
  });
