import { LONGEST_ADDRESS, LONGEST_SYSTEM } from '../../../../api/power-cycle-remediation/power-cycle-remediation.ts';
import { clip, given } from '../../../../base/index.ts';
import { namedSystem, type BmcAccess } from '../../../../redfish/index.ts';
import type { HostFault } from '../observed.ts';
import type { PowerCycleStatus } from '../status.ts';

/** Which host it is, as status records it. It holds nothing secret. */
export type Host = NonNullable<PowerCycleStatus['host']>;

/** The host that a Secret points to, as Redfish addresses it, independent of the spelling in the Secret. */
export const hostOf = (access: Pick<BmcAccess, 'address' | 'system'>): Host => ({
  address: clip(access.address, LONGEST_ADDRESS),
  ...given({ system: pathOf(namedSystem(access)) }),
});

/** A trailing slash makes no difference. */
const pathOf = (path: string | undefined): string | undefined => path && clip(path.replace(/\/$/, ''), LONGEST_SYSTEM);

/** Whether both are the same host. Where one names no system, the address has only one system, which the other one then names. */
export const isSameHost = (one: Host, other: Host): boolean =>
  one.address === other.address && (one.system ?? other.system) === (other.system ?? one.system);

/** The host, for messages. */
export const hostText = ({ address = '', system = '' }: Host): string => `${address}${system}`;

/** Whether a host other than this one must still be switched on. Where status records no host, it is taken to be this one. */
export const owesAnotherHost = ({ switchOnOwed, host }: PowerCycleStatus = {}, now: Host): boolean =>
  switchOnOwed === true && host !== undefined && !isSameHost(host, now);

/** Reported instead of reading or switching a host while another one must still be switched on: that one would be forgotten. */
export const secretChangedFault = (owed: Host, now: Host): HostFault => ({
  fault: 'NoAccess',
  message:
    `the Secret now points to ${hostText(now)}, but ${hostText(owed)} was ordered to switch off and was not seen on since: ` +
    `point the Secret to it until it is on, or switch it on by hand, delete this request and remove its finalizer`,
});
