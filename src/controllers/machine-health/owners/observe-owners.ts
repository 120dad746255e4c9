import { Lease } from '../../../api/builtin/index.ts';
import { Machine } from '../../../api/machine/machine.ts';
import { keyOf, type ObjectKey } from '../../../api/meta.ts';
import { after, HOUR, MINUTE, parseTime, type Instant } from '../../../base/index.ts';
import type { Read, Reader } from '../../../runtime/reconcile/controller.ts';
import type { Definitions } from '../other-controllers/managing-controller.ts';
import type { ActingOwners } from './acting-owners.ts';

/** Where Cluster API's controller keeps its leadership. */
export const CLUSTER_API_LEASE: ObjectKey = { namespace: 'capi-system', name: 'controller-leader-election-capi' };

/** A Lease is renewed every few seconds; clocks differ. */
const LEASE_COUNTS_MS = 5 * MINUTE;
/** Machines are written when they change, so a write counts for longer. */
const WRITE_COUNTS_MS = HOUR;

interface Where {
  readonly definitions: Definitions;
  /** Whether Sickbay's own owner of MachineSets runs. */
  readonly keepsMachineSets: boolean;
  readonly now: Instant;
}

/**
 * For which owners a controller is known to act, from live reads. With Sickbay's definitions only Sickbay keeps MachineSets, where that is
 * switched on. With Cluster API's, its controller must show life: by its Lease or, where that is kept elsewhere or cannot be read, by a
 * recent write to a Machine.
 */
export async function observeOwners(
  sample: Machine,
  reader: Pick<Reader, 'fetch'>,
  { definitions, keepsMachineSets, now }: Where,
): Promise<ActingOwners> {
  if (definitions === 'sickbay') return { machineSets: keepsMachineSets, controlPlanes: false };
  const lease: Read<Lease> = await reader.fetch(Lease, CLUSTER_API_LEASE);
  const acts = isHeld(lease, now) || (lease.kind !== 'value' && isWritten(await reader.fetch(Machine, keyOf(sample)), now));
  return { machineSets: acts, controlPlanes: acts };
}

const isRecent = (time: string | undefined, ms: number, now: Instant): boolean => {
  const at = parseTime(time);
  return at !== undefined && now < after(at, ms);
};

const isHeld = (read: Read<Lease>, now: Instant): boolean =>
  read.kind === 'value' && (read.value.spec?.holderIdentity ?? '') !== '' && isRecent(read.value.spec?.renewTime, LEASE_COUNTS_MS, now);

interface FieldManager {
  readonly manager?: string;
  readonly time?: string;
}

/** Cluster API's controllers sign as `capi-…`. */
function isWritten(read: Read<Machine>, now: Instant): boolean {
  if (read.kind !== 'value') return false;
  const { managedFields = [] } = read.value.metadata as { readonly managedFields?: readonly FieldManager[] };
  return managedFields.some(({ manager = '', time }) => manager.startsWith('capi-') && isRecent(time, WRITE_COUNTS_MS, now));
}
