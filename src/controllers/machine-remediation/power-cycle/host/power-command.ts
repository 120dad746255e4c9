import type { PowerCycleRemediation } from '../../../../api/power-cycle-remediation/power-cycle-remediation.ts';
import { given, toMicroTime, type Instant } from '../../../../base/index.ts';
import type { Effect } from '../../../../runtime/reconcile/controller.ts';
import type { Host } from './host-identity.ts';
import { hasPassed, TELL_AGAIN_MS } from '../limits.ts';
import type { Change } from '../status.ts';

/** The name under which the wiring registers the handler. */
export const POWER_CALL = 'power';

/** What a host is told. */
export interface PowerCommand {
  readonly power: 'on' | 'off';
  /** As it stands in the status: the command counts only while it does. */
  readonly requestedAt: string;
  /** Who is told; whomever the Secret leads to, where that is not on record. */
  readonly host?: Host;
}

/** A command with what goes on record before it is given. */
export interface Telling {
  readonly set: Change;
  readonly effects: readonly Effect[];
}

export const NOTHING_TOLD: Telling = { set: {}, effects: [] };

/** Tells the host to switch off; from now on it is owed to be switched on. */
export const tellOff = (request: PowerCycleRemediation, now: Instant, host = request.status?.host): Telling => ({
  set: { powerOffRequestedAt: toMicroTime(now), ...owedTo(host) },
  effects: [call(request, { power: 'off', requestedAt: toMicroTime(now), ...given({ host }) })],
});

/** That a host is to be switched on, and which one: the Secret may lead elsewhere by then. */
export const owedTo = (host: Host | undefined): Change => ({ switchOnOwed: true, ...given({ host }) });

export const tellOn = (request: PowerCycleRemediation, now: Instant): Telling => ({
  set: { powerOnRequestedAt: toMicroTime(now) },
  effects: [call(request, { power: 'on', requestedAt: toMicroTime(now), ...given({ host: request.status?.host }) })],
});

/** Tells it again where it has not obeyed: the command may have been lost. */
export const tellOffAgain = (request: PowerCycleRemediation, now: Instant): Telling =>
  hasPassed(request.status?.powerOffRequestedAt, TELL_AGAIN_MS, now) ? tellOff(request, now) : NOTHING_TOLD;

export const tellOnAgain = (request: PowerCycleRemediation, now: Instant): Telling =>
  hasPassed(request.status?.powerOnRequestedAt, TELL_AGAIN_MS, now) ? tellOn(request, now) : NOTHING_TOLD;

const call = ({ metadata }: PowerCycleRemediation, input: PowerCommand): Effect => ({
  kind: 'Call',
  run: POWER_CALL,
  key: `${metadata.uid} ${input.power} ${input.requestedAt}`,
  input,
});
