import { isObject, type JsonObject, ownMember, setMember } from '../../base/index.ts';

/** RFC 7386: members replace, nulls remove, objects are merged. Shares everything that the patch does not touch. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const result: Record<string, unknown> = isObject(target) ? { ...target } : {};
  for (const name in patch) mergeMember(result, name, patch);
  return result;
}

function mergeMember(result: Record<string, unknown>, name: string, patch: JsonObject): void {
  const value = patch[name];
  if (value === null) delete result[name];
  else if (value !== undefined) setMember(result, name, isObject(value) ? mergePatch(ownMember(result, name), value) : value);
}
