import { LineCounter, parseDocument, type Document } from 'yaml';
import { isObject, messageOf } from '../../base/index.ts';
import type { BodyRepeats } from '../../kube/transport.ts';
import { badRequest } from '../status-errors.ts';

/** What a body's text says. */
export interface ReadBody {
  readonly value: unknown;
  /** Set when a field stands there more than once; its last value counts. */
  readonly repeats?: BodyRepeats;
}

/** Reads a body of JSON. */
export function readJson(text: string): ReadBody {
  const value = parsed(text);
  if (membersIn(value) === colonsIn(text)) return { value };
  const repeated = repeatedFields(text);
  const warnings = repeated.map((path) => `duplicate field ${JSON.stringify(path)}`);
  return { value, repeats: { warnings, summary: warnings.join(', ') } };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw badRequest(`the body of the request is not JSON: ${messageOf(error)}`);
  }
}

/** How many members a value has, at any depth. */
function membersIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) for (const item of value) count += membersIn(item);
  else for (const name in value) count += 1 + membersIn((value as Record<string, unknown>)[name]);
  return count;
}

/** How many members a text of valid JSON has: a colon outside of strings for each. More than its value has means repeats. */
function colonsIn(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === COLON) count++;
    else if (code === QUOTE) at = endOfString(text, at);
  }
  return count;
}

const QUOTE = 0x22;
const COLON = 0x3a;
const BACKSLASH = 0x5c;

/** Where the string that begins at `start` has its closing quote. */
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at > 0; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text.charCodeAt(at - 1 - slashes) === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return at;
  }
  return text.length;
}

interface Frame {
  /** Undefined in a list. */
  readonly seen: Set<string> | undefined;
  readonly path: string;
  index: number;
}

/** Paths of fields that stand more than once in their object, in the order of the text. Only for valid JSON. */
function repeatedFields(text: string): readonly string[] {
  const found = new Set<string>();
  const stack: Frame[] = [];
  let name = '';
  const here = (): string => {
    const top = stack.at(-1);
    if (!top) return '';
    return top.seen ? joined(top.path, name) : `${top.path}[${top.index}]`;
  };
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    const top = stack.at(-1);
    if (sign === '{' || sign === '[') stack.push({ seen: sign === '{' ? new Set() : undefined, path: here(), index: 0 });
    else if (sign === '}' || sign === ']') stack.pop();
    else if (sign === ',' && top) top.index++;
    else if (sign === '"') {
      const end = endOfString(text, at);
      if (top?.seen && isName(text, end)) {
        name = JSON.parse(text.slice(at, end + 1)) as string;
        if (top.seen.has(name)) found.add(here());
        top.seen.add(name);
      }
      at = end;
    }
  }
  return [...found];
}

const joined = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

const isName = (text: string, end: number): boolean => /^\s*:/.test(text.slice(end + 1, end + 64));

/** Reads a body of YAML, the JSON part of it. */
export function readYaml(text: string): ReadBody {
  const counter = new LineCounter();
  const document = parseDocument(text, { lineCounter: counter, uniqueKeys: false, merge: false, logLevel: 'silent' });
  const [wrong] = document.errors;
  if (wrong) throw badRequest(`the body of the request is not YAML: ${wrong.message.split('\n')[0] ?? ''}`);
  const value = plainValue(document);
  if (!isObject(value) && !Array.isArray(value)) return { value };
  const lines = repeatedKeys(document.contents, counter);
  return lines.length === 0
    ? { value }
    : { value, repeats: { warnings: lines, summary: `yaml: unmarshal errors:\n  ${lines.join('\n  ')}` } };
}

/** Aliases may multiply a short text into more than there is memory. */
function plainValue(document: Document): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 }) as unknown;
  } catch (error) {
    throw badRequest(`the body of the request is not YAML: ${messageOf(error)}`);
  }
}

interface YamlNode {
  readonly items?: readonly YamlNode[];
  readonly key?: { readonly value?: unknown; readonly range?: readonly number[] | null };
  readonly value?: unknown;
}

function repeatedKeys(node: unknown, counter: LineCounter): readonly string[] {
  const { items = [] } = (node ?? {}) as YamlNode;
  const seen = new Set<unknown>();
  return items.flatMap((item) => {
    const key = item.key?.value;
    const lines =
      item.key && seen.has(key)
        ? [`line ${counter.linePos(item.key.range?.[0] ?? 0).line}: key ${JSON.stringify(key)} already set in map`]
        : [];
    if (item.key) seen.add(key);
    return [...lines, ...repeatedKeys(item.key ? item.value : item, counter)];
  });
}
