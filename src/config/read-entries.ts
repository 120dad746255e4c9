import { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument, type Document, type Node, type Pair, type YAMLMap } from 'yaml';
import { CONFIG_KEYS, isSection, keyNamed, type ConfigKey } from './keys.ts';
import { closestKey } from './closest-key.ts';
import type { ConfigProblem, Position } from './problem.ts';
import { readSubtree, type Subtree } from './notifications/read-subtree.ts';
import { shown } from './value-forms.ts';

/** A line of the file: a known key, and what is written there. */
export interface Entry {
  readonly key: ConfigKey;
  readonly raw: unknown;
  readonly at: Position;
}

/** What a file says, as far as it can be understood. */
export interface Entries {
  readonly entries: readonly Entry[];
  readonly problems: readonly ConfigProblem[];
  /** The sections that are trees and no lists of keys, by their names. */
  readonly trees: Readonly<Partial<Record<TreeName, Subtree>>>;
}

const TREES = ['notifications', 'changeFreezes', 'maintenanceWindows'] as const;

/** A section that is a tree. */
export type TreeName = (typeof TREES)[number];

const treeNamed = (name: string): TreeName | undefined => TREES.find((tree) => tree === name.slice(0, 1).toLowerCase() + name.slice(1));

/** Finds the keys in a text of YAML, and all that is not one. */
export function readEntries(text: string): Entries {
  // A file that is being written is empty for a moment: that must not be taken for "everything as by default".
  if (text.trim() === '') return refused({ message: 'holds nothing: write {} where everything is to be as by default' });
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: false });
  const positionOf = (offset: number | undefined): Position => {
    const { line, col } = lines.linePos(offset ?? 0);
    return { line, column: col };
  };
  const wrong = [...document.errors, ...document.warnings];
  if (wrong.length > 0)
    return refused(...wrong.map(({ message, pos }) => ({ at: positionOf(pos[0]), message: `cannot be read as YAML: ${message}` })));
  return new Walk(document, positionOf).all();
}

const refused = (...problems: readonly ConfigProblem[]): Entries => ({ entries: [], problems, trees: {} });

/** One pass over the tree of the file. It goes no deeper than the sections that there are, so aliases cannot make it long. */
class Walk {
  readonly #document: Document;
  readonly #positionOf: (offset: number | undefined) => Position;
  readonly #found = new Map<ConfigKey, Entry>();
  readonly #problems: ConfigProblem[] = [];
  readonly #trees: Partial<Record<TreeName, Subtree>> = {};

  constructor(document: Document, positionOf: (offset: number | undefined) => Position) {
    this.#document = document;
    this.#positionOf = positionOf;
  }

  all(): Entries {
    const { contents } = this.#document;
    if (isMap(contents)) this.#section(contents, '');
    else if (contents && !isEmpty(contents))
      this.#problems.push({
        at: this.#at(contents),
        message: `is ${shown(rawOf(contents))}: wants keys and values, such as "dryRun: true"`,
      });
    return { entries: [...this.#found.values()], problems: this.#problems, trees: this.#trees };
  }

  #section(map: YAMLMap, prefix: string): void {
    for (const pair of map.items as readonly Pair<Node, Node | null>[]) {
      const at = this.#at(pair.key);
      if (isScalar(pair.key)) this.#key(`${prefix}${String(pair.key.value)}`, this.#resolved(pair.value), at);
      else this.#problems.push({ at, message: `${prefix || 'the file '}has a key that is no name: ${shown(rawOf(pair.key))}` });
    }
  }

  #key(name: string, value: Node | null, at: Position): void {
    const key = keyNamed(name);
    const tree = treeNamed(name);
    if (tree) this.#tree(tree, value, at);
    else if (key) this.#leaf(key, { name, raw: rawOf(value), at });
    else if (!isSection(name)) this.#problems.push({ at, key: name, message: unknown(name, rawOf(value)) });
    else if (isMap(value)) this.#section(value, `${name}.`);
    else if (!isEmpty(value))
      this.#problems.push({
        at,
        key: name,
        message: `${name} is ${shown(rawOf(value))}: wants the keys ${keysUnder(`${name}.`).join(', ')}`,
      });
  }

  #leaf(key: ConfigKey, { name, raw, at }: { readonly name: string; readonly raw: unknown; readonly at: Position }): void {
    const first = this.#found.get(key);
    if (!first) return void this.#found.set(key, { key, raw, at });
    const message = `${name} is ${shown(raw)}, but line ${first.at.line} says ${shown(first.raw)}: wants to be there once`;
    this.#problems.push({ at, key: key.key, message });
  }

  #tree(name: TreeName, value: Node | null, at: Position): void {
    if (this.#trees[name]) this.#problems.push({ at, key: name, message: `${name} is given twice: wants to be there once` });
    this.#trees[name] ??= readSubtree(name, value, { document: this.#document, at, positionOf: this.#positionOf });
  }

  #resolved(node: Node | null): Node | null {
    return isAlias(node) ? (node.resolve(this.#document) ?? null) : node;
  }

  #at(node: Node | null): Position {
    return this.#positionOf(node?.range?.[0]);
  }
}

/** A plain value, or an empty stand-in for a map or a list: what is in them is of no interest. */
function rawOf(node: Node | null): unknown {
  if (isScalar(node)) return node.value;
  return isMap(node) ? {} : isSeq(node) ? [] : null;
}

const isEmpty = (node: Node | null): boolean => node === null || (isScalar(node) && node.value === null);

function unknown(name: string, raw: unknown): string {
  const it = `${name} (${shown(raw)}) is not a key`;
  const meant = closestKey(name, [...CONFIG_KEYS.map(({ key }) => key), ...TREES]);
  if (meant !== undefined) return `${it}: did you mean ${meant}?`;
  const section = name.slice(0, name.lastIndexOf('.') + 1);
  return `${it}: ${section === '' ? 'there are' : `under ${section.slice(0, -1)} there are`} ${keysUnder(section).join(', ')}`;
}

/** The names one step below a section; the empty section is the file. */
function keysUnder(section: string): readonly string[] {
  const below = CONFIG_KEYS.map(({ key }) => key).filter((key) => key.toLowerCase().startsWith(section.toLowerCase()));
  return [...new Set(below.map((key) => key.slice(section.length).split('.')[0] ?? ''))];
}
