import type { Secret } from '../api/builtin/index.ts';
import type { ObjectKey } from '../api/meta.ts';
import { LABELS } from '../api/well-known.ts';
import { messageOf } from '../base/index.ts';
import type { HttpConfig } from '../kube/http/http-config.ts';
import type { Read } from '../kube/client/read.ts';
import { readKubeconfig } from './kubeconfig.ts';

/** How a cluster is reached, or why it is not. */
export type Access =
  | { readonly kind: 'access'; readonly config: HttpConfig; readonly text: string }
  /** The Secret cannot be used: an earlier connection is not valid any more. */
  | { readonly kind: 'none'; readonly why: string }
  /** The Secret cannot be read: an earlier connection stays valid. */
  | { readonly kind: 'unknown'; readonly why: string };

/** Where Cluster API keeps the kubeconfig of a cluster. */
const KEY = 'value';
export const kubeconfigSecretOf = ({ namespace, name }: ObjectKey): ObjectKey => ({ namespace, name: `${name}-kubeconfig` });

export function clusterAccessIn(secret: Read<Secret>, cluster: ObjectKey): Access {
  const { namespace, name } = kubeconfigSecretOf(cluster);
  const there = `Secret ${namespace}/${name}`;
  if (secret.kind === 'unreadable') return { kind: 'unknown', why: `${there} cannot be read: ${secret.reason}` };
  if (secret.kind === 'absent') return { kind: 'none', why: `${there} does not exist` };
  const { metadata, data } = secret.value;
  const owner = metadata.labels?.[LABELS.clusterName];
  if (owner !== undefined && owner !== cluster.name)
    return { kind: 'none', why: `${there} belongs to the cluster ${owner}: its label ${LABELS.clusterName} says so` };
  const text = Buffer.from(data?.[KEY] ?? '', 'base64').toString();
  if (text.trim() === '') return { kind: 'none', why: `${there} has no key ${KEY} with a kubeconfig` };
  try {
    return { kind: 'access', config: readKubeconfig(text), text };
  } catch (error) {
    return { kind: 'none', why: `the kubeconfig in ${there} cannot be used: ${messageOf(error)}` };
  }
}
