import type { Asker, Claim, Waiter } from './claim.ts';

/** Who waits, first come first served; who has leave already, or is named twice, is not in it twice. */
export function queueOf(waiting: readonly Waiter[], claims: readonly Claim[], asking?: Waiter): readonly Waiter[] {
  const served = new Set(claims.filter(isOpen).map(({ uid }) => uid));
  const byUid = new Map([...waiting, ...(asking ? [asking] : [])].map((waiter) => [waiter.uid, waiter]));
  return [...byUid.values()].filter(({ uid }) => !served.has(uid)).toSorted(inOrder);
}

/** A claim whose end is not on the ledger. */
export const isOpen = ({ endedAt }: Claim): boolean => endedAt === undefined;

/** Whether the asker's claim is on the ledger. */
export const isClaimed = (claims: readonly Claim[], { uid }: Pick<Asker, 'uid'>): boolean =>
  claims.some((claim) => claim.uid === uid && isOpen(claim));

/** By creation; of those of the same second, by name. */
const inOrder = (a: Waiter, b: Waiter): number => a.createdAt - b.createdAt || compare(a.key, b.key) || compare(a.uid, b.uid);

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
