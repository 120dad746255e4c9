import { DEEPEST_JSON, endOfString, isTooDeep, type JsonObject } from '../../base/index.ts';

/** The value of a body, or why it has none. */
export type JsonBody = { readonly kind: 'value'; readonly value: unknown } | { readonly kind: 'refused'; readonly why: string };

/**
 * Reads JSON as strictly as it has to be read from outside: a key that is there twice means one thing to one reader and another to the next, and a
 * number that no double can hold would silently become another one.
 */
export function readJson(text: string): JsonBody {
  if (isTooDeep(text)) return { kind: 'refused', why: `the body has more than ${DEEPEST_JSON} levels` };
  let value: unknown;
  try {
    value = JSON.parse(text) as unknown;
  } catch {
    return { kind: 'refused', why: 'the body is not JSON' };
  }
  const seen = survey(value, '');
  if (seen.infinite !== undefined) return { kind: 'refused', why: `${seen.infinite} is a number that is too large` };
  // Equal counts prove that no key was there twice, and cost a fraction of looking for one.
  if (seen.keys === countKeys(text)) return { kind: 'value', value };
  return { kind: 'refused', why: `the body has a key twice in one object: ${repeatedKey(text)}` };
}

interface Survey {
  readonly keys: number;
  /** The path of a number beyond what a double holds. */
  readonly infinite?: string;
}

function survey(value: unknown, path: string): Survey {
  if (value === Infinity || value === -Infinity) return { keys: 0, infinite: path || 'the body' };
  return typeof value === 'object' && value !== null ? surveyMembers(value as JsonObject, path) : { keys: 0 };
}

function surveyMembers(value: JsonObject, path: string): Survey {
  const isList = Array.isArray(value);
  const names = Object.keys(value);
  let keys = isList ? 0 : names.length;
  for (const name of names) {
    const member = value[name];
    // Most members of webhooks are texts, which hold neither keys nor numbers.
    if (typeof member === 'string') continue;
    const inside = survey(member, isList ? `${path}[${name}]` : [path, name].filter(Boolean).join('.'));
    if (inside.infinite !== undefined) return inside;
    keys += inside.keys;
  }
  return { keys };
}

const QUOTE = 0x22;
const COLON = 0x3a;

/** How many keys a text of valid JSON has: each is followed by a colon, and outside of strings there are no others. */
function countKeys(text: string): number {
  let keys = 0;
  for (let at = 0; at < text.length; at++) {
    const sign = text.charCodeAt(at);
    if (sign === QUOTE) at = endOfString(text, at);
    else if (sign === COLON) keys++;
  }
  return keys;
}

/** The first key that an object of a valid text has twice, as it is written there. */
function repeatedKey(text: string): string {
  const open: Set<string>[] = [];
  let last = '';
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    if (sign === '"') {
      const end = endOfString(text, at);
      last = text.slice(at, end + 1);
      at = end;
    } else if (sign === '{') open.push(new Set());
    else if (sign === '}') open.pop();
    else if (sign === ':') {
      const key = JSON.parse(last) as string;
      if (open.at(-1)?.has(key)) return last;
      open.at(-1)?.add(key);
    }
  }
  return '';
}
