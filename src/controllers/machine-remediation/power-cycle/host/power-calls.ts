import { Secret } from '../../../../api/builtin/index.ts';
import { Machine } from '../../../../api/machine/machine.ts';
import { keyOf, keyText } from '../../../../api/meta.ts';
import { PowerCycleRemediation } from '../../../../api/power-cycle-remediation/power-cycle-remediation.ts';
import { isAhead, PlatformError, type Clock, type Logger } from '../../../../base/index.ts';
import { ask } from '../../../../kube/client/read-live.ts';
import type { KubeClient } from '../../../../kube/client/client.ts';
import type { CallHandler } from '../../../../runtime/reconcile/effects.ts';
import { serverReader } from '../../../../runtime/reconcile/observation-reader.ts';
import { BmcError, type BmcDoor } from '../../../../redfish/index.ts';
import { evaluationStatusOf, type Definitions } from '../../../machine-health/index.ts';
import { accessIn, isTrouble, secretKey } from './bmc-secret.ts';
import type { PowerCommand } from './power-command.ts';
import { hostOf, isSameHost, ledElsewhere } from './host-identity.ts';
import { COMMAND_LIFE_MS, hasPassed } from '../limits.ts';
import type { PowerNotes } from './command-failures.ts';
import type { Trouble } from '../observed.ts';
import { standingOf } from '../eligibility.ts';

export interface PowerCallDeps {
  readonly client: KubeClient;
  readonly door: BmcDoor;
  readonly notes: PowerNotes;
  readonly clock: Clock;
  readonly log: Logger;
  /** Whose checks say how Machines are; ours when absent. */
  readonly definitions?: Definitions;
}

/** Tells hosts to switch. What they say against it, or that they say nothing, is noted for the next look, which decides what follows. */
export function createPowerCalls(deps: PowerCallDeps): CallHandler {
  return async ({ input, subject }, signal) => {
    const command = input as PowerCommand;
    const request = subject as PowerCycleRemediation;
    const { log, notes } = deps;
    const about = { request: keyText(keyOf(request)), power: command.power };
    try {
      const trouble = await tell(command, request, { ...deps, signal });
      notes.set(request.metadata.uid, trouble);
      if (trouble) log.warn('the host was not told', { ...about, why: trouble.message });
    } catch (error) {
      if (signal.aborted || !(error instanceof PlatformError)) throw error;
      const fault = error instanceof BmcError ? error.fault : 'NoAccess';
      notes.set(request.metadata.uid, { fault, message: error.message });
      log.warn('the host did not take the command', { ...about, fault, error: error.message });
    }
  };
}

interface Task extends PowerCallDeps {
  readonly signal: AbortSignal;
}

async function tell(command: PowerCommand, request: PowerCycleRemediation, task: Task): Promise<Trouble | undefined> {
  const { client, door, signal } = task;
  const key = secretKey(request);
  const access = accessIn(await ask(() => client.get(Secret, key, { signal }), signal), key);
  if (isTrouble(access)) return access;
  const host = hostOf(access);
  if (command.host && !isSameHost(command.host, host)) return ledElsewhere(command.host, host);
  if (command.power === 'off' && !(await isStillWanted(command, request, task))) return undefined;
  // Last: whoever was held up on the way must not catch up on it.
  const told = await door.tell(access, command.power, { signal, isTooLate: () => isTooLate(command, task.clock) });
  return told === 'too late' ? TOO_LATE : undefined;
}

/** By a clock that was set back meanwhile nobody knows how late it is. */
const isTooLate = ({ power, requestedAt }: PowerCommand, clock: Clock): boolean =>
  hasPassed(requestedAt, COMMAND_LIFE_MS[power], clock.now()) || isAhead(requestedAt, clock.now());

const TOO_LATE: Trouble = {
  fault: 'TooLate',
  message: 'the command was not sent, as it came too late: see whether its management controller or the API server is slow',
};

/**
 * Switching off cannot be taken back: the server says once more that this very command is on record, that the Machine fails and is not to be left
 * alone, and that somebody would say when it is well again.
 */
async function isStillWanted({ requestedAt }: PowerCommand, request: PowerCycleRemediation, task: Task): Promise<boolean> {
  const { client, signal, definitions = 'sickbay' } = task;
  const key = keyOf(request);
  const now = await client.get(PowerCycleRemediation, key, { signal });
  const isOnRecord =
    now.metadata.uid === request.metadata.uid &&
    now.metadata.deletionTimestamp === undefined &&
    now.status?.phase === 'power-off' &&
    now.status.powerOffRequestedAt === requestedAt;
  if (!isOnRecord) return false;
  const server = serverReader(client, signal);
  const standing = standingOf(now, await server.fetch(Machine, key));
  return standing.kind === 'ill' && (await evaluationStatusOf(standing.machine, server, definitions)).kind === 'renewed';
}
