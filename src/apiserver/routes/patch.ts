import { isObject, type JsonObject } from '../../base/index.ts';
import { ApiError } from '../../kube/client/errors.ts';
import type { ApiRequest } from '../../kube/client/transport.ts';
import { typeError } from '../kinds/custom-kind.ts';
import type { Decoded, Kind } from '../kinds/kind.ts';
import { jsonType } from '../metadata/json-type.ts';
import type { Stored } from '../object.ts';
import { jsonPatch, JsonPatchError } from '../patch/json-patch.ts';
import { mergePatch } from '../patch/merge-patch.ts';
import { strategicMergePatch } from '../patch/strategic-merge-patch.ts';
import { StrategicPatchError } from '../patch/strategic-patch-error.ts';
import { keyIn, type ApiAnswer, type ObjectTarget, type Server } from '../server.ts';
import { badRequest, notFound, patchRefused, tooMuch, unclassified, unsupportedMediaType } from '../status-errors.ts';
import { typeOfKind } from '../typed/typed-node.ts';
import { fieldFaults } from './field-faults.ts';
import { writeOptions } from './options.ts';
import { badPatch, checkPatchedType, checkVersioned } from './patched-type.ts';
import { presented } from './present.ts';
import { saveUpdate } from './save-update.ts';

const JSON_PATCH = 'application/json-patch+json';
const MERGE_PATCH = 'application/merge-patch+json';
const STRATEGIC_PATCH = 'application/strategic-merge-patch+json';

/** PATCH: changes an object, or its status, by one of the three patch forms. */
export function handlePatch(server: Server, target: ObjectTarget, request: ApiRequest): ApiAnswer {
  const { kind, name, namespace } = target;
  checkForm(kind, request);
  const options = writeOptions(request.query ?? {}, 'PatchOptions');
  const stored = server.store.latest(server.store.table(kind.table), keyIn(namespace, name));
  if (!stored) throw notFound(kind, name);
  const old = kind.read(stored);
  const patched = patchReader(kind, request)(old);
  if (!isObject(patched)) throw patchRefused();
  checkPatchedType(kind, name, patched);
  const { object, unknown } = decodePatched(kind, patched);
  checkVersioned(kind, patched);
  const { warnings, refusal } = fieldFaults(options, { repeats: request.repeats, unknown });
  if (refusal !== undefined) throw badPatch(patched, refusal);
  const answer = saveUpdate(server, target, { old, object, mistaken: typeError(kind, patched), isPatch: true }, options);
  return presented(answer, request, warnings);
}

const formsOf = ({ strategicMerge }: Kind): readonly string[] => [JSON_PATCH, MERGE_PATCH, ...(strategicMerge ? [STRATEGIC_PATCH] : [])];

function checkForm(kind: Kind, { contentType }: ApiRequest): void {
  const forms = formsOf(kind);
  if (!forms.includes(contentType ?? '')) throw unsupportedMediaType(forms);
}

/** What a patch makes of an object; throws for one that cannot be read. */
export function patchReader(kind: Kind, request: ApiRequest): (old: Stored) => unknown {
  checkForm(kind, request);
  const { contentType, body } = request;
  if (body === undefined) throw badRequest('error decoding patch: unexpected end of JSON input');
  if (contentType === JSON_PATCH) {
    const operations = operationsIn(body);
    return (old) => refusing(() => jsonPatch(old, operations));
  }
  if (Array.isArray(body) && request.query?.fieldValidation === 'Ignore') throw badPatch(body, "couldn't get version/kind");
  if (!isObject(body)) throw undecodable(body, 'map[string]interface {}');
  return (old) => refusing(() => (contentType === MERGE_PATCH ? mergePatch(old, body) : strategic(old, body)));
}

const undecodable = (value: unknown, type: string): Error =>
  badRequest(`error decoding patch: json: cannot unmarshal ${jsonType(value)} into Go value of type ${type}`);

const MOST_OPERATIONS = 10_000;

function checkOperation(operation: JsonObject): void {
  for (const field of ['op', 'path', 'from']) {
    const value = operation[field] ?? '';
    if (typeof value === 'string') continue;
    throw badRequest(
      `error decoding patch: json: cannot unmarshal ${jsonType(value)} into Go struct field jsonPatchOp.${field} of type string`,
    );
  }
}

function operationsIn(body: unknown): readonly JsonObject[] {
  if (body === null) return [];
  if (!Array.isArray(body)) throw undecodable(body, '[]handlers.jsonPatchOp');
  const odd: unknown = body.find((operation) => !isObject(operation) && operation !== null);
  if (odd !== undefined) throw undecodable(odd, 'handlers.jsonPatchOp');
  const operations = (body as readonly (JsonObject | null)[]).map((operation) => operation ?? {});
  operations.forEach(checkOperation);
  if (operations.length > MOST_OPERATIONS)
    throw tooMuch(`The allowed maximum operations in a JSON patch is ${MOST_OPERATIONS}, got ${operations.length}`);
  return operations;
}

/** A strategic patch never changes apiVersion and kind. */
function strategic(old: Stored, patch: JsonObject): JsonObject {
  const [version, group = ''] = old.apiVersion.split('/').toReversed();
  const patched = strategicMergePatch(old, patch, typeOfKind({ group, version: version!, kind: old.kind }));
  const own = (field: 'apiVersion' | 'kind'): unknown =>
    ['string', 'undefined'].includes(typeof patched[field]) ? old[field] : patched[field];
  return { ...patched, apiVersion: own('apiVersion'), kind: own('kind') };
}

/** A value that does not fit its type is reported as an error of the patch. */
function decodePatched(kind: Kind, patched: JsonObject): Decoded {
  try {
    return kind.decode({ ...patched, apiVersion: kind.apiVersion, kind: kind.kind });
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
