import type { Node } from '../../../api/builtin/index.ts';
import type { Machine } from '../../../api/machine/machine.ts';
import type { PowerCycleRemediation } from '../../../api/power-cycle-remediation/power-cycle-remediation.ts';
import type { Read } from '../../../kube/client/read.ts';
import type { BmcFault, PowerState } from '../../../redfish/index.ts';
import type { SeenBudget } from '../../budget/index.ts';
import type { Settings } from '../../settings.ts';
import type { Host } from './host/host-identity.ts';

/** Nothing in this pass depends on it, so it was not read. Unlike `absent`, this says nothing about the cluster. */
export interface NotRead {
  readonly kind: 'not-read';
}

/** Everything that a decision about a request is based on. */
export interface PowerCycleSeen {
  readonly object: PowerCycleRemediation;
  readonly settings: Settings;
  readonly machine: Eligibility;
  /** The Node of the Machine. */
  readonly node: ObservedNode;
  /** The Node that status records as tainted out-of-service; absent where status records none. */
  readonly tainted: ObservedNode;
  readonly power: ObservedPower;
  /** The host that the Secret points to; set only where the Secret was read and is complete. */
  readonly host?: Host;
  /** Why the last power command was not carried out, as far as this process knows. */
  readonly commandFailure?: HostFault;
  /** Pods that still have to terminate on a Node that is out of service. */
  readonly pods: PodsOnNode;
  readonly budget: SeenBudget;
}

/** Whether the Machine may be power-cycled, from a live read. */
export type Eligibility =
  /** It reports that it fails its health check. */
  | { readonly kind: 'eligible'; readonly machine: Machine }
  | IneligibleMachine
  | { readonly kind: 'unreadable'; readonly reason: string }
  | NotRead;

/** The Machine must not be power-cycled. */
export interface IneligibleMachine {
  readonly kind: 'ineligible';
  readonly reason: IneligibleReason;
  readonly message: string;
}

export type IneligibleReason =
  'MachineMissing' | 'MachineHealthy' | 'MachineDeleting' | 'Paused' | 'NotJudged' | 'ControlPlane' | 'AskedElsewhere';

/** A Node of this cluster, absent also where the Machine names none; or that it belongs to another cluster. */
export type ObservedNode =
  | Read<Node>
  /** `unreadable` is why its health cannot be read there. */
  | { readonly kind: 'other-cluster'; readonly unreadable?: string };

/** Why a host's power cannot be read or changed. */
export interface HostFault {
  /** `TooLate`: the command expired before it could be sent. */
  readonly fault: BmcFault | 'NoAccess' | 'TooLate';
  readonly message: string;
}

export type ObservedPower = { readonly kind: 'state'; readonly state: PowerState } | ({ readonly kind: 'fault' } & HostFault) | NotRead;

export type PodsOnNode =
  { readonly kind: 'count'; readonly left: number } | { readonly kind: 'unreadable'; readonly reason: string } | NotRead;

/** States in which a command has an effect: a host in transition completes it or stops by itself. */
const COMMANDABLE_STATES: Readonly<Record<'on' | 'off', readonly PowerState[]>> = {
  on: ['Off', 'Paused'],
  off: ['On', 'PoweringOn', 'Paused'],
};

/** Whether the host reports a state in which the command may be sent. */
export const acceptsCommand = ({ power }: PowerCycleSeen, to: 'on' | 'off'): boolean =>
  power.kind === 'state' && COMMANDABLE_STATES[to].includes(power.state);

export const isOn = ({ power }: PowerCycleSeen): boolean => power.kind === 'state' && power.state === 'On';
export const isOff = ({ power }: PowerCycleSeen): boolean => power.kind === 'state' && power.state === 'Off';
