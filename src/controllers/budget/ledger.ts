import { ConfigMap } from '../../api/builtin/index.ts';
import { keyOf, keyText, type ObjectKey } from '../../api/meta.ts';
import { BUDGET_LEDGER, LABELS } from '../../api/well-known.ts';
import { isObject, parseTime, toMicroTime } from '../../base/index.ts';
import type { Read } from '../../kube/client/read.ts';
import type { Effect } from '../../runtime/reconcile/controller.ts';
import type { Claim } from './claim.ts';

/** Finds the ledger among the ConfigMaps of its namespace. */
export const LEDGER_SELECTOR = `${LABELS.component}=budget`;

/** The one ledger of an installation. */
export const ledgerKey = (namespace: string): ObjectKey => ({ namespace, name: BUDGET_LEDGER });

/** What the ledger says. One that cannot be understood says nothing, least of all that nothing is claimed. */
export type Ledger =
  | { readonly kind: 'claims'; readonly claims: readonly Claim[]; readonly object: ConfigMap }
  | { readonly kind: 'absent' }
  | { readonly kind: 'unreadable'; readonly reason: string };

/** Reads the claims: one entry each, under the UID of who claimed; what it claimed earlier and gave back has the moment of that behind it. */
export function readLedger(read: Read<ConfigMap>): Ledger {
  if (read.kind === 'absent') return read;
  if (read.kind === 'unreadable') return { kind: 'unreadable', reason: `the budget's ledger cannot be read: ${read.reason}` };
  const object = read.value;
  const name = `the budget's ledger, ConfigMap ${keyText(keyOf(object))},`;
  if (object.metadata.deletionTimestamp !== undefined) return { kind: 'unreadable', reason: `${name} is being deleted` };
  if (object.immutable === true) return { kind: 'unreadable', reason: `${name} is immutable; delete it, and Sickbay creates it again` };
  const claims = Object.entries(object.data ?? {}).map(([uid, text]) => ({ uid, claim: parseClaim(uid, text) }));
  const garbled = claims.find(({ claim }) => claim === undefined);
  if (garbled) return { kind: 'unreadable', reason: `${name} has an entry ${garbled.uid} that makes no sense; repair or remove it` };
  return { kind: 'claims', claims: claims.flatMap(({ claim }) => claim ?? []), object };
}

/** Makes a ledger without claims. */
export const createLedger = (namespace: string): Effect => ({
  kind: 'Create',
  resource: ConfigMap,
  object: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { ...ledgerKey(namespace), labels: { [LABELS.component]: 'budget' } } },
});

/** Writes the claims, if the ledger is still exactly the one that was read; else nothing happens, nor does what was to follow. */
export const writeLedger = (object: ConfigMap, claims: readonly Claim[]): Effect => ({
  kind: 'Patch',
  resource: ConfigMap,
  key: keyOf(object),
  uid: object.metadata.uid,
  resourceVersion: object.metadata.resourceVersion,
  operations: [{ op: 'add', path: '/data', value: formatClaims(claims) }],
});

/** The entries as they are stored. */
export const formatClaims = (claims: readonly Claim[]): Readonly<Record<string, string>> =>
  Object.fromEntries(claims.map((claim) => [claim.uid, formatClaim(claim)]));

function formatClaim(claim: Claim): string {
  const { uid: _, claimedAt, endedAt, ...asker } = claim;
  return JSON.stringify({
    ...asker,
    claimedAt: toMicroTime(claimedAt),
    ...(endedAt === undefined ? {} : { endedAt: toMicroTime(endedAt) }),
  });
}

/** Members that we do not know are kept: a later version may have written them. */
function parseClaim(uid: string, text: string): Claim | undefined {
  const entry = parseEntry(text);
  if (!entry) return undefined;
  const { claimedAt, endedAt, ...asker } = entry;
  const [claimed, ended] = [parseTime(claimedAt), parseTime(endedAt)];
  if (claimed === undefined || (endedAt !== undefined && ended === undefined)) return undefined;
  return { ...asker, uid, claimedAt: claimed, ...(ended === undefined ? {} : { endedAt: ended }) };
}

/** A claim as it is stored. */
type Entry = Omit<Claim, 'uid' | 'claimedAt' | 'endedAt'> & { readonly claimedAt: string; readonly endedAt?: string };

/** Without these it cannot be known whose claim it is, and whether its work has ended. */
const DEMANDED: readonly (keyof Entry)[] = ['kind', 'key', 'target', 'claimedAt'];

function parseEntry(text: string): Entry | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isEntry(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const isEntry = (value: unknown): value is Entry =>
  isObject(value) &&
  DEMANDED.every((member) => Object.hasOwn(value, member)) &&
  Object.values(value).every((member) => typeof member === 'string');
