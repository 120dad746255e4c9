import { Namespace } from '../api/builtin/index.ts';
import type { KubeObject } from '../api/meta.ts';
import { LABELS } from '../api/well-known.ts';
import type { Fetch } from '../kube/owner-chain.ts';
import type { Target } from './find-target.ts';

/** Whether a target may be worked on, and if not, why and what to do about it. */
export type Scope =
  { readonly kind: 'in' } | { readonly kind: 'out'; readonly message: string } | { readonly kind: 'unreadable'; readonly reason: string };

/** Namespaces that are ours. */
export interface OwnNamespaces {
  readonly namespace: string;
  readonly executionNamespace: string;
}

const CONTROL_PLANE = 'node-role.kubernetes.io/control-plane';

/** The target's own label decides, else its namespace's. Everything but a clear yes is a no. */
export async function scopeOf(target: Target, own: OwnNamespaces, fetch: Fetch): Promise<Scope> {
  const never = whyNever(target, own);
  if (never !== undefined) return { kind: 'out', message: never };
  const label = labelOf(target.object);
  if (label !== undefined) return judge(label, `${target.kind} ${target.name}`);
  if (target.namespace === '') return out(`${target.kind} ${target.name}`, 'label it');
  const read = await fetch(Namespace, { namespace: '', name: target.namespace });
  if (read.kind === 'unreadable') return { kind: 'unreadable', reason: `Namespace ${target.namespace}: ${read.reason}` };
  if (read.kind === 'absent') return { kind: 'out', message: `there is no namespace ${target.namespace}: check the labels of the alert` };
  return judge(labelOf(read.value), `namespace ${target.namespace}`);
}

/** What no label opens: a remediation there could take Sickbay or the cluster itself down. */
function whyNever({ namespace, object, name }: Target, own: OwnNamespaces): string | undefined {
  if (namespace === own.namespace || namespace === own.executionNamespace)
    return `namespace ${namespace} is Sickbay's own and never worked on`;
  if (namespace === 'kube-system') return 'namespace kube-system is never worked on';
  if (object?.metadata.labels?.[CONTROL_PLANE] !== undefined) return `node ${name} belongs to the control plane and is never worked on`;
  return undefined;
}

const labelOf = (object: KubeObject | undefined): string | undefined => object?.metadata.labels?.[LABELS.managed];

function judge(label: string | undefined, what: string): Scope {
  if (label === 'true') return { kind: 'in' };
  return label === undefined ? out(what, 'label it or the resource') : { kind: 'out', message: `${what} has ${LABELS.managed}=${label}` };
}

const out = (what: string, todo: string): Scope => ({
  kind: 'out',
  message: `${what} is not managed: ${todo} ${LABELS.managed}=true to have it remediated`,
});
