import { LONGEST_ADDRESS, LONGEST_SYSTEM } from '../../../../api/power-cycle-remediation/power-cycle-remediation.ts';
import { clip, given } from '../../../../base/index.ts';
import { namedSystem, type BmcAccess } from '../../../../redfish/index.ts';
import type { Trouble } from '../observed.ts';
import type { PowerCycleStatus } from '../status.ts';

/** Which host it is, as goes on record. Nothing of it is secret. */
export type Host = NonNullable<PowerCycleStatus['host']>;

/** The host that a Secret leads to, by what Redfish is asked for: however it is spelled there. */
export const hostOf = (access: Pick<BmcAccess, 'address' | 'system'>): Host => ({
  address: clip(access.address, LONGEST_ADDRESS),
  ...given({ system: pathOf(namedSystem(access)) }),
});

/** A slash at its end makes it no other. */
const pathOf = (path: string | undefined): string | undefined => path && clip(path.replace(/\/$/, ''), LONGEST_SYSTEM);

/** Whether both are one host. Where no system is named it is the only one at its address, so that whoever names one means that. */
export const isSameHost = (one: Host, other: Host): boolean =>
  one.address === other.address && (one.system ?? other.system) === (other.system ?? one.system);

/** For people. */
export const hostText = ({ address = '', system = '' }: Host): string => `${address}${system}`;

/** Whether something is owed to another host than this one. Where nobody wrote down which it is, it is taken to be this one. */
export const isOwedToAnother = ({ switchOnOwed, host }: PowerCycleStatus = {}, now: Host): boolean =>
  switchOnOwed === true && host !== undefined && !isSameHost(host, now);

/** What is said instead of asking or telling a host while another one is owed to be on: that would be forgotten. */
export const ledElsewhere = (owed: Host, now: Host): Trouble => ({
  fault: 'NoAccess',
  message:
    `the Secret leads to ${hostText(now)} now, but ${hostText(owed)} was told to switch off and was not seen on since: ` +
    'lead it back until that is on, or switch it on by hand, delete this request and take its finalizer off',
});
