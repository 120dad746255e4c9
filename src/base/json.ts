/** A JSON object whose members are not known. */
export type JsonObject = { readonly [key: string]: unknown };

export const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value);

/** A deep, mutable copy of plain JSON data. Several times as fast as structuredClone. */
export function clone<T>(value: T): Mutable<T> {
  if (typeof value !== 'object' || value === null) return value as Mutable<T>;
  if (Array.isArray(value)) return value.map((item: unknown) => clone(item)) as Mutable<T>;
  const copy: Record<string, unknown> = {};
  for (const key in value) setMember(copy, key, clone((value as JsonObject)[key]));
  return copy as Mutable<T>;
}

/** A member of JSON data. What every object inherits, such as `constructor`, is no member. */
export function ownMember(object: JsonObject, name: string): unknown {
  const value = object[name];
  return typeof value === 'function' || value === Object.prototype ? undefined : value;
}

/** The entry of a table that a text from outside names. */
export const entryOf = <T>(table: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;

/** Sets a member of any name. Plain assignment to `__proto__` would change what the object inherits. */
export function setMember(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__') Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  else object[key] = value;
}

export type Mutable<T> = T extends (...args: never[]) => unknown
  ? T
  : T extends readonly (infer Item)[]
    ? Mutable<Item>[]
    : T extends object
      ? { -readonly [K in keyof T]: Mutable<T[K]> }
      : T;

/** Freezes plain JSON data all the way down, so it can be shared without copies. Stops at what is frozen already. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const key in value) deepFreeze(value[key]);
  return Object.freeze(value);
}

/** Equality of JSON data. A member that is undefined equals one that is absent. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) return Array.isArray(a) && Array.isArray(b) && sameArray(a, b);
  return sameMembers(a as JsonObject, b as JsonObject);
}

const sameArray = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((item, i) => sameJson(item, b[i]));

function sameMembers(a: JsonObject, b: JsonObject): boolean {
  for (const key in a) if (!sameJson(a[key], member(b, key))) return false;
  for (const key in b) if (b[key] !== undefined && member(a, key) === undefined) return false;
  return true;
}

/** An object's own member: a label may be called `constructor`, which every object inherits. */
const member = (object: JsonObject, key: string): unknown => (Object.hasOwn(object, key) ? object[key] : undefined);
