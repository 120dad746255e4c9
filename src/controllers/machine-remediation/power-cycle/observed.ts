import type { Node } from '../../../api/builtin/index.ts';
import type { Machine } from '../../../api/machine/machine.ts';
import type { PowerCycleRemediation } from '../../../api/power-cycle-remediation/power-cycle-remediation.ts';
import type { BmcFault, PowerState } from '../../../redfish/index.ts';
import type { SeenBudget } from '../../budget/index.ts';
import type { Settings } from '../../settings.ts';
import type { Host } from './host/host-identity.ts';

/** What a decision about a request rests on. */
export interface PowerCycleSeen {
  readonly object: PowerCycleRemediation;
  readonly settings: Settings;
  readonly machine: Standing;
  /** The Node of the Machine. */
  readonly node: NodeSeen;
  /** The Node that was marked as out of service, where that is on record. */
  readonly tainted: NodeSeen;
  readonly power: SeenPower;
  /** The host that the Secret leads to; looked at only where its power is wanted. */
  readonly host?: Host;
  /** What kept the last command from being carried out, as far as this process knows. */
  readonly trouble?: Trouble;
  /** Pods that have yet to leave a Node that is out of service; looked at only then. */
  readonly pods: PodsLeft;
  readonly budget: SeenBudget;
}

/** Whether the Machine is to be acted upon, on the server's word. */
export type Standing =
  /** It says itself that it fails its health check. */
  { readonly kind: 'ill'; readonly machine: Machine } | LeftMachine | { readonly kind: 'unreadable'; readonly why: string };

/** It must be left alone. */
export interface LeftMachine {
  readonly kind: 'left';
  readonly reason: LeftAlone;
  readonly why: string;
}

export type LeftAlone =
  'MachineMissing' | 'MachineHealthy' | 'MachineDeleting' | 'Paused' | 'NotJudged' | 'ControlPlane' | 'AskedElsewhere';

export type NodeSeen =
  | { readonly kind: 'there'; readonly node: Node }
  /** None is named, or it is gone. */
  | { readonly kind: 'none' }
  /** It is in another cluster than this one; `unseen` is why nobody can tell there whether it is well again. */
  | { readonly kind: 'elsewhere'; readonly unseen?: string }
  | { readonly kind: 'unreadable'; readonly why: string };

/** What stands between us and the power of a host. */
export interface Trouble {
  /** `TooLate` is that a command was not sent, as all that comes before it took too long. */
  readonly fault: BmcFault | 'NoAccess' | 'TooLate';
  readonly message: string;
}

export type SeenPower =
  { readonly kind: 'state'; readonly state: PowerState } | ({ readonly kind: 'fault' } & Trouble) | { readonly kind: 'unasked' };

export type PodsLeft =
  { readonly kind: 'count'; readonly left: number } | { readonly kind: 'unreadable'; readonly why: string } | { readonly kind: 'unasked' };

/** States in which telling it is of use: one that is on its way gets there, or stops by itself. */
const TELLABLE: Readonly<Record<'on' | 'off', readonly PowerState[]>> = { on: ['Off', 'Paused'], off: ['On', 'PoweringOn', 'Paused'] };

/** Whether it says that it is in a state in which it may be told. */
export const mayTell = ({ power }: PowerCycleSeen, to: 'on' | 'off'): boolean =>
  power.kind === 'state' && TELLABLE[to].includes(power.state);

export const isOn = ({ power }: PowerCycleSeen): boolean => power.kind === 'state' && power.state === 'On';
export const isOff = ({ power }: PowerCycleSeen): boolean => power.kind === 'state' && power.state === 'Off';
