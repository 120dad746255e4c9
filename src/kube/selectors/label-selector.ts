import { entryOf } from '../../base/index.ts';
import type { LabelSelector } from '../../api/meta.ts';
import { labelKeyProblems, labelValueProblems } from './label-syntax.ts';
import { SelectorError } from './selector-error.ts';

export type LabelOperator = '=' | '!=' | 'in' | 'notin' | 'exists' | '!' | '>' | '<';

/** One term of a label selector; all terms of a selector must hold. */
export interface LabelRequirement {
  readonly key: string;
  readonly operator: LabelOperator;
  readonly values: readonly string[];
}

export type Labels = Readonly<Record<string, string>>;

/**
 * Reads the query form of a label selector.
 * @example parseLabelSelector('app in (web, db),!canary')
 */
export function parseLabelSelector(text: string): readonly LabelRequirement[] {
  const tokens = tokenise(text);
  const requirements: LabelRequirement[] = [];
  let at = 0;
  const peek = (): Token => tokens[at] ?? END;
  const take = (): Token => tokens[at++] ?? END;
  while (peek().kind !== 'end') {
    requirements.push(checked(readRequirement(peek, take)));
    const next = take();
    if (next.kind === 'end') break;
    if (next.kind !== ',') throw new SelectorError(`found '${next.text}', expected: ',' or 'end of string'`);
    if (peek().kind !== 'word' && peek().kind !== '!') throw new SelectorError(`found '${peek().text}', expected: identifier after ','`);
  }
  return requirements;
}

/** Whether labels satisfy every requirement. */
export const matchesLabels = (requirements: readonly LabelRequirement[], labels: Labels | undefined): boolean =>
  requirements.every((requirement) => holds(requirement, labels && entryOf(labels, requirement.key)));

/** The requirements of a metav1.LabelSelector; an empty one selects everything. */
export function labelRequirements(selector: LabelSelector): readonly LabelRequirement[] {
  const equal = Object.entries(selector.matchLabels ?? {}).map(([key, value]) => ({ key, operator: '=' as const, values: [value] }));
  const rest = (selector.matchExpressions ?? []).map((term) => ({
    key: term.key,
    operator: operatorNamed(term.operator),
    values: term.values ?? [],
  }));
  return [...equal, ...rest].map(checked);
}

/** The query form of requirements: the inverse of parseLabelSelector. */
export const formatLabelSelector = (requirements: readonly LabelRequirement[]): string => requirements.map(formatRequirement).join(',');

const BY_NAME: Readonly<Record<string, LabelOperator>> = { In: 'in', NotIn: 'notin', Exists: 'exists', DoesNotExist: '!' };

/** Definitions of other projects take any text as operator. */
function operatorNamed(name: string): LabelOperator {
  const operator = Object.hasOwn(BY_NAME, name) ? BY_NAME[name] : undefined;
  if (operator === undefined) throw new SelectorError(`${JSON.stringify(name)} is not a valid label selector operator`);
  return operator;
}

function formatRequirement({ key, operator, values }: LabelRequirement): string {
  if (operator === 'exists') return key;
  if (operator === '!') return `!${key}`;
  if (operator === 'in' || operator === 'notin') return `${key} ${operator} (${values.join(',')})`;
  return `${key}${operator}${values[0] ?? ''}`;
}

const holds = ({ operator, values }: LabelRequirement, value: string | undefined): boolean => HOLDS[operator](value, values);

const oneOf = (value: string | undefined, values: readonly string[]): boolean => value !== undefined && values.includes(value);
const noneOf = (value: string | undefined, values: readonly string[]): boolean => !oneOf(value, values);

const HOLDS: Readonly<Record<LabelOperator, (value: string | undefined, values: readonly string[]) => boolean>> = {
  '=': oneOf,
  in: oneOf,
  '!=': noneOf,
  notin: noneOf,
  exists: (value) => value !== undefined,
  '!': (value) => value === undefined,
  '>': (value, [limit]) => isWhole(value) && isWhole(limit) && BigInt(value) > BigInt(limit),
  '<': (value, [limit]) => isWhole(value) && isWhole(limit) && BigInt(value) < BigInt(limit),
};

const isWhole = (text: string | undefined): text is string => text !== undefined && /^[+-]?\d+$/.test(text);

interface Token {
  readonly kind: 'word' | '=' | '!=' | '!' | '(' | ')' | ',' | '>' | '<' | 'end';
  readonly text: string;
}

const END: Token = { kind: 'end', text: '' };

function tokenise(text: string): readonly Token[] {
  const tokens: Token[] = [];
  for (const [token] of text.matchAll(/==|!=|[=!(),<>]|[^\s=!(),<>]+/g)) tokens.push({ kind: kindOf(token), text: token });
  return tokens;
}

function kindOf(token: string): Token['kind'] {
  if (token === '==' || token === '=') return '=';
  return /^(!=|[!(),<>])$/.test(token) ? (token as Token['kind']) : 'word';
}

function readRequirement(peek: () => Token, take: () => Token): LabelRequirement {
  const isNegated = peek().kind === '!';
  if (isNegated) take();
  const { kind, text: key } = take();
  if (kind !== 'word') throw new SelectorError(`unable to parse requirement: found '${key}', expected: identifier`);
  if (isNegated) return { key, operator: '!', values: [] };
  if (peek().kind === 'end' || peek().kind === ',') return { key, operator: 'exists', values: [] };
  return { key, ...readComparison(peek, take) };
}

function readComparison(peek: () => Token, take: () => Token): Omit<LabelRequirement, 'key'> {
  const { kind, text } = take();
  if (text === 'in' || text === 'notin') return { operator: text, values: readValues(take) };
  if (kind === '=' || kind === '!=' || kind === '>' || kind === '<') return { operator: kind, values: [readValue(peek, take)] };
  throw new SelectorError(`unable to parse requirement: found '${text}', expected: in, notin, =, ==, !=, gt, lt`);
}

/** A value may be empty: `key=` selects the empty string. */
function readValue(peek: () => Token, take: () => Token): string {
  if (peek().kind === 'end' || peek().kind === ',') return '';
  const value = take();
  if (value.kind !== 'word') throw new SelectorError(`unable to parse requirement: found '${value.text}', expected: identifier`);
  return value.text;
}

function readValues(take: () => Token): readonly string[] {
  const open = take();
  if (open.kind !== '(') throw new SelectorError(`unable to parse requirement: found '${open.text}', expected: '('`);
  const values: string[] = [];
  let value = '';
  for (;;) {
    const token = take();
    if (token.kind === 'word' && value === '') value = token.text;
    else if (token.kind === ',' || token.kind === ')') {
      values.push(value);
      value = '';
    } else throw new SelectorError(`unable to parse requirement: found '${token.text}', expected: ',' or ')'`);
    if (token.kind === ')') return values;
  }
}

function checked(requirement: LabelRequirement): LabelRequirement {
  const { key, operator, values } = requirement;
  const problem = labelKeyProblems(key)[0];
  if (problem !== undefined)
    throw new SelectorError(`unable to parse requirement: <nil>: Invalid value: ${JSON.stringify(key)}: ${problem}`);
  if ((operator === '>' || operator === '<') && !isWhole(values[0])) {
    throw new SelectorError(
      `unable to parse requirement: values[0][${key}]: Invalid value: ${JSON.stringify(values[0])}: for 'Gt', 'Lt' operators, the value must be an integer`,
    );
  }
  if ((operator === 'in' || operator === 'notin') && values.length === 0) {
    throw new SelectorError(
      `unable to parse requirement: values: Invalid value: []: for 'in', 'notin' operators, values set can't be empty`,
    );
  }
  values.forEach((value, i) => {
    const wrong = labelValueProblems(value)[0];
    if (wrong !== undefined) {
      throw new SelectorError(`unable to parse requirement: values[${i}][${key}]: Invalid value: ${JSON.stringify(value)}: ${wrong}`);
    }
  });
  return requirement;
}
