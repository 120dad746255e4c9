import { isMap, isPair, isScalar, isSeq, type Document, type Node } from 'yaml';
import { messageOf } from '../../base/index.ts';
import type { ConfigProblem, Position } from '../problem.ts';
import { pathText, type FieldPath } from '../field-reader.ts';

/** A part of the file as plain data. */
export interface Subtree {
  readonly raw: unknown;
  /** Where a field stands; where it is missing, the section that should have it. */
  at(path: FieldPath): Position;
  /** What is wrong before anything is made of it. */
  readonly problems: readonly ConfigProblem[];
}

interface Within {
  readonly document: Document;
  /** Where the section begins. */
  readonly at: Position;
  readonly positionOf: (offset: number | undefined) => Position;
}

/** Aliases that make the text longer than this are refused. */
const MOST_ALIASES = 100;

/** Makes plain data of a node. A key that stands twice is a problem: YAML would let the last one win without a word. */
export function readSubtree(name: string, node: Node | null, { document, at, positionOf }: Within): Subtree {
  const start = (path: FieldPath): Position => {
    const found = deepest(node, path.slice(1));
    return found === undefined ? at : positionOf(found);
  };
  try {
    const raw: unknown = node?.toJS(document, { maxAliasCount: MOST_ALIASES });
    return {
      raw,
      at: start,
      problems: duplicates(node, [name]).map((path) => ({ at: start(path), message: `${pathText(path)} stands there twice` })),
    };
  } catch (error) {
    return { raw: undefined, at: start, problems: [{ at, message: `${name} cannot be read as YAML: ${messageOf(error)}` }] };
  }
}

/** The offset of the last part of the path that is there. */
function deepest(node: Node | null, path: FieldPath, offset?: number): number | undefined {
  const [head, ...rest] = path;
  if (head === undefined) return offset;
  const { at, value } = stepInto(node, head);
  return value ? deepest(value, rest, at ?? offset) : (at ?? offset);
}

/** Where a part of a path stands, and what is under it. */
function stepInto(node: Node | null, part: string | number): { readonly at?: number | undefined; readonly value?: Node | null } {
  if (isMap(node)) {
    const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === part);
    return pair ? { at: (pair.key as Node).range?.[0], value: pair.value as Node | null } : {};
  }
  const item = isSeq(node) && typeof part === 'number' ? (node.items[part] as Node | undefined) : undefined;
  return item ? { at: item.range?.[0], value: item } : {};
}

/** The paths of keys that a map has twice. */
function duplicates(node: unknown, path: FieldPath): readonly FieldPath[] {
  if (isSeq(node)) return node.items.flatMap((item, index) => duplicates(item, [...path, index]));
  if (!isMap(node)) return [];
  const seen = new Set<string>();
  return node.items.flatMap((pair) => {
    if (!isPair(pair) || !isScalar(pair.key)) return [];
    const name = String(pair.key.value);
    const own: readonly FieldPath[] = seen.has(name) ? [[...path, name]] : [];
    seen.add(name);
    return [...own, ...duplicates(pair.value, [...path, name])];
  });
}
