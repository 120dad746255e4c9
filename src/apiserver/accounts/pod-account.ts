import { isObject } from '../../base/index.ts';
import type { AdmissionRequest } from '../admission/admission.ts';
import type { Work } from '../object.ts';
import { keyIn } from '../server.ts';
import { forbidden } from '../status-errors.ts';
import type { VersionedStore } from '../store/store.ts';
import { DEFAULT_ACCOUNT } from './default-accounts.ts';

/** Changes an object before it is stored. */
export type Settle = (write: Omit<AdmissionRequest, 'user'>) => Work;

/**
 * Sets the account of pods that name none to their namespace's default, and refuses pods whose account does not exist, as a cluster's own admission does.
 * Tokens are not mounted: the local kubelet has no volumes.
 */
export const podAccounts =
  (store: VersionedStore): Settle =>
  ({ operation, target, object }) => {
    const { kind, namespace = '', subresource } = target;
    const { spec } = object;
    if (operation !== 'CREATE' || kind.table !== '/pods' || subresource !== undefined || !isObject(spec)) return object;
    const name = nameIn(spec.serviceAccountName);
    if (!store.latest(store.table('/serviceaccounts'), keyIn(namespace, name))) {
      const why = `error looking up service account ${namespace}/${name}: serviceaccount "${name}" not found`;
      throw forbidden(kind, object.metadata.name ?? '', why);
    }
    // serviceAccount is the deprecated name of serviceAccountName; both are always equal.
    return { ...object, spec: { ...spec, serviceAccountName: name, serviceAccount: name } };
  };

const nameIn = (given: unknown): string => (typeof given === 'string' && given !== '' ? given : DEFAULT_ACCOUNT);
