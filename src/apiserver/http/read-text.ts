import { LineCounter, parseDocument, type Document, type ScalarTag } from 'yaml';
import { DEEPEST_JSON, endOfString, isDeeperThan, isObject, isTooDeep, messageOf } from '../../base/index.ts';
import type { BodyRepeats } from '../../kube/client/transport.ts';
import { badRequest } from '../status-errors.ts';
import { repeatedFields } from './repeated-fields.ts';

/** The content of a body. */
export interface ReadBody {
  readonly value: unknown;
  /** The fields that occur more than once; the last value counts. */
  readonly repeats?: BodyRepeats;
}

/** Reads a body of JSON. */
export function readJson(text: string): ReadBody {
  if (isTooDeep(text)) throw tooDeep();
  const value = parsed(text);
  if (membersIn(value) === colonsIn(text)) return { value };
  const repeated = repeatedFields(text);
  const warnings = repeated.map((path) => `duplicate field ${JSON.stringify(path)}`);
  return { value, repeats: { warnings, summary: warnings.join(', ') } };
}

const tooDeep = (): Error => badRequest(`the body of the request has more than ${DEEPEST_JSON} levels`);

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

/** Reads a body of YAML, the JSON part of it. */
export function readYaml(text: string): ReadBody {
  const counter = new LineCounter();
  const document = documentIn(text, counter);
  const [wrong] = document.errors;
  if (wrong) throw badRequest(`the body of the request is not YAML: ${wrong.message.split('\n')[0] ?? ''}`);
  const value = plainValue(document);
  if (isDeeperThan(value)) throw tooDeep();
  if (!isObject(value) && !Array.isArray(value)) return { value };
  const lines = repeatedKeys(document.contents, counter);
  return lines.length === 0
    ? { value }
    : { value, repeats: { warnings: lines, summary: `yaml: unmarshal errors:\n  ${lines.join('\n  ')}` } };
}

/** The parser calls itself for each level, which may be more than the stack bears. */
function documentIn(text: string, lineCounter: LineCounter): Document {
  try {
    return parseDocument(text, {
      lineCounter,
      uniqueKeys: false,
      merge: false,
      logLevel: 'silent',
      customTags: (tags) => [YES_OR_NO, ...tags],
    });
  } catch (error) {
    if (error instanceof RangeError) throw tooDeep();
    throw error;
  }
}

/** kube-apiserver reads YAML 1.1 in this. */
const YES_OR_NO: ScalarTag = {
  tag: 'tag:yaml.org,2002:bool',
  default: true,
  test: /^(?:y|Y|yes|Yes|YES|on|On|ON|n|N|no|No|NO|off|Off|OFF)$/,
  resolve: (text) => /^(?:y|on)/i.test(text),
};

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
