import { CronJob, DaemonSet, Deployment, Namespace, StatefulSet } from '../../../api/builtin/index.ts';
import type { KubeObject, ObjectKey } from '../../../api/meta.ts';
import type { Resource } from '../../../api/resource.ts';
import type { Fetch } from '../../../kube/objects/owner-chain.ts';
import type { Read } from '../../../kube/client/read.ts';
import type { Reader } from '../../../runtime/reconcile/controller.ts';
import { judgeScope, readNamespace, type OwnNamespaces, type Scope } from '../../../scope/index.ts';
import type { ChangedThing } from '../../change-windows/index.ts';
import { targetAddress, type Target } from '../../target/index.ts';

/**
 * The kinds whose metadata is watched, so that a new label unblocks the requests that wait for it. Other kinds are read from the server.
 */
export const SCOPE_KINDS: readonly Resource[] = [Namespace, Deployment, StatefulSet, DaemonSet, CronJob];

/** Where the scope is read from. */
export interface ScopeSource {
  readonly reader: Reader;
  /** Kinds that the controller watches, their metadata at least. */
  readonly followed: readonly Resource[];
}

/** Whether a target is managed. A target of a kind that Sickbay cannot read may have a label that forbids it, so it is never remediated. */
export async function readTargetScope(target: Target, own: OwnNamespaces, source: ScopeSource): Promise<Scope> {
  const fetch: Fetch = (resource, key) => read(resource, key, source);
  const place = { kind: target.kind, name: target.name, namespace: target.namespace ?? '' };
  const address = targetAddress(target);
  if (!address)
    return { kind: 'out', message: `${target.kind} ${target.name} is of a kind that Sickbay cannot read, and is never worked on` };
  const object = await fetch(address.resource, address.key);
  return judgeScope(place, { target: object, namespace: await readNamespace(place, object, fetch) }, own);
}

/** The labels of a target, over those of its namespace. What does not exist has none. */
export async function readTargetLabels(target: Target, source: ScopeSource): Promise<ChangedThing['labels']> {
  const address = targetAddress(target);
  const { namespace = '' } = target;
  const found = [
    ...(namespace === '' ? [] : [await read(Namespace, { namespace: '', name: namespace }, source)]),
    ...(address ? [await read(address.resource, address.key, source)] : []),
  ];
  const unreadable = found.find((one) => one.kind === 'unreadable');
  if (unreadable) return unreadable;
  return {
    kind: 'value',
    value: Object.assign({}, ...found.map((one) => (one.kind === 'value' ? one.value.metadata.labels : {}))) as Labels,
  };
}

type Labels = Readonly<Record<string, string>>;

/** Reads the cache for watched kinds, and the server for all others or where the cache cannot be read. */
async function read(resource: Resource, key: ObjectKey, { reader, followed }: ScopeSource): Promise<Read<KubeObject>> {
  const kept = followed.includes(resource) ? reader.get(resource, key) : undefined;
  return kept === undefined || kept.kind === 'unreadable' ? reader.fetch(resource, key) : kept;
}
