import { keyIn } from '../server.ts';
import type { VersionedStore } from '../store/store.ts';

/** The account that every namespace has; pods that name none use it. */
export const DEFAULT_ACCOUNT = 'default';

/** Keeps an account named `default` in every namespace, as a cluster's own controller does. */
export interface AccountKeeper {
  /** Creates missing accounts; costs nothing until a namespace is created or such an account is deleted. */
  keep(): void;
}

/** `create` creates the account of a namespace. */
export function createAccountKeeper(store: VersionedStore, create: (namespace: string) => void): AccountKeeper {
  const [namespaces, accounts] = [store.table('/namespaces'), store.table('/serviceaccounts')];
  const doubtful = new Set(namespaces.keys());
  store.onChange((table, { key, after }) => {
    if (table === namespaces && after) doubtful.add(key);
    if (table === accounts && !after && key.endsWith(`/${DEFAULT_ACCOUNT}`)) doubtful.add(key.slice(0, -DEFAULT_ACCOUNT.length - 1));
  });
  const isMissing = (namespace: string): boolean => {
    const found = store.latest(namespaces, namespace);
    if (!found || found.metadata.deletionTimestamp !== undefined) return false;
    return store.latest(accounts, keyIn(namespace, DEFAULT_ACCOUNT)) === undefined;
  };
  return {
    keep() {
      if (store.isReadOnly) return;
      for (const namespace of doubtful) {
        doubtful.delete(namespace);
        if (isMissing(namespace)) create(namespace);
      }
    },
  };
}
