import { createHash } from 'node:crypto';
import { clip, isObject, sameJson, type JsonObject } from '../src/base/index.ts';
import { pointer } from './pointer.ts';

const LONGEST_LINE = 400;

/** What every write changes, or only the server writes. */
const NOT_SHOWN: ReadonlySet<string> = new Set(['/status', '/metadata/resourceVersion', '/metadata/generation', '/metadata/managedFields']);

/** The difference of two objects, two lines for each member: before and after. */
export function diff(before: unknown, after: unknown): readonly string[] {
  return differences(hidden(before), hidden(after), []);
}

function differences(before: unknown, after: unknown, path: readonly (string | number)[]): readonly string[] {
  const at = pointer(...path);
  if (NOT_SHOWN.has(at) || sameJson(before, after)) return [];
  if (isObject(before) && isObject(after)) {
    const members = [...new Set([...Object.keys(before), ...Object.keys(after)])].toSorted();
    return members.flatMap((member) => differences(before[member], after[member], [...path, member]));
  }
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length)
    return before.flatMap((item, index) => differences(item, after[index], [...path, index]));
  return [...line('-', at, before), ...line('+', at, after)];
}

const line = (sign: string, at: string, value: unknown): readonly string[] =>
  value === undefined ? [] : [clip(`${sign} ${at}: ${JSON.stringify(value)}`, LONGEST_LINE)];

/** People put passwords into environment variables and ConfigMaps. That such a value changes is shown, never the value. */
function hidden(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(hidden);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, hiddenMember(name, member)]));
}

function hiddenMember(name: string, member: unknown): unknown {
  if (name === 'env' && Array.isArray(member))
    return member.map((item: unknown) => (isObject(item) ? withoutTexts(item, ['value']) : item));
  if ((name === 'data' || name === 'binaryData') && isObject(member)) return withoutTexts(member, Object.keys(member));
  return hidden(member);
}

const withoutTexts = (object: JsonObject, members: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, members.includes(name) ? digestOf(value) : value]));

const digestOf = (value: unknown): unknown =>
  typeof value === 'string'
    ? `(${value.length} characters, sha256 ${createHash('sha256').update(value).digest('hex').slice(0, 12)})`
    : value;
