import type { ConfigMap } from '../../../api/builtin/index.ts';
import { after, instant, SECOND, type Instant } from '../../../base/index.ts';
import type { BudgetSettings } from '../../settings.ts';
import type { Claim, Waiter } from '../claim.ts';
import { formatClaims, ledgerKey } from '../ledger.ts';

export const NOW = instant(1_794_711_600_000);

/** Small enough to be used up in a table. */
export const SETTINGS: BudgetSettings = { running: { cluster: 3, namespace: 2, node: 1 }, perHour: { cluster: 6, namespace: 4 } };

/** Where a short name such as `a@shop` or `b@shop/n1` says that something is done. */
function placeOf(text: string): { readonly name: string; readonly namespace?: string; readonly node?: string } {
  const [name = '', where = ''] = text.split('@');
  const [namespace = '', node = ''] = where.split('/');
  return { name, ...(namespace && { namespace }), ...(node && { node }) };
}

/** One who waits: `a@shop/n1` wants to act in namespace shop and on node n1. Who comes later in the alphabet came later. */
export function aWaiter(text: string, createdAt?: Instant): Waiter {
  const { name, ...place } = placeOf(text);
  const since = createdAt ?? after(NOW, (name.charCodeAt(0) - 200) * SECOND);
  return { uid: `uid-${name}`, kind: 'WorkflowExecution', key: `sickbay-system/${name}`, target: text, ...place, createdAt: since };
}

/** A claim, made so long ago. */
export function aClaim(text: string, agoMs = 0, endedAt?: Instant): Claim {
  const { createdAt: _, ...asker } = aWaiter(text);
  return { ...asker, claimedAt: after(NOW, -agoMs), ...(endedAt === undefined ? {} : { endedAt }) };
}

/** The ledger as the server has it. */
export const aLedger = (claims: readonly Claim[], change: Partial<ConfigMap> = {}): ConfigMap => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { ...ledgerKey('sickbay-system'), uid: 'ledger-uid', resourceVersion: '9', creationTimestamp: '2026-11-15T00:00:00Z' },
  data: formatClaims(claims),
  ...change,
});
