import { isObject, type JsonObject } from '../../base/index.ts';

/** Lists of built-in kinds that a strategic patch merges, with the member that tells their items apart. */
const MERGE_KEYS: Readonly<Record<string, string>> = {
  conditions: 'type',
  containers: 'name',
  initContainers: 'name',
  ephemeralContainers: 'name',
  env: 'name',
  volumes: 'name',
  volumeMounts: 'mountPath',
  imagePullSecrets: 'name',
  ownerReferences: 'uid',
  addresses: 'type',
  hostAliases: 'ip',
};

/** Lists of plain values that are merged as sets. */
const SETS: ReadonlySet<string> = new Set(['finalizers']);

/** A strategic patch that asks for something we do not know how to do. */
export class StrategicPatchError extends Error {
  override readonly name = 'StrategicPatchError';
}

/** Kubernetes' own merge: like RFC 7386, but the lists above are merged item by item, and `$patch` says what to do with one. */
export function strategicMergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  if (patch.$patch === 'replace') return without(patch);
  const result: Record<string, unknown> = isObject(target) ? { ...target } : {};
  for (const name in patch) mergeMember(result, name, patch);
  return result;
}

function mergeMember(result: Record<string, unknown>, name: string, patch: JsonObject): void {
  const value = patch[name];
  if (name.startsWith('$')) directive(result, name, value);
  else if (value === null) delete result[name];
  else if (Array.isArray(value)) result[name] = mergeList(name, result[name], value);
  else result[name] = isObject(value) ? strategicMergePatch(result[name], value) : value;
}

function directive(result: Record<string, unknown>, name: string, value: unknown): void {
  const [, list] = /^\$deleteFromPrimitiveList\/(.+)$/.exec(name) ?? [];
  if (name.startsWith('$setElementOrder/') || name === '$patch') return;
  if (list === undefined || !Array.isArray(value)) throw new StrategicPatchError(`unsupported directive ${name}`);
  const gone: readonly unknown[] = value;
  if (Array.isArray(result[list])) result[list] = (result[list] as readonly unknown[]).filter((item) => !gone.includes(item));
}

function mergeList(name: string, target: unknown, patch: readonly unknown[]): readonly unknown[] {
  const before: readonly unknown[] = Array.isArray(target) ? target : [];
  if (SETS.has(name)) return [...new Set([...patch, ...before])];
  const key = MERGE_KEYS[name];
  if (key === undefined || !patch.every(isObject)) return patch;
  if (patch.some((item) => item.$patch === 'replace')) return patch.filter((item) => item.$patch !== 'replace');
  return patch.reduce<readonly unknown[]>((list, item) => mergeItem(list, item, key), before);
}

function mergeItem(list: readonly unknown[], item: JsonObject, key: string): readonly unknown[] {
  const index = list.findIndex((other) => isObject(other) && other[key] === item[key]);
  if (item.$patch === 'delete') return index < 0 ? list : list.toSpliced(index, 1);
  return index < 0 ? [...list, without(item)] : list.with(index, strategicMergePatch(list[index], item));
}

const without = (item: JsonObject): JsonObject => Object.fromEntries(Object.entries(item).filter(([name]) => name !== '$patch'));
