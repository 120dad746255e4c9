import type { JsonObject } from '../../base/index.ts';
import { invalidValue } from '../field-error.ts';
import type { Kind } from '../kinds/kind.ts';
import { jsonType } from '../metadata/json-type.ts';
import { badRequest, internal, invalid } from '../status-errors.ts';

/** Refuses a patch for what it makes of an object. */
export const badPatch = (patched: unknown, why: string): Error =>
  invalid({ group: '', kind: '' }, '', [invalidValue('patch', JSON.stringify(patched), why)]);

/** Refuses a patch that makes something else of an object than it is. */
export function checkPatchedType(kind: Kind, name: string, patched: JsonObject): void {
  for (const field of ['apiVersion', 'kind'] as const) {
    const given = patched[field];
    if (given !== undefined && typeof given !== 'string')
      throw badPatch(patched, `json parse error: json: cannot unmarshal ${jsonType(given)} into Go struct field .${field} of type string`);
  }
  if (kind.strategicMerge) checkBuiltin(kind, name, patched);
  else checkCustom(kind, name, patched);
}

function checkBuiltin(kind: Kind, name: string, patched: JsonObject): void {
  const { apiVersion, kind: given = kind.kind } = patched as { readonly apiVersion?: string; readonly kind?: string };
  if (apiVersion === undefined) throw badRequest(`the name of the object (${name} based on URL) was undeterminable: name must be provided`);
  if (apiVersion === kind.apiVersion && given === kind.kind) return;
  throw badPatch(patched, `no kind ${JSON.stringify(given)} of version ${JSON.stringify(apiVersion)} can be converted to ${kind.kind}`);
}

function checkCustom(kind: Kind, name: string, patched: JsonObject): void {
  const { apiVersion, kind: given } = patched as { readonly apiVersion?: string; readonly kind?: string };
  if (given === undefined) throw badPatch(patched, `Object 'Kind' is missing in '${JSON.stringify(patched)}'`);
  if (given !== kind.kind) throw invalid({ group: kind.group, kind: given }, name, [invalidValue('kind', given, `must be ${kind.kind}`)]);
  if (apiVersion === undefined) throw internal("Object 'apiVersion' is missing in 'object has no apiVersion field'");
  if (apiVersion.split('/').length > 2) throw badPatch(patched, `unexpected GroupVersion string: ${apiVersion}`);
  if (apiVersion !== kind.apiVersion) throw invalid(kind, name, [invalidValue('apiVersion', apiVersion, `must be ${kind.apiVersion}`)]);
}
