import { isObject } from '../../base/index.ts';
import type { WorkMeta } from '../object.ts';

/** Decoded metadata as it is stored: without managedFields, and without empty members. */
export function storedMetadata(decoded: unknown): WorkMeta {
  const kept: Record<string, unknown> = {};
  if (!isObject(decoded)) return kept;
  for (const field in decoded) if (!DROPPED.has(field) && decoded[field] !== '' && decoded[field] !== 0) kept[field] = decoded[field];
  if (decoded.deletionGracePeriodSeconds === 0) kept.deletionGracePeriodSeconds = 0;
  return kept;
}

const DROPPED: ReadonlySet<string> = new Set(['managedFields', 'selfLink']);
