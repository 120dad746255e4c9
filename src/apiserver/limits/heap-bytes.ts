/**
 * About how much memory a value of JSON takes: more than its text where it has many small parts, such as a list of empty objects.
 * Limits on what the server holds count in it.
 */
export function heapBytes(value: unknown): number {
  if (typeof value === 'string') return STRING + (value.length <= SHORT ? value.length : Buffer.byteLength(value));
  if (typeof value !== 'object' || value === null) return SLOT;
  let bytes = CONTAINER;
  if (Array.isArray(value)) for (const item of value as readonly unknown[]) bytes += SLOT + heapBytes(item);
  else for (const key in value) bytes += MEMBER + key.length + heapBytes((value as Readonly<Record<string, unknown>>)[key]);
  return bytes;
}

const SLOT = 8;
const STRING = 24;
const CONTAINER = 48;
const MEMBER = 32;
/** Of a text up to here the length is near enough. */
const SHORT = 256;
