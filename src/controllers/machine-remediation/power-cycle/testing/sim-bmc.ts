import {
  BmcError,
  type BmcAccess,
  type BmcDoor,
  type BmcFault,
  type PowerState,
  type TellOptions,
  type Told,
} from '../../../../redfish/index.ts';

/** A host in memory, with its management controller. */
export interface SimHost {
  power: PowerState;
  /** What every question comes to, where it comes to nothing. */
  fault?: BmcFault;
  /** Hears commands and does not obey. */
  isStuck?: boolean;
  /** Commands that it heard, in order. */
  readonly heard: ('on' | 'off')[];
}

/** Hosts in memory, by the address in their Secrets. */
export class SimBmc implements BmcDoor {
  readonly #hosts = new Map<string, SimHost>();
  /** Told when it is asked for its power, or what it has to be asked before a command; it answers after that. */
  asked: () => void | Promise<void> = () => undefined;
  /** Told of every command before it is carried out. */
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

  async tell({ address }: BmcAccess, power: 'on' | 'off', { isTooLate }: TellOptions = {}): Promise<Told> {
    const host = this.host(address);
    if (host.fault) throw faulty(host.fault, address);
    await this.asked();
    if (isTooLate?.() === true) return 'too late';
    this.before(address, power);
    host.heard.push(power);
    if (!host.isStuck) host.power = power === 'on' ? 'On' : 'Off';
    return 'sent';
  }
}

const faulty = (fault: BmcFault, address: string): BmcError => new BmcError(fault, `asking ${address}: it is ${fault}`);
