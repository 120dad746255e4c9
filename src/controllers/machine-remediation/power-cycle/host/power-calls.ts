import { Secret } from '../../../../kube/builtin/index.ts';
import { Machine } from '../../../../api/machine/machine.ts';
import { keyOf, keyText } from '../../../../api/meta.ts';
import { PowerCycleRemediation } from '../../../../api/power-cycle-remediation/power-cycle-remediation.ts';
import { isAhead, PlatformError, type Clock, type Logger } from '../../../../base/index.ts';
import { ask } from '../../../../kube/client/read-live.ts';
import type { KubeClient } from '../../../../kube/client/client.ts';
import type { CallHandler } from '../../../../runtime/reconcile/effects.ts';
import { serverReader } from '../../../../runtime/reconcile/observation-reader.ts';
import { BmcError, type BmcClient } from '../../../../redfish/index.ts';
import { evaluationStatusOf, type Definitions } from '../../../machine-health/index.ts';
import type { SettingsSource } from '../../../settings.ts';
import { eligibilityOf } from '../eligibility.ts';
import { COMMAND_TTL_MS, hasElapsed } from '../limits.ts';
import type { HostFault } from '../observed.ts';
import { bmcAccessIn, isHostFault, secretKey } from './bmc-secret.ts';
import type { CommandFailures } from './command-failures.ts';
import { hostOf, isSameHost, secretChangedFault } from './host-identity.ts';
import type { PowerCommand } from './power-command.ts';

export interface PowerCallDeps {
  readonly client: KubeClient;
  readonly settings: SettingsSource;
  readonly bmc: BmcClient;
  readonly failures: CommandFailures;
  readonly clock: Clock;
  readonly log: Logger;
  /** Which controller's MachineHealthChecks evaluate Machines; Sickbay's when absent. */
  readonly definitions?: Definitions;
}

/** Sends power commands. A failure is kept for the next pass to report; what follows from it is decided from what the host reports then. */
export function createPowerCalls(deps: PowerCallDeps): CallHandler {
  return async ({ input, subject }, signal) => {
    const command = input as PowerCommand;
    const request = subject as PowerCycleRemediation;
    const { log, failures } = deps;
    const about = { request: keyText(keyOf(request)), power: command.power };
    try {
      const failure = await send(command, request, { ...deps, signal });
      failures.set(request.metadata.uid, failure);
      if (failure) log.warn('the power command was not sent', { ...about, why: failure.message });
    } catch (error) {
      if (signal.aborted || !(error instanceof PlatformError)) throw error;
      const fault = error instanceof BmcError ? error.fault : 'NoAccess';
      failures.set(request.metadata.uid, { fault, message: error.message });
      log.warn('the power command failed', { ...about, fault, error: error.message });
    }
  };
}

interface CallContext extends PowerCallDeps {
  readonly signal: AbortSignal;
}

async function send(command: PowerCommand, request: PowerCycleRemediation, context: CallContext): Promise<HostFault | undefined> {
  const { client, bmc, settings, signal } = context;
  const key = secretKey(request);
  const access = bmcAccessIn(await ask(() => client.get(Secret, key, { signal }), signal), key, settings());
  if (isHostFault(access)) return access;
  const host = hostOf(access);
  if (command.host && !isSameHost(command.host, host)) return secretChangedFault(command.host, host);
  if (command.power === 'off' && !(await isStillValid(command, request, context))) return undefined;
  // Checked last, right before sending: a process that was delayed until here must not switch the host off late.
  const result = await bmc.setPower(access, command.power, { signal, isExpired: () => isExpired(command, context.clock) });
  return result === 'expired' ? EXPIRED : undefined;
}

/** After the clock was set back the age of a command is unknown, so that a command from the future counts as expired. */
const isExpired = ({ power, requestedAt }: PowerCommand, clock: Clock): boolean =>
  hasElapsed(requestedAt, COMMAND_TTL_MS[power], clock.now()) || isAhead(requestedAt, clock.now());

const EXPIRED: HostFault = {
  fault: 'TooLate',
  message: 'the command expired before it could be sent: check whether the management controller or the API server is slow',
};

/**
 * Switching off cannot be undone. Live reads must confirm that status still records this very command, that the Machine is still eligible, and that
 * a check would report it when the Machine is healthy again.
 */
async function isStillValid({ requestedAt }: PowerCommand, request: PowerCycleRemediation, context: CallContext): Promise<boolean> {
  const { client, signal, definitions = 'sickbay' } = context;
  const key = keyOf(request);
  const now = await client.get(PowerCycleRemediation, key, { signal });
  const isRecorded =
    now.metadata.uid === request.metadata.uid &&
    now.metadata.deletionTimestamp === undefined &&
    now.status?.phase === 'power-off' &&
    now.status.powerOffRequestedAt === requestedAt;
  if (!isRecorded) return false;
  const server = serverReader(client, signal);
  const eligibility = eligibilityOf(now, await server.fetch(Machine, key));
  return eligibility.kind === 'eligible' && (await evaluationStatusOf(eligibility.machine, server, definitions)).kind === 'renewed';
}
