import { isObject, toTime, type JsonObject } from '../../base/index.ts';
import type { ApiRequest } from '../../kube/client/transport.ts';
import { builtinKind } from '../kinds/builtin-kind.ts';
import type { Kind } from '../kinds/kind.ts';
import { draftOf, type Stored, type Work } from '../object.ts';
import { keyIn, type ApiAnswer, type ObjectTarget, type Server } from '../server.ts';
import { badRequest, notFound, unknownMethod } from '../status-errors.ts';
import { placeIn } from './create.ts';
import { deleteOptions, type ParsedDeleteOptions } from './delete-options.ts';
import { claimDisruption } from './disruption-budget.ts';
import { writeOptions } from './options.ts';
import { readObject } from './read-object.ts';
import { checkPreconditions, removeObject, type Removal } from './remove.ts';

const EVICTION: Kind = builtinKind({ group: 'policy', version: 'v1', kind: 'Eviction', plural: 'evictions', namespaced: true });

/** POST of a pod's eviction: deletes the pod, if its disruption budget allows it. */
export function handleEviction(server: Server, target: ObjectTarget, request: ApiRequest): ApiAnswer {
  const { kind, name, namespace } = target;
  if (request.method !== 'POST') throw unknownMethod();
  const options = optionsOf(target, request);
  const old = server.store.latest(server.store.table(kind.table), keyIn(namespace, name));
  if (!old) throw notFound(kind, name);
  const claimed = isGuarded(old) ? claimDisruption(server, old, options.dryRun) : undefined;
  const removed = removeMarked(server, kind, { old, options }).durable;
  const pending = [claimed, removed].filter((durable) => durable !== undefined);
  const body = Object.freeze({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 });
  return { code: 201, body, ...(pending.length > 0 && { durable: Promise.all(pending).then(() => undefined) }) };
}

function optionsOf({ name, namespace }: ObjectTarget, request: ApiRequest): ParsedDeleteOptions {
  const write = writeOptions(request.query ?? {}, 'CreateOptions');
  const { object } = readObject(EVICTION, request, write).decoded;
  placeIn(namespace, object);
  if (object.metadata.name !== name) throw badRequest('name in URL does not match name in Eviction object');
  const options = deleteOptions({}, object['deleteOptions'] ?? null);
  return { ...options, dryRun: write.dryRun || options.dryRun };
}

/** The eviction of a pod that is pending, has ended, or is terminating disrupts nothing. */
const isGuarded = ({ metadata, status }: Stored): boolean =>
  metadata.deletionTimestamp === undefined &&
  !['Pending', 'Succeeded', 'Failed'].includes(String((status as JsonObject | undefined)?.['phase']));

/** The condition is written before the deletion, so that watchers of the pod learn the reason. */
function removeMarked(server: Server, kind: Kind, { old, options }: Removal): ApiAnswer {
  checkPreconditions(kind, old, options);
  if (options.dryRun) return removeObject(server, kind, { old, options });
  const { namespace, name } = old.metadata;
  const marked = server.store.commit({
    table: server.store.table(kind.table),
    key: keyIn(namespace, name),
    object: disrupted(server, old),
  });
  return removeObject(server, kind, { old: marked.object, options: { ...options, resourceVersion: undefined } });
}

function disrupted({ clock }: Server, old: Stored): Work {
  const status = isObject(old['status']) ? old['status'] : {};
  const conditions = Array.isArray(status['conditions']) ? (status['conditions'] as readonly JsonObject[]) : [];
  const condition = {
    type: 'DisruptionTarget',
    status: 'True',
    lastProbeTime: null,
    lastTransitionTime: toTime(clock.now()),
    reason: 'EvictionByEvictionAPI',
    message: 'Eviction API: evicting',
  };
  const others = conditions.filter(({ type }) => type !== condition.type);
  return { ...draftOf(old), status: { ...status, conditions: [...others, condition] } };
}
