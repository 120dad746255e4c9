import { compilePattern } from './patterns.ts';

/**
 * The cost limits: that of one rule is kube-apiserver's; that of all rules of one request a quarter of it (10,000,000), since the server answers nobody
 * else meanwhile, and a step takes longer here. A step of an evaluation costs 1, and a text or list that a function
 * or operator works on a tenth of its length.
 */
const MOST_PER_RULE = 1_000_000;
const MOST_PER_REQUEST = 2_500_000;

/** Why an evaluation stopped; made once, since it may be thrown very often while the loops around it end. */
const EXCEEDED = new Error('operation cancelled: actual cost limit exceeded');

/** What the rules of one request may still cost. */
export interface CelBudget {
  left: number;
}

export const newBudget = (): CelBudget => ({ left: MOST_PER_REQUEST });

/** How an evaluation ended: with a value, an error in it, or stopped since it cost too much. */
export type CelOutcome =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'too costly'; readonly why: 'rule' | 'request' };

/** A part of a parsed expression, of which the library says little in its types. */
interface AstNode {
  readonly op: string;
  readonly args: unknown;
  readonly meta: object;
  evaluate: Evaluate;
}

type Evaluate = (evaluator: { run(node: AstNode, context: unknown): unknown }, node: AstNode, context: unknown) => unknown;

/** Spends what an evaluation costs; throws once it is more than it may. */
class Meter {
  left = 0;

  spend(cost: number): void {
    this.left -= cost;
    if (this.left < 0) throw EXCEEDED;
  }
}

/** A parsed expression. */
export interface Parsed {
  (variables: object): unknown;
  readonly ast: unknown;
}

/** An expression that counts what its evaluation costs, and whose patterns run on RE2. */
export function metered(run: Parsed): (variables: object, budget: CelBudget) => CelOutcome {
  const meter = new Meter();
  for (const [node, parent] of nodesOf(run.ast)) meterNode(node, parent, meter);
  return (variables, budget) => {
    const allowed = Math.min(MOST_PER_RULE, budget.left);
    meter.left = allowed;
    let outcome: CelOutcome;
    try {
      outcome = { kind: 'value', value: run(variables) };
    } catch (error) {
      outcome = { kind: 'failed', error };
    }
    budget.left -= allowed - Math.max(0, meter.left);
    // Operators such as || and macros such as all() go on after an error; what they make of this one is no result.
    if (meter.left >= 0) return outcome;
    return { kind: 'too costly', why: allowed < MOST_PER_RULE ? 'request' : 'rule' };
  };
}

/** The patterns that stand in an expression as they are, to be checked before it is ever evaluated. */
export const literalPatterns = (ast: unknown): readonly string[] =>
  nodesOf(ast).flatMap(([node]) => {
    const pattern = PATTERN_FUNCTIONS.has(nameOf(node)) ? argumentOf(node) : undefined;
    return pattern?.op === 'value' && typeof pattern.args === 'string' ? [pattern.args] : [];
  });

const PATTERN_FUNCTIONS: ReadonlySet<string> = new Set(['matches', 'find', 'findAll']);

/** A method's name; empty for everything else. */
const nameOf = ({ op, args }: AstNode): string => (op === 'rcall' && Array.isArray(args) ? String(args[0]) : '');

const receiverOf = ({ args }: AstNode): AstNode => (args as readonly AstNode[])[1]!;
const argumentOf = ({ args }: AstNode): AstNode | undefined => (args as readonly (readonly AstNode[])[])[2]?.[0];

const isNode = (value: object): value is AstNode => 'op' in value && 'evaluate' in value && 'meta' in value;

/** Every node of an expression with the one that it is a part of, those of expanded macros too. */
function nodesOf(root: unknown): readonly (readonly [AstNode, AstNode | undefined])[] {
  const found: (readonly [AstNode, AstNode | undefined])[] = [];
  const seen = new Set<unknown>();
  const visit = (value: unknown, parent: AstNode | undefined): void => {
    if (typeof value !== 'object' || value === null || seen.has(value)) return;
    seen.add(value);
    if (!isNode(value)) return Object.values(value).forEach((part) => visit(part, parent));
    found.push([value, parent]);
    visit(value.args, value);
    visit({ ...value.meta }, value);
  };
  visit(root, undefined);
  return found;
}

/** What works on the whole of its operands, however large they are. */
const COMPARISONS: ReadonlySet<string> = new Set(['==', '!=', 'in']);
const WHOLE: ReadonlySet<string> = new Set(['call', 'rcall', '+', '<', '<=', '>', '>=']);

/** An error takes as long as many steps, and loops may go on after it. */
const ERROR_COST = 100;

/** The library puts the function that it has chosen in the place of `evaluate`: it is kept behind the one that counts. */
function meterNode(node: AstNode, parent: AstNode | undefined, meter: Meter): void {
  let inner: Evaluate = nameOf(node) === 'matches' ? matching(meter) : node.evaluate;
  const isFixed = nameOf(node) === 'matches';
  const weigh = weightFor(parent);
  const counting: Evaluate = (evaluator, self, context) => {
    meter.spend(1);
    let value: unknown;
    try {
      value = inner.call(node, evaluator, self, context);
    } catch (error) {
      if (error !== EXCEEDED) meter.spend(ERROR_COST);
      throw error;
    }
    if (weigh) meter.spend(weigh(value, meter.left));
    return value;
  };
  Object.defineProperty(node, 'evaluate', {
    get: () => counting,
    set: (chosen: Evaluate) => {
      if (!isFixed) inner = chosen;
    },
  });
}

type Weigh = (value: unknown, most: number) => number;

function weightFor(parent: AstNode | undefined): Weigh | undefined {
  if (!parent) return undefined;
  if (COMPARISONS.has(parent.op)) return deepSize;
  if (PATTERN_FUNCTIONS.has(nameOf(parent))) return wholeLength;
  return WHOLE.has(parent.op) ? tenthOfLength : undefined;
}

/** Each match that is found becomes a text of its own. */
const wholeLength: Weigh = (value) => (typeof value === 'string' ? 5 * value.length : 0);

const tenthOfLength: Weigh = (value) =>
  typeof value === 'string' || Array.isArray(value) || value instanceof Uint8Array ? Math.floor(value.length / 10) : 0;

/** How much there is to compare, counted only as far as it may be paid for. */
function deepSize(value: unknown, most: number): number {
  let size = 0;
  const rest: unknown[] = [value];
  while (rest.length > 0 && size <= most) {
    const next = rest.pop();
    size += typeof next === 'string' ? Math.floor(next.length / 10) : 1;
    if (Array.isArray(next)) for (const item of next) rest.push(item);
    else if (typeof next === 'object' && next !== null) for (const name in next) rest.push((next as Record<string, unknown>)[name]);
  }
  return size - 1;
}

/** `matches`, on RE2 in place of the library's own, which a pattern can hang. */
const matching =
  (meter: Meter): Evaluate =>
  (evaluator, node, context) => {
    const text = evaluator.run(receiverOf(node), context);
    const pattern = evaluator.run(argumentOf(node)!, context);
    if (typeof text !== 'string' || typeof pattern !== 'string') throw new Error('no such overload: matches');
    meter.spend(Math.ceil((text.length + 1) * 0.1) * Math.ceil(pattern.length * 0.25));
    return compilePattern(pattern).test(text);
  };
