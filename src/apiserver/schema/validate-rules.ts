import { Optional } from '@marcbachmann/cel-js';
import { isObject, messageOf, sameJson, type JsonObject, ownMember } from '../../base/index.ts';
import type { FieldError } from '../field-error.ts';
import { newBudget, type CelBudget } from './cel-cost.ts';
import type { CelRule } from './cel-rule.ts';
import { correlateItems } from './correlate-items.ts';
import type { SchemaNode } from './schema-node.ts';
import { itemOf, memberOf, type ValuePosition } from './value-position.ts';

/** What is being collected about one object, and what its rules may still cost. */
interface Review {
  readonly errors: FieldError[];
  readonly budget: CelBudget;
}

/** Collects the rules that a value violates. Evaluated only on values that fit their schema, and no further than the budget of one request goes. */
export const validateRules = (node: SchemaNode, spot: ValuePosition, errors: FieldError[]): void =>
  reviewRules(node, spot, { errors, budget: newBudget() });

function reviewRules(node: SchemaNode, spot: ValuePosition, review: Review): void {
  const { value } = spot;
  if (!node.hasRules || value === undefined || value === null || review.budget.left <= 0) return;
  if (node.rules.length > 0) checkRules(node.rules, spot, review);
  if (Array.isArray(value)) checkItems(node, value, spot, review);
  else if (isObject(value)) checkMembers(node, value, spot, review);
}

function checkItems(node: SchemaNode, list: readonly unknown[], spot: ValuePosition, review: Review): void {
  const { items } = node;
  if (!items?.hasRules) return;
  const before = correlateItems(node, spot.old);
  list.forEach((item, i) => reviewRules(items, itemOf(spot, i, item, before(item)), review));
}

function checkMembers(node: SchemaNode, object: JsonObject, spot: ValuePosition, review: Review): void {
  const before = isObject(spot.old) ? spot.old : undefined;
  for (const name in object) {
    const given = object[name];
    const member = node.properties.get(name) ?? node.values;
    if (member?.hasRules) reviewRules(member, memberOf(spot, name, given, before && ownMember(before, name)), review);
  }
}

/** The variables of a rule. */
interface Operands {
  readonly self: unknown;
  /** Undefined where there is no old value. */
  readonly oldSelf: unknown;
}

function checkRules(rules: readonly CelRule[], spot: ValuePosition, review: Review): void {
  const due = rules.filter((rule) => isDue(rule, spot));
  const toCel = due[0]?.toCel;
  if (!toCel) return;
  const operands = { self: toCel(spot.value), oldSelf: hasOld(spot) ? toCel(spot.old) : undefined };
  for (const rule of due) {
    const error = evaluateRule(rule, operands, spot, review);
    if (error) review.errors.push(error);
    if (review.budget.left <= 0) return;
  }
}

const hasOld = ({ old }: ValuePosition): boolean => old !== undefined && old !== null;

/** A violation of an unchanged value is ignored (ratcheting); transition rules are always evaluated. */
function isDue(rule: CelRule, spot: ValuePosition): boolean {
  if (rule.isTransition) return hasOld(spot) || rule.source.optionalOldSelf === true;
  return spot.old === undefined || !sameJson(spot.value, spot.old);
}

function evaluateRule(rule: CelRule, { self, oldSelf: old }: Operands, spot: ValuePosition, review: Review): FieldError | undefined {
  const { budget } = review;
  const oldSelf = rule.source.optionalOldSelf === true ? (old === undefined ? Optional.none() : Optional.of(old)) : old;
  const outcome = rule.evaluate({ self, oldSelf }, budget);
  switch (outcome.kind) {
    case 'value':
      return outcome.value === true ? undefined : broken(rule, detailOf(rule, { self, oldSelf }, budget), spot);
    case 'failed':
      return stumbled(rule, messageOf(outcome.error), spot);
    case 'too costly':
      // Nothing more is evaluated for this request, whichever of the two limits it was.
      budget.left = 0;
      return tooCostly(rule, outcome.why, spot);
  }
}

const OUT_OF_BUDGET = 'validation failed due to running out of cost budget, no further validation rules will be run';

function tooCostly(rule: CelRule, why: 'rule' | 'request', { value, path }: ValuePosition): FieldError {
  const text = ruleText(rule);
  const exceeded = `'operation cancelled: actual cost limit exceeded': no further validation rules will be run due to call cost exceeds limit for rule: ${text}`;
  const message = `Invalid value: ${shownValue(value)}: ${why === 'request' ? OUT_OF_BUDGET : exceeded}`;
  return { reason: 'FieldValueInvalid', field: path, message };
}

const ruleText = ({ source }: CelRule): string => source.message ?? source.rule.trim();

const shownValue = (value: unknown): string => (Array.isArray(value) ? '"array"' : isObject(value) ? '"object"' : JSON.stringify(value));

/** The evaluation of a rule failed, which counts as a violation. */
function stumbled(rule: CelRule, why: string, { value, path }: ValuePosition): FieldError {
  const cause = why.split('\n')[0]!.replace(/^No such key/, 'no such key');
  return {
    reason: 'FieldValueInvalid',
    field: path,
    message: `Invalid value: ${shownValue(value)}: ${cause} evaluating rule: ${ruleText(rule)}`,
  };
}

function detailOf(rule: CelRule, operands: Operands, budget: CelBudget): string {
  const fallback = rule.source.message ?? `failed rule: ${rule.source.rule.trim()}`;
  const outcome = rule.message?.(operands, budget);
  const text = outcome?.kind === 'value' ? outcome.value : undefined;
  return typeof text === 'string' && text.trim() !== '' && !text.includes('\n') ? text : fallback;
}

const WORDS = {
  FieldValueInvalid: 'Invalid value',
  FieldValueForbidden: 'Forbidden',
  FieldValueRequired: 'Required value',
  FieldValueDuplicate: 'Duplicate value',
} as const;

/** The message of each reason: some show the value, unless it is an object or a list, and some the detail. */
function broken(rule: CelRule, detail: string, { value, path }: ValuePosition): FieldError {
  const { reason = 'FieldValueInvalid', fieldPath = '' } = rule.source;
  const field = path === '' ? fieldPath.slice(1) : `${path}${fieldPath}`;
  const showsValue = typeof value !== 'object' && (reason === 'FieldValueInvalid' || reason === 'FieldValueDuplicate');
  const parts = [WORDS[reason], ...(showsValue ? [JSON.stringify(value)] : []), ...(reason === 'FieldValueDuplicate' ? [] : [detail])];
  return { reason, field, message: parts.join(': ') };
}
