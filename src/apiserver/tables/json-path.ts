import { isObject } from '../../base/index.ts';

/** Finds values in an object; none where a part of the path is missing. */
export type JsonPath = (value: unknown) => readonly unknown[];

type Step = (values: readonly unknown[]) => readonly unknown[];

/** One alternative per form of a step; the filter is last since it may hold anything. */
const STEP =
  /^(?:\.\.(?<deep>(?:\\.|[^.[\\])+)|\.\*|(?<all>\[\*\])|\.(?<name>(?:\\.|[^.[\\])+)|\[(?<quote>['"])(?<quoted>(?:\\.|(?!\k<quote>).)*)\k<quote>\]|\[(?<index>-?\d+)\]|\[(?<from>-?\d*):(?<to>-?\d*)\]|\[\?\((?<filter>.*?)\)\])/;

/**
 * Reads the JSONPath of a printer column; undefined for an unsupported path.
 * @example jsonPath(".status.conditions[?(@.type=='Ready')].status")
 */
export function jsonPath(text: string): JsonPath | undefined {
  const steps: Step[] = [];
  for (let rest = text; rest !== '';) {
    const match = STEP.exec(rest);
    const step = match && stepOf(match.groups ?? {});
    if (!match || !step) return undefined;
    steps.push(step);
    rest = rest.slice(match[0].length);
  }
  return (value) => steps.reduce((values, step) => step(values), [value] as readonly unknown[]);
}

function stepOf({ deep, name, quoted, index, from, to, filter }: Readonly<Record<string, string | undefined>>): Step | undefined {
  const member = name ?? quoted;
  if (member !== undefined) return each((value) => memberOf(value, plain(member)));
  if (deep !== undefined) return each((value) => everywhere(value, plain(deep)));
  if (index !== undefined) return each((value) => itemAt(value, Number(index)));
  if (from !== undefined) return each((value) => (Array.isArray(value) ? slice(value, from, to ?? '') : []));
  return filter === undefined ? each(childrenOf) : filterStep(filter);
}

const each =
  (find: (value: unknown) => readonly unknown[]): Step =>
  (values) =>
    values.flatMap(find);

const plain = (text: string): string => text.replaceAll(/\\(.)/g, '$1');

const memberOf = (value: unknown, name: string): readonly unknown[] => (isObject(value) && Object.hasOwn(value, name) ? [value[name]] : []);

const itemAt = (value: unknown, index: number): readonly unknown[] => {
  const at = Array.isArray(value) && index < 0 ? value.length + index : index;
  return Array.isArray(value) && at >= 0 && at < value.length ? [value[at]] : [];
};

const slice = (items: readonly unknown[], from: string, to: string): readonly unknown[] =>
  items.slice(from === '' ? 0 : Number(from), to === '' ? items.length : Number(to));

const childrenOf = (value: unknown): readonly unknown[] => (typeof value === 'object' && value !== null ? Object.values(value) : []);

function everywhere(value: unknown, name: string): readonly unknown[] {
  return [...memberOf(value, name), ...childrenOf(value).flatMap((child) => everywhere(child, name))];
}

const COMPARISON = /^\s*@(?<path>[^=!<>]*?)\s*(?:(?<operator>==|!=|<=|>=|<|>)\s*(?<literal>.*?))?\s*$/;

/** `@.a.b == literal`, or `@.a.b` for items that have the member. */
function filterStep(text: string): Step | undefined {
  const { path, operator, literal } = COMPARISON.exec(text)?.groups ?? {};
  const find = path === undefined ? undefined : jsonPath(path);
  if (!find) return undefined;
  const wanted = operator === undefined ? undefined : literalOf(literal ?? '');
  const fits = (item: unknown): boolean => {
    const [found, ...others] = find(item);
    return others.length === 0 && (operator === undefined ? found !== undefined : compare(found, operator, wanted));
  };
  return each((value) => childrenOf(value).filter(fits));
}

function literalOf(text: string): unknown {
  const [, , quoted] = /^(['"])(.*)\1$/s.exec(text) ?? [];
  if (quoted !== undefined) return plain(quoted);
  if (text === 'true' || text === 'false') return text === 'true';
  return Number(text);
}

function compare(found: unknown, operator: string, wanted: unknown): boolean {
  if (found === undefined) return false;
  if (operator === '==') return found === wanted;
  if (operator === '!=') return found !== wanted;
  if (typeof found !== typeof wanted || (typeof found !== 'number' && typeof found !== 'string')) return false;
  const [a, b] = [found, wanted as typeof found];
  if (operator === '<') return a < b;
  if (operator === '<=') return a <= b;
  return operator === '>' ? a > b : a >= b;
}
