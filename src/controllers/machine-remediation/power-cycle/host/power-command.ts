import type { PowerCycleRemediation } from '../../../../api/power-cycle-remediation/power-cycle-remediation.ts';
import { given, toMicroTime, type Instant } from '../../../../base/index.ts';
import type { Effect } from '../../../../runtime/reconcile/controller.ts';
import type { Host } from './host-identity.ts';
import { hasElapsed, COMMAND_REPEAT_MS } from '../limits.ts';
import type { StatusChange } from '../status.ts';

/** The name under which the process registers the handler of power commands. */
export const POWER_CALL = 'power';

/** A command to a host's management controller. */
export interface PowerCommand {
  readonly power: 'on' | 'off';
  /** As recorded in status: the command is valid only while status still has this time. */
  readonly requestedAt: string;
  /** Which host the command is for; the one that the Secret points to, where status records none. */
  readonly host?: Host;
}

/** A command, with what status records before it is sent. */
export interface CommandUpdate {
  readonly set: StatusChange;
  readonly effects: readonly Effect[];
}

export const NO_COMMAND: CommandUpdate = { set: {}, effects: [] };

/** Orders the host to switch off. From here on `switchOnOwed` is true: it must be seen on again before anything ends. */
export const requestPowerOff = (request: PowerCycleRemediation, now: Instant, host = request.status?.host): CommandUpdate => ({
  set: { powerOffRequestedAt: toMicroTime(now), ...powerOnOwed(host) },
  effects: [call(request, { power: 'off', requestedAt: toMicroTime(now), ...given({ host }) })],
});

/** Records that a host must be switched on, and which one: the Secret may point to another host by then. */
export const powerOnOwed = (host: Host | undefined): StatusChange => ({ switchOnOwed: true, ...given({ host }) });

export const requestPowerOn = (request: PowerCycleRemediation, now: Instant): CommandUpdate => ({
  set: { powerOnRequestedAt: toMicroTime(now) },
  effects: [call(request, { power: 'on', requestedAt: toMicroTime(now), ...given({ host: request.status?.host }) })],
});

/** Sends the command again where it had no effect: it may have been lost. */
export const repeatPowerOff = (request: PowerCycleRemediation, now: Instant): CommandUpdate =>
  hasElapsed(request.status?.powerOffRequestedAt, COMMAND_REPEAT_MS, now) ? requestPowerOff(request, now) : NO_COMMAND;

export const repeatPowerOn = (request: PowerCycleRemediation, now: Instant): CommandUpdate =>
  hasElapsed(request.status?.powerOnRequestedAt, COMMAND_REPEAT_MS, now) ? requestPowerOn(request, now) : NO_COMMAND;

const call = ({ metadata }: PowerCycleRemediation, input: PowerCommand): Effect => ({
  kind: 'Call',
  run: POWER_CALL,
  key: `${metadata.uid} ${input.power} ${input.requestedAt}`,
  input,
});
