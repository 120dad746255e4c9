import type { RemediationWorkflow } from '../api/remediation-workflow/remediation-workflow.ts';
import { assertNever, clip } from '../base/index.ts';
import { matchesPattern } from './simple-pattern.ts';

type Declaration = RemediationWorkflow['spec']['parameters'][number];
type Values = Readonly<Record<string, string>>;

/** Values that fit the declarations, or what does not. */
export type Checked =
  { readonly kind: 'fit'; readonly parameters: Values } | { readonly kind: 'unfit'; readonly problems: readonly string[] };

/** Keeps the declared values, fills in defaults, and validates every value. Undeclared values are dropped. */
export function checkParameters(declarations: readonly Declaration[], given: Values): Checked {
  const taken = new Map<string, string>();
  for (const { name, default: fallback } of declarations) {
    const value = Object.hasOwn(given, name) ? given[name] : defaultText(fallback);
    if (value !== undefined) taken.set(name, value);
  }
  const problems = declarations.flatMap((declaration) => problemsOf(declaration, taken));
  return problems.length > 0 ? { kind: 'unfit', problems } : { kind: 'fit', parameters: Object.fromEntries(taken) };
}

const defaultText = (value: unknown): string | undefined =>
  value === undefined || value === null ? undefined : typeof value === 'string' ? value : JSON.stringify(value);

function problemsOf(declaration: Declaration, taken: ReadonlyMap<string, string>): readonly string[] {
  const { name } = declaration;
  const value = taken.get(name);
  if (value === undefined) return declaration.required ? [`${name} is required and has no value`] : [];
  const alone = (declaration.dependsOn ?? []).filter((other) => !taken.has(other));
  return [
    ...alone.map((other) => `${name} must be given together with ${other}`),
    ...CHECKS.flatMap((check) => check(declaration, value) ?? []).map((problem) => `${name}=${clip(value, LONGEST_SHOWN)} ${problem}`),
  ];
}

/** As much of a value as a message shows. */
const LONGEST_SHOWN = 100;

/** What is wrong with a value; undefined when nothing is. */
type Check = (declaration: Declaration, value: string) => string | undefined;

const CHECKS: readonly Check[] = [
  ({ type }, value) => (isOfType(type, value) ? undefined : `is no ${type}`),
  ({ enum: allowed }, value) => (!allowed || allowed.includes(value) ? undefined : `is none of ${allowed.join(', ')}`),
  ({ minimum }, value) => (minimum === undefined || Number(value) >= minimum ? undefined : `is less than ${minimum}`),
  ({ maximum }, value) => (maximum === undefined || Number(value) <= maximum ? undefined : `is more than ${maximum}`),
  ({ pattern }, value) => (pattern === undefined ? undefined : patternProblem(pattern, value)),
];

function isOfType(type: Declaration['type'], value: string): boolean {
  switch (type) {
    case 'string':
      return true;
    case 'integer':
      return /^[+-]?\d+$/.test(value);
    case 'float':
      return /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/.test(value) && Number.isFinite(Number(value));
    case 'boolean':
      return value === 'true' || value === 'false';
    case 'array':
      return isJsonArray(value);
    default:
      return assertNever(type);
  }
}

function isJsonArray(value: string): boolean {
  try {
    return Array.isArray(JSON.parse(value));
  } catch {
    return false;
  }
}

function patternProblem(pattern: string, value: string): string | undefined {
  const matches = matchesPattern(pattern, value);
  if (matches === undefined) return `cannot be checked: the pattern ${pattern} is wrong or too complicated`;
  return matches ? undefined : `does not match ${pattern}`;
}
