import { ConfigMap } from '../../api/builtin/index.ts';
import { after, type Instant } from '../../base/index.ts';
import { budgetState, ledgerKey, readLedger, type Ledger } from '../../controllers/budget/index.ts';
import type { Settings } from '../../controllers/settings.ts';
import type { KubeClient } from '../../kube/index.ts';
import { ask } from '../../kube/client/read-live.ts';
import type { Summary } from '../../server/index.ts';

type BudgetLeft = NonNullable<Summary['budget']>;

/** Pages ask for it after every change: the ledger is read again after so long. */
const BELIEVED_MS = 2_000;

export interface BudgetParts {
  readonly client: KubeClient;
  readonly settings: () => Settings;
  /** How many workflows run now. */
  readonly running: () => number;
  readonly now: () => Instant;
}

/** Reads how much may still be done; undefined while the ledger cannot be read. */
export function budgetReader({ client, settings, running, now }: BudgetParts): () => Promise<BudgetLeft | undefined> {
  let known: { readonly until: Instant; readonly ledger: Promise<Ledger> } | undefined;
  const ledger = async (): Promise<Ledger> => readLedger(await ask(() => client.get(ConfigMap, ledgerKey(settings().namespace))));
  return async () => {
    if (!known || now() >= known.until) known = { until: after(now(), BELIEVED_MS), ledger: ledger() };
    return budgetLeft(await known.ledger, { settings: settings(), running: running(), now: now() });
  };
}

interface Circumstances {
  readonly settings: Pick<Settings, 'budget'>;
  readonly running: number;
  readonly now: Instant;
}

/** The ledger as people read it; one that is not there yet means that nothing was done. */
export function budgetLeft(ledger: Ledger, { settings: { budget }, running, now }: Circumstances): BudgetLeft | undefined {
  if (ledger.kind === 'unreadable') return undefined;
  const claims = ledger.kind === 'claims' ? ledger.claims : [];
  const { startedInHour, allowed, paused } = budgetState({ claims, over: new Set(), waiting: [], settings: budget, now });
  return { startedInHour, perHour: allowed.perHour, running, runningLimit: allowed.running, ...(paused !== undefined && { paused }) };
}
