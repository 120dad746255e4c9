import { isObject, parseTime, type Instant, type JsonObject, ownMember } from '../../base/index.ts';
import { humanDuration } from './human-duration.ts';

/** Fields of objects for cells: a field that is missing or of another type reads as empty. */

/** @example fieldAt(pod, 'spec.nodeName') */
export function fieldAt(value: unknown, path: string): unknown {
  let at = value;
  for (const name of path.split('.')) at = isObject(at) ? ownMember(at, name) : undefined;
  return at;
}

export function textAt(value: unknown, path: string): string {
  const found = fieldAt(value, path);
  return typeof found === 'string' ? found : '';
}

/** The cell of an absent value. */
export const textOr = (value: unknown, path: string, absent: string): string => textAt(value, path) || absent;

export function countAt(value: unknown, path: string): number {
  const found = fieldAt(value, path);
  return typeof found === 'number' ? found : 0;
}

export function objectsAt(value: unknown, path: string): readonly JsonObject[] {
  const found = fieldAt(value, path);
  return Array.isArray(found) ? found.filter(isObject) : [];
}

export function mapAt(value: unknown, path: string): JsonObject {
  const found = fieldAt(value, path);
  return isObject(found) ? found : {};
}

/** The age of the time in a field. */
export function ageAt(value: unknown, path: string, now: Instant): string {
  const at = parseTime(textAt(value, path));
  return at === undefined ? '<unknown>' : humanDuration(now - at);
}

/** Whether the condition of the type is True. */
export const hasCondition = (value: unknown, type: string): boolean =>
  objectsAt(value, 'status.conditions').some((condition) => condition['type'] === type && condition['status'] === 'True');
