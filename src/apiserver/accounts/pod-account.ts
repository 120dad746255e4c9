import { isObject } from '../../base/index.ts';
import type { AdmissionRequest } from '../admission/admission.ts';
import type { Work } from '../object.ts';
import { keyIn } from '../server.ts';
import { forbidden } from '../status-errors.ts';
import type { Store } from '../store/store.ts';
import { DEFAULT_ACCOUNT } from './default-accounts.ts';

/** What becomes of an object that is to be written. */
export type Settle = (write: Omit<AdmissionRequest, 'user'>) => Work;

/**
 * Gives pods that name no account their namespace's own, and refuses those whose account is not there, as a cluster's own admission does.
 * Tokens are not mounted: the local kubelet has no volumes.
 */
export const podAccounts =
  (store: Store): Settle =>
  ({ operation, target, object }) => {
    const { kind, namespace = '', subresource } = target;
    const { spec } = object;
    if (operation !== 'CREATE' || kind.table !== '/pods' || subresource !== undefined || !isObject(spec)) return object;
    const name = nameIn(spec.serviceAccountName);
    if (!store.latest(store.table('/serviceaccounts'), keyIn(namespace, name))) {
      const why = `error looking up service account ${namespace}/${name}: serviceaccount "${name}" not found`;
      throw forbidden(kind, object.metadata.name ?? '', why);
    }
    // The second is the old name of the first, and always says the same.
    return { ...object, spec: { ...spec, serviceAccountName: name, serviceAccount: name } };
  };

const nameIn = (given: unknown): string => (typeof given === 'string' && given !== '' ? given : DEFAULT_ACCOUNT);
