import { deepFreeze, isObject, type JsonObject } from '../../base/index.ts';
import type { ApiRequest } from '../../kube/client/transport.ts';
import { formatLabelSelector, labelRequirements } from '../../kube/selectors/index.ts';
import { invalidValue } from '../field-error.ts';
import { draftOf, type Stored, type Work } from '../object.ts';
import { keyIn, type ApiAnswer, type ObjectTarget, type Server } from '../server.ts';
import { badRequest, internal, invalid, methodNotAllowed, notFound, patchRefused } from '../status-errors.ts';
import { writeOptions } from './options.ts';
import { patchReader } from './patch.ts';
import { saveUpdate } from './save-update.ts';
import { scalePathsOf, type ScalePaths } from './scale-paths.ts';

const API_VERSION = 'autoscaling/v1';

/** The scale of an object: wanted and current replicas, whatever its kind calls them. */
export function handleScale(server: Server, target: ObjectTarget, request: ApiRequest): ApiAnswer {
  const { kind, name, namespace } = target;
  const paths = scalePathsOf(kind)!;
  const apply = changeOf(target, request);
  const table = server.store.table(kind.table);
  const stored = request.method === 'GET' ? table.get(keyIn(namespace, name)) : server.store.latest(table, keyIn(namespace, name));
  if (!stored) throw notFound(kind, name);
  const old = kind.read(stored);
  if (!apply) return { code: 200, body: scaleOf(old, paths) };
  const wanted = checked(apply(scaleOf(old, paths)), name);
  const object = rescaled(old, paths, wanted);
  const named = { ...target, subresource: undefined };
  const answer = saveUpdate(server, named, { old, object, isPatch: true }, writeOptions(request.query ?? {}, 'UpdateOptions'));
  return { ...answer, body: scaleOf(answer.body as Stored, paths) };
}

/** The new scale of a write; undefined for a read. */
function changeOf({ kind }: ObjectTarget, request: ApiRequest): ((old: Stored) => unknown) | undefined {
  switch (request.method) {
    case 'GET':
      return undefined;
    case 'PUT':
      return () => request.body;
    case 'PATCH':
      return patchReader(kind, request);
    case 'POST':
    case 'DELETE':
      throw methodNotAllowed(kind, request.method === 'POST' ? 'create' : 'delete');
  }
}

function scaleOf(object: Stored, paths: ScalePaths): Stored {
  const wanted = valueAt(object, paths.wanted);
  if (typeof wanted !== 'number') throw internal(`the spec replicas field ".${paths.wanted.join('.')}" does not exist`);
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const actual = valueAt(object, paths.actual);
  const selector = selectorOf(object, paths);
  return deepFreeze({
    kind: 'Scale',
    apiVersion: API_VERSION,
    metadata: { name, ...(namespace !== undefined && { namespace }), uid, resourceVersion, creationTimestamp },
    spec: wanted === 0 ? {} : { replicas: wanted },
    status: { replicas: typeof actual === 'number' ? actual : 0, ...(selector !== '' && { selector }) },
  });
}

function selectorOf(object: Stored, { selector, selectorIsText }: ScalePaths): string {
  const found = selector && valueAt(object, selector);
  if (selectorIsText) return typeof found === 'string' ? found : '';
  return isObject(found) ? formatLabelSelector(labelRequirements(found)) : '';
}

function valueAt(object: unknown, path: readonly string[]): unknown {
  return path.reduce((at, name) => (isObject(at) ? at[name] : undefined), object);
}

interface Wanted {
  readonly replicas: number;
  readonly resourceVersion: string | undefined;
}

function checked(scaled: unknown, name: string): Wanted {
  if (!isObject(scaled)) throw patchRefused();
  if (scaled['kind'] !== 'Scale' || scaled['apiVersion'] !== API_VERSION) {
    throw badRequest(`the scale of an object is written as a Scale of ${API_VERSION}`);
  }
  const named = textAt(scaled, ['metadata', 'name']);
  if (named !== undefined && named !== name) {
    throw badRequest(`the name of the object (${named}) does not match the name on the URL (${name})`);
  }
  return { replicas: replicasIn(scaled, name), resourceVersion: textAt(scaled, ['metadata', 'resourceVersion']) };
}

function textAt(object: unknown, path: readonly string[]): string | undefined {
  const found = valueAt(object, path);
  return typeof found === 'string' ? found : undefined;
}

function replicasIn(scaled: JsonObject, name: string): number {
  const replicas = valueAt(scaled, ['spec', 'replicas']) ?? 0;
  if (typeof replicas !== 'number' || !Number.isInteger(replicas)) throw badRequest('spec.replicas of a Scale must be a whole number');
  if (replicas >= 0) return replicas;
  const error = invalidValue('spec.replicas', replicas, 'must be greater than or equal to 0');
  throw invalid({ group: 'autoscaling', kind: 'Scale' }, name, [error]);
}

function rescaled(old: Stored, { wanted }: ScalePaths, { replicas, resourceVersion }: Wanted): Work {
  const object = draftOf(withValue(old, wanted, replicas) as Stored);
  if (resourceVersion !== undefined) object.metadata.resourceVersion = resourceVersion;
  return object;
}

function withValue(object: JsonObject, [name, ...rest]: readonly string[], value: unknown): JsonObject {
  const inner = object[name!];
  return { ...object, [name!]: rest.length === 0 ? value : withValue(isObject(inner) ? inner : {}, rest, value) };
}
