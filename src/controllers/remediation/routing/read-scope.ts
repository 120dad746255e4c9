import { CronJob, DaemonSet, Deployment, Namespace, StatefulSet } from '../../../api/builtin/index.ts';
import type { KubeObject, ObjectKey } from '../../../api/meta.ts';
import type { Resource } from '../../../api/resource.ts';
import type { Fetch } from '../../../kube/objects/owner-chain.ts';
import type { Read } from '../../../kube/client/read.ts';
import type { Reader } from '../../../runtime/reconcile/controller.ts';
import { judgeScope, readNamespace, type OwnNamespaces, type Scope } from '../../../scope/index.ts';
import { targetAddress, type Target } from '../../target/index.ts';

/** The kinds whose metadata is worth following, so that a label that appears sets free what waits for it. Others are asked for. */
export const SCOPE_KINDS: readonly Resource[] = [Namespace, Deployment, StatefulSet, DaemonSet, CronJob];

/** Where the answer comes from. */
export interface ScopeSource {
  readonly reader: Reader;
  /** Kinds that the controller follows, their metadata at least. */
  readonly followed: readonly Resource[];
}

/** Whether a target may be worked on. What is of a kind that we cannot read may say no itself, so it is never worked on. */
export async function readScope(target: Target, own: OwnNamespaces, source: ScopeSource): Promise<Scope> {
  const fetch: Fetch = (resource, key) => read(resource, key, source);
  const place = { kind: target.kind, name: target.name, namespace: target.namespace ?? '' };
  const address = targetAddress(target);
  if (!address)
    return { kind: 'out', message: `${target.kind} ${target.name} is of a kind that Sickbay cannot read, and is never worked on` };
  const object = await fetch(address.resource, address.key);
  return judgeScope(place, { target: object, namespace: await readNamespace(place, object, fetch) }, own);
}

/** From the cache where it follows the kind and can; the server is asked for everything else. */
async function read(resource: Resource, key: ObjectKey, { reader, followed }: ScopeSource): Promise<Read<KubeObject>> {
  const kept = followed.includes(resource) ? reader.get(resource, key) : undefined;
  return kept === undefined || kept.kind === 'unreadable' ? reader.fetch(resource, key) : kept;
}
