import {
  BmcError,
  type BmcAccess,
  type BmcClient,
  type BmcFault,
  type PowerState,
  type SetPowerOptions,
  type SetPowerResult,
} from '../../../../redfish/index.ts';

/** A host in memory, with its management controller. */
export interface SimHost {
  power: PowerState;
  /** The fault of every request, where requests fail. */
  fault?: BmcFault;
  /** Receives commands and has no effect. */
  isStuck?: boolean;
  /** Commands that it received, in order. */
  readonly heard: ('on' | 'off')[];
}

/** Hosts in memory, by the address in their Secrets. */
export class SimBmc implements BmcClient {
  readonly #hosts = new Map<string, SimHost>();
  /** Called when its power is read, and before a command; the host answers after that. */
  asked: () => void | Promise<void> = () => undefined;
  /** Called for every command before it is carried out. */
  before: (address: string, power: 'on' | 'off') => void = () => undefined;

  host(address: string): SimHost {
    const known = this.#hosts.get(address);
    if (known) return known;
    const host: SimHost = { power: 'On', heard: [] };
    this.#hosts.set(address, host);
    return host;
  }

  async powerOf({ address }: BmcAccess): Promise<PowerState> {
    await this.asked();
    const { fault, power } = this.host(address);
    if (fault) throw faulty(fault, address);
    return power;
  }

  async setPower({ address }: BmcAccess, power: 'on' | 'off', { isExpired }: SetPowerOptions = {}): Promise<SetPowerResult> {
    const host = this.host(address);
    if (host.fault) throw faulty(host.fault, address);
    await this.asked();
    if (isExpired?.() === true) return 'expired';
    this.before(address, power);
    host.heard.push(power);
    if (!host.isStuck) host.power = power === 'on' ? 'On' : 'Off';
    return 'sent';
  }
}

const faulty = (fault: BmcFault, address: string): BmcError => new BmcError(fault, `asking ${address}: it is ${fault}`);
