/**
 * Takes over plain data of a caller: frozen parts are shared, the rest is copied, so that freezing what is stored
 * never freezes the caller's own objects.
 */
export function adopt<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  if (Array.isArray(value)) return value.map((item: unknown) => adopt(item)) as T;
  const copy: Record<string, unknown> = {};
  for (const key in value) if (value[key] !== undefined) copy[key] = adopt(value[key]);
  return copy as T;
}
