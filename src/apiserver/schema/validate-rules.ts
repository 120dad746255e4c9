import { Optional } from '@marcbachmann/cel-js';
import { isObject, messageOf, sameJson, type JsonObject } from '../../base/index.ts';
import type { FieldError } from '../field-error.ts';
import type { CelRule } from './cel-rule.ts';
import { correlateItems } from './correlate-items.ts';
import type { SchemaNode } from './schema-node.ts';
import { itemOf, memberOf, type ValuePosition } from './value-position.ts';

/** Collects the rules that a value violates. Evaluated only on values that fit their schema. */
export function validateRules(node: SchemaNode, spot: ValuePosition, errors: FieldError[]): void {
  const { value } = spot;
  if (!node.hasRules || value === undefined || value === null) return;
  if (node.rules.length > 0) checkRules(node.rules, spot, errors);
  if (Array.isArray(value)) checkItems(node, value, spot, errors);
  else if (isObject(value)) checkMembers(node, value, spot, errors);
}

function checkItems(node: SchemaNode, list: readonly unknown[], spot: ValuePosition, errors: FieldError[]): void {
  const { items } = node;
  if (!items?.hasRules) return;
  const before = correlateItems(node, spot.old);
  list.forEach((item, i) => validateRules(items, itemOf(spot, i, item, before(item)), errors));
}

function checkMembers(node: SchemaNode, object: JsonObject, spot: ValuePosition, errors: FieldError[]): void {
  const before = isObject(spot.old) ? spot.old : undefined;
  for (const name in object) {
    const given = object[name];
    const member = node.properties.get(name) ?? node.values;
    if (member?.hasRules) validateRules(member, memberOf(spot, name, given, before?.[name]), errors);
  }
}

/** The variables of a rule. */
interface Operands {
  readonly self: unknown;
  /** Undefined where there is no old value. */
  readonly oldSelf: unknown;
}

function checkRules(rules: readonly CelRule[], spot: ValuePosition, errors: FieldError[]): void {
  const due = rules.filter((rule) => isDue(rule, spot));
  const toCel = due[0]?.toCel;
  if (!toCel) return;
  const operands = { self: toCel(spot.value), oldSelf: hasOld(spot) ? toCel(spot.old) : undefined };
  for (const rule of due) {
    const error = evaluateRule(rule, operands, spot);
    if (error) errors.push(error);
  }
}

const hasOld = ({ old }: ValuePosition): boolean => old !== undefined && old !== null;

/** A violation of an unchanged value is ignored (ratcheting); transition rules are always evaluated. */
function isDue(rule: CelRule, spot: ValuePosition): boolean {
  if (rule.isTransition) return hasOld(spot) || rule.source.optionalOldSelf === true;
  return spot.old === undefined || !sameJson(spot.value, spot.old);
}

function evaluateRule(rule: CelRule, { self, oldSelf: old }: Operands, spot: ValuePosition): FieldError | undefined {
  const oldSelf = rule.source.optionalOldSelf === true ? (old === undefined ? Optional.none() : Optional.of(old)) : old;
  try {
    return rule.evaluate(self, oldSelf) === true ? undefined : broken(rule, detailOf(rule, { self, oldSelf }), spot);
  } catch (error) {
    return stumbled(rule, messageOf(error), spot);
  }
}

/** The evaluation of a rule failed, which counts as a violation. */
function stumbled(rule: CelRule, why: string, { value, path }: ValuePosition): FieldError {
  const cause = why.split('\n')[0]!.replace(/^No such key/, 'no such key');
  const shown = Array.isArray(value) ? '"array"' : isObject(value) ? '"object"' : JSON.stringify(value);
  const message = `Invalid value: ${shown}: ${cause} evaluating rule: ${rule.source.message ?? rule.source.rule.trim()}`;
  return { reason: 'FieldValueInvalid', field: path, message };
}

function detailOf(rule: CelRule, { self, oldSelf }: Operands): string {
  const fallback = rule.source.message ?? `failed rule: ${rule.source.rule.trim()}`;
  try {
    const text = rule.message?.(self, oldSelf);
    return typeof text === 'string' && text.trim() !== '' && !text.includes('\n') ? text : fallback;
  } catch {
    return fallback;
  }
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
