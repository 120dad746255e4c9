import type { JsonObject } from '../../base/index.ts';
import { invalidValue } from '../field-error.ts';
import type { Kind } from '../kinds/kind.ts';
import { jsonType } from '../metadata/json-type.ts';
import { badRequest, internal, invalid } from '../status-errors.ts';

/** Refuses a patch for its result. */
export const badPatch = (patched: unknown, why: string): Error =>
  invalid({ group: '', kind: '' }, '', [invalidValue('patch', JSON.stringify(patched), why)]);

/** Refuses a patch whose result cannot be read as an object of the kind. */
export function checkPatchedType(kind: Kind, name: string, patched: JsonObject): void {
  const apiVersion = textIn(patched, 'apiVersion');
  const given = textIn(patched, 'kind');
  if (kind.strategicMerge) checkBuiltin(kind, name, { patched, apiVersion, given });
  else checkCustom(patched, apiVersion, given);
}

/** A result without resourceVersion is an object of its kind, but cannot be stored. */
export function checkVersioned(kind: Kind, { apiVersion = '' }: JsonObject): void {
  if (!kind.strategicMerge && (apiVersion === '' || apiVersion === null))
    throw internal("Object 'apiVersion' is missing in 'object has no apiVersion field'");
}

function textIn(patched: JsonObject, field: 'apiVersion' | 'kind'): string {
  const value = patched[field] ?? '';
  if (typeof value === 'string') return value;
  throw badPatch(patched, `json parse error: json: cannot unmarshal ${jsonType(value)} into Go struct field .${field} of type string`);
}

interface Said {
  readonly patched: JsonObject;
  readonly apiVersion: string;
  readonly given: string;
}

function checkBuiltin(kind: Kind, name: string, { patched, apiVersion, given }: Said): void {
  if (apiVersion === '') throw badRequest(`the name of the object (${name} based on URL) was undeterminable: name must be provided`);
  if (apiVersion === kind.apiVersion && (given === '' || given === kind.kind)) return;
  throw badPatch(patched, `no kind ${JSON.stringify(given)} of version ${JSON.stringify(apiVersion)} can be converted to ${kind.kind}`);
}

function checkCustom(patched: JsonObject, apiVersion: string, given: string): void {
  if (patched.apiVersion === null) throw badPatch(patched, 'json: cannot unmarshal null into Go struct field .apiVersion of type string');
  if (given === '') throw badPatch(patched, `Object 'Kind' is missing in '${JSON.stringify(patched)}'`);
  if (apiVersion.split('/').length > 2) throw badPatch(patched, `unexpected GroupVersion string: ${apiVersion}`);
}
