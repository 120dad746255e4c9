import { after, deepFreeze, sameJson, SECOND, toTime } from '../../base/index.ts';
import type { ApiRequest } from '../../kube/client/transport.ts';
import { CRD_CLEANUP } from '../kinds/crd.ts';
import type { Kind } from '../kinds/kind.ts';
import { draftOf, type Stored, type Work } from '../object.ts';
import { keyIn, type ApiAnswer, type ObjectTarget, type Server, type ApiTarget } from '../server.ts';
import { conflict, forbidden, methodNotAllowed, notFound } from '../status-errors.ts';
import { holdsContent } from './holds-content.ts';
import { handleList, selectedObjects } from './list.ts';
import { deleteOptions, type ParsedDeleteOptions } from './delete-options.ts';
import { markNamespace } from './mark-namespace.ts';
import { presenter } from './present.ts';

/** DELETE of one object: deleted at once, or marked for deletion while finalizers remain. */
export function handleDelete(server: Server, target: ObjectTarget, request: ApiRequest): ApiAnswer {
  const { kind, name, namespace } = target;
  if (target.subresource !== undefined) throw methodNotAllowed(kind, 'delete');
  const options = deleteOptions(request.query ?? {}, request.body);
  const stored = server.store.latest(server.store.table(kind.table), keyIn(namespace, name));
  if (!stored) throw notFound(kind, name);
  const answer = removeObject(server, kind, { old: kind.read(stored), options });
  const gone = (answer.body as { readonly kind: string }).kind === 'Status';
  return { ...answer, ...warned(kind, options), ...(!gone && { body: presenter(request)(answer.body as Stored) }) };
}

/** DELETE of a collection: each object on its own; objects deleted meanwhile are skipped. */
export function handleDeleteCollection(server: Server, target: ApiTarget, request: ApiRequest): ApiAnswer {
  const query = request.query ?? {};
  const options = deleteOptions(query, request.body);
  const answer = handleList(server, target, request);
  const removed = selectedObjects(server, target, query).map((old) => removeObject(server, target.kind, { old, options }).durable);
  const pending = removed.filter((durable) => durable !== undefined);
  return { ...answer, ...warned(target.kind, options), ...(pending.length > 0 && { durable: Promise.all(pending).then(() => undefined) }) };
}

const ORPHANS =
  'child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning';

/** A warning when dependents are orphaned by default, which is rarely intended. */
const warned = (kind: Kind, { propagation }: ParsedDeleteOptions): Pick<ApiAnswer, 'warnings'> =>
  kind.defaultPropagation === 'Orphan' && propagation === undefined ? { warnings: [ORPHANS] } : {};

/** The object to delete, and the options. */
export interface Removal {
  readonly old: Stored;
  readonly options: ParsedDeleteOptions;
}

/** Deletes an object that was read, under the preconditions of the options. */
export function removeObject(server: Server, kind: Kind, { old, options }: Removal): ApiAnswer {
  checkPreconditions(kind, old, options);
  if (kind.plural === 'namespaces' && PROTECTED.has(old.metadata.name))
    throw forbidden(kind, old.metadata.name, 'this namespace may not be deleted');
  const marked = mark(server, kind, { old, options });
  const table = server.store.table(kind.table);
  const key = keyIn(old.metadata.namespace, old.metadata.name);
  if (marked === 'gone') return removeAtOnce(server, kind, { old, options });
  if (marked === 'unchanged') return { code: 200, body: old };
  if (options.dryRun) return { code: 200, body: deepFreeze(marked) };
  const committed = server.store.commit({ table, key, object: kind.toStored(marked) });
  return { code: 200, body: kind.read(committed.object), durable: committed.durable };
}

/** A kind with a grace period is marked for deletion first, even with a period of zero, and watchers see that. */
function removeAtOnce(server: Server, kind: Kind, { old, options }: Removal): ApiAnswer {
  const isMarked = kind.grace === undefined || old.metadata.deletionTimestamp !== undefined;
  const last = isMarked ? old : (deepFreeze(markDeleted(server, draftOf(old), 0)) as Stored);
  const body = kind.showsDeleted ? last : success(kind, old);
  if (options.dryRun) return { code: 200, body };
  const table = server.store.table(kind.table);
  const key = keyIn(old.metadata.namespace, old.metadata.name);
  if (!isMarked) server.store.commit({ table, key, object: kind.toStored(draftOf(last)) });
  return { code: 200, body, durable: server.store.commit({ table, key, object: undefined }, last).durable };
}

const PROTECTED: ReadonlySet<string> = new Set(['default', 'kube-system', 'kube-public']);

/** Refuses with 409 when UID or resourceVersion differ from the preconditions. */
export function checkPreconditions(kind: Kind, { metadata }: Stored, { uid, resourceVersion }: ParsedDeleteOptions): void {
  const named = { ...kind, plural: kind.kind };
  if (uid !== undefined && uid !== metadata.uid) {
    const why = `the UID in the precondition (${uid}) does not match the UID in record (${metadata.uid}). The object might have been deleted and then recreated`;
    throw conflict(named, metadata.name, why);
  }
  if (resourceVersion !== undefined && resourceVersion !== metadata.resourceVersion) {
    const why = `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${metadata.resourceVersion}). The object might have been modified`;
    throw conflict(named, metadata.name, why);
  }
}

/** The object marked for deletion; `gone` when no finalizer is left, `unchanged` when it is marked already. */
function mark(server: Server, kind: Kind, { old, options }: Removal): Work | 'gone' | 'unchanged' {
  if (kind.plural === 'namespaces' && holdsContent(old)) return markNamespace(server, old, options);
  const finalizers = finalizersFor(kind, old, options);
  const grace = kind.grace?.(old, options.gracePeriodSeconds) ?? 0;
  if (finalizers.length === 0 && grace === 0) return 'gone';
  const object = withFinalizers(draftOf(old), finalizers);
  if (isSooner(old, grace)) return markDeleted(server, object, grace);
  return sameJson(object.metadata.finalizers, old.metadata.finalizers) ? 'unchanged' : object;
}

function withFinalizers(object: Work, finalizers: readonly string[]): Work {
  if (finalizers.length > 0) object.metadata.finalizers = finalizers;
  else delete object.metadata.finalizers;
  return object;
}

/** A first deletion, or one with a shorter grace period than the previous one. */
const isSooner = ({ metadata }: Stored, grace: number): boolean =>
  metadata.deletionTimestamp === undefined || grace < (metadata.deletionGracePeriodSeconds ?? 0);

function markDeleted(server: Server, object: Work, grace: number): Work {
  const { metadata } = object;
  if (metadata.deletionTimestamp === undefined && metadata.generation !== undefined) metadata.generation++;
  metadata.deletionTimestamp = toTime(after(server.clock.now(), grace * SECOND));
  metadata.deletionGracePeriodSeconds = grace;
  return object;
}

/** The finalizers of a deleted object: its own, and the garbage collector's for Foreground and Orphan. */
function finalizersFor(kind: Kind, { metadata }: Stored, { propagation }: ParsedDeleteOptions): readonly string[] {
  const given = metadata.finalizers ?? [];
  const own = given.filter((finalizer) => finalizer !== 'orphan' && finalizer !== 'foregroundDeletion');
  if (kind.defaultPropagation === undefined) return given;
  const policy =
    propagation ?? (given.includes('orphan') ? 'Orphan' : given.includes('foregroundDeletion') ? 'Foreground' : kind.defaultPropagation);
  const cleanup = kind.plural === 'customresourcedefinitions' && !own.includes(CRD_CLEANUP) ? [CRD_CLEANUP] : [];
  if (policy === 'Orphan') return [...own, ...cleanup, 'orphan'];
  return policy === 'Foreground' ? [...own, ...cleanup, 'foregroundDeletion'] : [...own, ...cleanup];
}

const success = (kind: Kind, { metadata }: Stored): object =>
  Object.freeze({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: { name: metadata.name, ...(kind.group !== '' && { group: kind.group }), kind: kind.plural, uid: metadata.uid },
  });
