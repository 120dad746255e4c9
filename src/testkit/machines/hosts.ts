import { Secret } from '../../api/builtin/index.ts';
import { BmcError, type BmcAccess, type BmcClient, type PowerState } from '../../redfish/index.ts';
import { messageOf, SECOND, type Instant } from '../../base/index.ts';
import type { ApiRequest, ApiResponse } from '../../kube/client/transport.ts';
import type { ReplicaEnv, Simulation } from '../../simulation/index.ts';
import { inNamespace, type Fleet } from './fleet.ts';

/** How a management controller behaves: some are slow, some refuse for a while, some ignore a command, some report a success that is false. */
const TEMPERS = ['prompt', 'prompt', 'prompt', 'slow', 'refusing', 'deaf', 'lying'] as const;

interface Host {
  readonly temper: (typeof TEMPERS)[number];
  power: PowerState;
  /** The power state that it reports where that is false. */
  claimed?: PowerState;
  heard: number;
}

/** Accepted commands to switch off: the effect of a process on the hosts. */
export interface Heard {
  readonly machine: string;
  readonly at: Instant;
}

const PREFIX = '/hosts/';
/** How many calls a faulty management controller gets wrong before it works. */
const CALLS_UNTIL_SOUND = 2;

/** Fakes the hosts behind the Machines, and their management controllers, which the processes reach over the same network as the server. */
export class Hosts {
  readonly #simulation: Simulation;
  readonly #fleet: Fleet;
  readonly #hosts = new Map<string, Host>();

  constructor(simulation: Simulation, fleet: Fleet, onOff: (heard: Heard) => void) {
    this.#simulation = simulation;
    this.#fleet = fleet;
    fleet.powerOf = (name) => this.#hosts.get(name)?.power ?? 'On';
    simulation.neighbours.push((request) => (isHostCall(request) ? this.#answer(request, onOff) : undefined));
  }

  isOn(name: string): boolean {
    return !this.off.includes(name);
  }

  /** Hosts that are not on. */
  get off(): readonly string[] {
    return [...this.#hosts].filter(([, { power }]) => power !== 'On').map(([name]) => name);
  }

  async putSecret(name: string): Promise<void> {
    const entries = { address: `https://${name}`, username: 'admin', password: 'secret-of-the-host' };
    const data = Object.fromEntries(Object.entries(entries).map(([entry, text]) => [entry, Buffer.from(text).toString('base64')]));
    await this.#simulation.admin.create(Secret, { apiVersion: 'v1', kind: 'Secret', metadata: inNamespace(`${name}-bmc`), data });
  }

  #answer({ method, path }: ApiRequest, onOff: (heard: Heard) => void): ApiResponse {
    const [name = '', command] = path.slice(PREFIX.length).split('/');
    const host = this.#hostOf(name);
    if (host.temper === 'refusing' && host.heard < CALLS_UNTIL_SOUND) {
      host.heard++;
      return { code: 503, body: 'busy' };
    }
    if (method === 'GET') return { code: 200, body: host.claimed ?? host.power };
    if (command === 'off') onOff({ machine: name, at: this.#simulation.time.now() });
    this.#hear(name, host, command === 'on' ? 'On' : 'Off');
    return { code: 200, body: 'heard' };
  }

  #hostOf(name: string): Host {
    const known = this.#hosts.get(name) ?? { temper: this.#simulation.random.pick(TEMPERS), power: 'On', heard: 0 };
    this.#hosts.set(name, known);
    return known;
  }

  #hear(name: string, host: Host, wanted: 'On' | 'Off'): void {
    const isHeeded = host.heard++ >= CALLS_UNTIL_SOUND;
    if (host.temper === 'deaf' && !isHeeded) return;
    if (host.temper === 'lying' && !isHeeded) {
      host.claimed = wanted;
      return;
    }
    delete host.claimed;
    if (host.power === wanted) return;
    host.power = wanted === 'On' ? 'PoweringOn' : 'PoweringOff';
    const ms = host.temper === 'slow' ? 20 * SECOND : SECOND;
    this.#simulation.later(ms + this.#simulation.random.int(ms), 'host', () => this.#arrive(name, host, wanted));
  }

  async #arrive(name: string, host: Host, wanted: 'On' | 'Off'): Promise<void> {
    host.power = wanted;
    this.#simulation.journal.note('host', () => `${name} is ${wanted}`);
    if (wanted === 'Off') return this.#fleet.turn(name, 'Unknown');
    this.#simulation.later(5 * SECOND + this.#simulation.random.int(10 * SECOND), 'host', () => this.#fleet.mend(name));
  }
}

export const isHostCall = ({ path }: Pick<ApiRequest, 'path'>): boolean => path.startsWith(PREFIX);

/** Calls of a process to hosts go over the simulated network, and meet the same faults there. */
export function simulatedBmc({ transport }: Pick<ReplicaEnv, 'transport'>): BmcClient {
  const send = async ({ address }: BmcAccess, method: 'GET' | 'POST', command = ''): Promise<unknown> => {
    const path = `${PREFIX}${new URL(address).hostname}${command}`;
    const answer = await transport.request({ method, path }).catch((error: unknown) => {
      throw new BmcError('Unreachable', messageOf(error), error);
    });
    if (answer.code !== 200) throw new BmcError('Refused', `${path}: ${answer.code}`);
    return answer.body;
  };
  return {
    powerOf: async (access) => (await send(access, 'GET')) as PowerState,
    async setPower(access, power, { isExpired } = {}) {
      if (isExpired?.() === true) return 'expired';
      await send(access, 'POST', `/${power}`);
      return 'sent';
    },
  };
}
