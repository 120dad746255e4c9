import type { Instant } from '../../../../base/index.ts';
import { NO_COMMAND, repeatPowerOn, type CommandUpdate } from '../host/power-command.ts';
import { COMMAND_QUIET_MS, hasElapsed } from '../limits.ts';
import { reportOrFault } from '../messages.ts';
import { acceptsCommand, isOn, type PowerCycleSeen } from '../observed.ts';
import type { ReadyReport } from '../status.ts';
import { isKubeletReporting, untaintNode } from './out-of-service.ts';

/** What cleans up after an attempt, and the report about it; no report when nothing is left to clean up. */
export interface PowerRestore extends CommandUpdate {
  readonly report?: ReadyReport;
}

/**
 * Makes sure that the host is on again and its Node is not tainted any more. The host counts as on only if it reports so at a time when no command
 * to switch off can still arrive; until then `switchOnOwed` stays true.
 */
export function restorePower(seen: PowerCycleSeen, now: Instant): PowerRestore {
  const { switchOnOwed, powerOffRequestedAt } = seen.object.status ?? {};
  if (switchOnOwed !== true) return removeTaint(seen);
  const report = reportOrFault(seen, { reason: 'PoweringOn', message: 'the host is not switched on again yet' });
  if (!isOn(seen)) return { ...repeatPowerOnAndUntaint(seen, now), report };
  const cleared = removeTaint(seen);
  if (!hasElapsed(powerOffRequestedAt, COMMAND_QUIET_MS, now))
    return {
      ...cleared,
      report: { reason: 'PoweringOn', message: 'the host is on; waiting until no earlier command can switch it off any more' },
    };
  return { effects: cleared.effects, set: { ...cleared.set, switchOnOwed: false } };
}

/** Orders a host that is not on to switch on, if a command is due. Its power state justifies the taint only while its kubelet is silent. */
export function repeatPowerOnAndUntaint(seen: PowerCycleSeen, now: Instant): CommandUpdate {
  const command = acceptsCommand(seen, 'on') ? repeatPowerOn(seen.object, now) : NO_COMMAND;
  const cleared = removeTaintIfReporting(seen);
  return { set: { ...command.set, ...cleared.set }, effects: [...command.effects, ...cleared.effects] };
}

/** A reporting kubelet runs, whatever its host reports: the taint must be removed, or it could outlive the request. */
const removeTaintIfReporting = (seen: PowerCycleSeen): CommandUpdate =>
  seen.tainted.kind === 'value' && isKubeletReporting(seen.tainted.value) ? removeTaint(seen) : NO_COMMAND;

/** The taint is only for a host that is off. */
export function removeTaint({ tainted }: PowerCycleSeen): PowerRestore {
  if (tainted.kind === 'unreadable')
    return {
      ...NO_COMMAND,
      report: {
        reason: 'NodeUnreadable',
        message: `the out-of-service taint cannot be removed yet: ${tainted.reason}`,
        isWarning: true,
      },
    };
  const effects = untaintNode(tainted);
  // Status records the Node until it was read without the taint.
  return effects.length > 0 ? { set: {}, effects } : { set: { taintedNode: undefined }, effects };
}
