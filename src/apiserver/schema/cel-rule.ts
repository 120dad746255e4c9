import type { Environment } from '@marcbachmann/cel-js';
import { messageOf } from '../../base/index.ts';
import { literalPatterns, metered, type CelBudget, type CelOutcome, type Parsed } from './cel-cost.ts';
import { celFunctions } from './cel-functions.ts';
import { celType } from './cel-types.ts';
import { compilePattern } from './patterns.ts';
import { celConverter, type ToCel } from './cel-value.ts';
import type { JsonSchema, ValidationRule } from '../../kube/builtin/index.ts';

/** One x-kubernetes-validations rule, parsed once. */
export interface CelRule {
  readonly source: ValidationRule;
  /** Whether the rule compares with the old value; not evaluated for new values, unless oldSelf is optional. */
  readonly isTransition: boolean;
  readonly toCel: ToCel;
  readonly evaluate: Evaluate;
  readonly message: Evaluate | undefined;
}

/** Evaluates an expression, as far as the budget allows it. */
export type Evaluate = (operands: { readonly self: unknown; readonly oldSelf: unknown }, budget: CelBudget) => CelOutcome;

/** The rules of one schema. They must be valid: see `expressionProblem`. */
export function compileRules(schema: JsonSchema): readonly CelRule[] {
  const sources = schema['x-kubernetes-validations'] ?? [];
  if (sources.length === 0) return [];
  const toCel = celConverter(schema);
  // Types were checked when the CRD was written; evaluation needs none, and is faster without.
  const environment = celFunctions().registerVariable('self', 'dyn').registerVariable('oldSelf', 'dyn');
  return sources.map((source) => compileRule(environment, source, toCel));
}

function compileRule(environment: Environment, source: ValidationRule, toCel: ToCel): CelRule {
  return {
    source,
    isTransition: usesOldSelf(source.rule),
    toCel,
    evaluate: compiled(environment, source.rule),
    message: source.messageExpression === undefined ? undefined : compiled(environment, source.messageExpression),
  };
}

const compiled = (environment: Environment, expression: string): Evaluate => metered(environment.parse(expression) as unknown as Parsed);

/** Whether an expression mentions oldSelf outside of a text. */
export const usesOldSelf = (expression: string): boolean =>
  /\boldSelf\b/.test(expression.replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, '""'));

/** How an expression is used. */
export interface ExpressionUse {
  readonly schema: JsonSchema;
  readonly result: 'bool' | 'string';
  readonly optionalOldSelf: boolean;
}

/** Why an expression is invalid, starting as kube-apiserver's message; undefined when it is valid. */
export function expressionProblem(expression: string, use: ExpressionUse): string | undefined {
  const environment = celType(celFunctions(), use.schema, use.optionalOldSelf);
  const checked = check(environment, expression);
  if ('error' in checked) return `compilation failed: ERROR: ${checked.error}`;
  if (checked.type === use.result || checked.type === 'dyn') return undefined;
  return use.result === 'bool' ? 'cel expression must evaluate to a bool' : 'messageExpression must evaluate to a string';
}

function check(environment: Environment, expression: string): { readonly type: string } | { readonly error: string } {
  try {
    const parsed = environment.parse(expression);
    const result = parsed.check();
    if (!result.valid) return { error: result.error?.message ?? 'not valid' };
    return literalPatterns(parsed.ast).every(isPattern) ? { type: String(result.type) } : { error: 'invalid matches argument' };
  } catch (error) {
    return { error: messageOf(error) };
  }
}

function isPattern(pattern: string): boolean {
  try {
    compilePattern(pattern);
    return true;
  } catch {
    return false;
  }
}
