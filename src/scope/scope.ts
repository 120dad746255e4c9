import { isControlPlaneNode, Namespace } from '../kube/builtin/index.ts';
import type { KubeObject } from '../api/meta.ts';
import { LABELS } from '../api/well-known.ts';
import type { Fetch } from '../kube/objects/owner-chain.ts';
import type { Read } from '../kube/client/read.ts';

/** Whether a target may be remediated, and if not, why and what to do about it. */
export type Scope =
  { readonly kind: 'in' } | { readonly kind: 'out'; readonly message: string } | { readonly kind: 'unreadable'; readonly reason: string };

/** Namespaces that are ours. */
export interface OwnNamespaces {
  readonly namespace: string;
  readonly executionNamespace: string;
}

/** How a target is called; its namespace is empty where the kind has none. */
export interface ScopePlace {
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
}

/** What the answer is based on: metadata of the target and of its namespace. */
export interface ScopeSeen {
  readonly target: Read<KubeObject>;
  readonly namespace: Read<KubeObject>;
}

/** The target's own label decides, else its namespace's. Only the value true is a yes; unreadable is neither yes nor no. */
export function judgeScope(place: ScopePlace, seen: ScopeSeen, own: OwnNamespaces): Scope {
  const never = whyNever(place, seen.target, own);
  if (never !== undefined) return { kind: 'out', message: never };
  const name = `${place.kind} ${place.name}`;
  if (seen.target.kind === 'unreadable') return { kind: 'unreadable', reason: `${name}: ${seen.target.reason}` };
  const label = labelOf(seen.target);
  if (label !== undefined) return judge(label, name);
  if (place.namespace === '') return out(name, 'label it');
  if (seen.namespace.kind === 'unreadable') return { kind: 'unreadable', reason: `Namespace ${place.namespace}: ${seen.namespace.reason}` };
  if (seen.namespace.kind === 'absent')
    return { kind: 'out', message: `there is no namespace ${place.namespace}: check the labels of the alert` };
  return judge(labelOf(seen.namespace), `namespace ${place.namespace}`);
}

/** The same, of a target that is known already; undefined when it does not exist. Its namespace is read only where it matters. */
export async function scopeOf(
  { object, ...place }: ScopePlace & { readonly object: KubeObject | undefined },
  own: OwnNamespaces,
  fetch: Fetch,
): Promise<Scope> {
  const target: Read<KubeObject> = object ? { kind: 'value', value: object } : { kind: 'absent' };
  return judgeScope(place, { target, namespace: await readNamespace(place, target, fetch) }, own);
}

/** The namespace of a target that has one and does not answer by itself; absent where it is not needed. */
export async function readNamespace(place: ScopePlace, target: Read<KubeObject>, fetch: Fetch): Promise<Read<KubeObject>> {
  const matters = place.namespace !== '' && target.kind !== 'unreadable' && labelOf(target) === undefined;
  return matters ? fetch(Namespace, { namespace: '', name: place.namespace }) : { kind: 'absent' };
}

const isOwnNamespace = (namespace: string, own: OwnNamespaces): boolean => [own.namespace, own.executionNamespace].includes(namespace);

/** Namespaces in which nothing is ever remediated, whatever their labels say: Sickbay's own, and that of the cluster itself. */
export const isProtectedNamespace = (namespace: string, own: OwnNamespaces): boolean =>
  namespace === 'kube-system' || isOwnNamespace(namespace, own);

/** What no label opens: a remediation there could take Sickbay or the cluster itself down. */
function whyNever({ kind, name, ...place }: ScopePlace, target: Read<KubeObject>, own: OwnNamespaces): string | undefined {
  const namespace = kind === Namespace.kind ? name : place.namespace;
  if (isOwnNamespace(namespace, own)) return `namespace ${namespace} is Sickbay's own and never worked on`;
  if (isProtectedNamespace(namespace, own)) return 'namespace kube-system is never worked on';
  const isControlPlane = target.kind === 'value' && isControlPlaneNode(target.value);
  return isControlPlane ? `node ${name} belongs to the control plane and is never remediated` : undefined;
}

const labelOf = (read: Read<KubeObject>): string | undefined =>
  read.kind === 'value' ? read.value.metadata.labels?.[LABELS.managed] : undefined;

function judge(label: string | undefined, what: string): Scope {
  if (label === 'true') return { kind: 'in' };
  return label === undefined ? out(what, 'label it or the resource') : { kind: 'out', message: `${what} has ${LABELS.managed}=${label}` };
}

const out = (what: string, todo: string): Scope => ({
  kind: 'out',
  message: `${what} is not managed: ${todo} ${LABELS.managed}=true to have it remediated`,
});
