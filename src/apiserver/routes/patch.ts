import { isObject, type JsonObject } from '../../base/index.ts';
import { ApiError } from '../../kube/errors.ts';
import type { ApiRequest } from '../../kube/transport.ts';
import type { Decoded, Kind } from '../kinds/kind.ts';
import { jsonType } from '../metadata/json-type.ts';
import type { Stored } from '../object.ts';
import { jsonPatch, JsonPatchError } from '../patch/json-patch.ts';
import { mergePatch } from '../patch/merge-patch.ts';
import { strategicMergePatch } from '../patch/strategic-merge-patch.ts';
import { StrategicPatchError } from '../patch/strategic-patch-error.ts';
import { keyIn, type Answer, type ObjectTarget, type Server } from '../server.ts';
import { badRequest, notFound, patchRefused, unclassified, unsupportedMediaType } from '../status-errors.ts';
import { typeOfKind } from '../typed/typed-node.ts';
import { fieldFaults } from './field-faults.ts';
import { writeOptions } from './options.ts';
import { badPatch, checkPatchedType } from './patched-type.ts';
import { presenter } from './present.ts';
import { saveUpdate } from './save-update.ts';

const JSON_PATCH = 'application/json-patch+json';
const MERGE_PATCH = 'application/merge-patch+json';
const STRATEGIC_PATCH = 'application/strategic-merge-patch+json';

/** PATCH: changes an object, or its status, by one of the three patch forms. */
export function patch(server: Server, target: ObjectTarget, request: ApiRequest): Answer {
  const { kind, name, namespace } = target;
  const options = writeOptions(request.query ?? {}, 'PatchOptions');
  const apply = patchReader(kind, request);
  const stored = server.store.latest(server.store.table(kind.table), keyIn(namespace, name));
  if (!stored) throw notFound(kind, name);
  const old = kind.read(stored);
  const patched = apply(old);
  if (!isObject(patched)) throw patchRefused();
  checkPatchedType(kind, name, patched);
  const { object, unknown } = decodePatched(kind, patched);
  const { warnings, refusal } = fieldFaults(options, { repeats: request.repeats, unknown });
  if (refusal !== undefined) throw badPatch(patched, refusal);
  const answer = saveUpdate(server, target, { old, object, isPatch: true }, options);
  return { ...answer, body: presenter(request)(answer.body as Stored), ...(warnings.length > 0 && { warnings }) };
}

/** Reads the patch before looking for the object, so that a bad one is refused either way. */
export function patchReader(kind: Kind, { contentType, body }: ApiRequest): (old: Stored) => unknown {
  if (contentType === JSON_PATCH) {
    if (!Array.isArray(body))
      throw badRequest(
        `error decoding patch: json: cannot unmarshal ${jsonType(body ?? null)} into Go value of type []handlers.jsonPatchOp`,
      );
    return (old) => refusing(() => jsonPatch(old, body));
  }
  const known = contentType === MERGE_PATCH || (contentType === STRATEGIC_PATCH && kind.strategicMerge);
  if (!known) throw unsupportedMediaType([JSON_PATCH, MERGE_PATCH, ...(kind.strategicMerge ? [STRATEGIC_PATCH] : [])]);
  if (!isObject(body))
    throw badRequest(
      `error decoding patch: json: cannot unmarshal ${jsonType(body ?? null)} into Go value of type map[string]interface {}`,
    );
  return (old) => refusing(() => (contentType === MERGE_PATCH ? mergePatch(old, body) : strategic(old, body)));
}

/** What an object is, a strategic patch does not change, whatever it says. */
function strategic(old: Stored, patch: JsonObject): JsonObject {
  const [version, group = ''] = old.apiVersion.split('/').toReversed();
  const patched = strategicMergePatch(old, patch, typeOfKind({ group, version: version!, kind: old.kind }));
  const own = (field: 'apiVersion' | 'kind'): unknown =>
    ['string', 'undefined'].includes(typeof patched[field]) ? old[field] : patched[field];
  return { ...patched, apiVersion: own('apiVersion'), kind: own('kind') };
}

/** What does not fit its type is the patch's fault. */
function decodePatched(kind: Kind, patched: JsonObject): Decoded {
  try {
    return kind.decode(patched);
  } catch (error) {
    if (error instanceof ApiError) throw badPatch(patched, error.message);
    throw error;
  }
}

function refusing<T>(apply: () => T): T {
  try {
    return apply();
  } catch (error) {
    if (error instanceof JsonPatchError) throw patchRefused();
    if (error instanceof StrategicPatchError) throw error.isMalformed ? badRequest(error.message) : unclassified(error.message);
    throw error;
  }
}
