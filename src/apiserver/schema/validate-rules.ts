import { Optional } from '@marcbachmann/cel-js';
import { isObject, messageOf, sameJson, type JsonObject } from '../../base/index.ts';
import type { FieldError } from '../field-error.ts';
import type { Rule } from './cel-rule.ts';
import { correlate } from './correlate.ts';
import type { SchemaNode } from './schema-node.ts';
import { join, type Spot } from './validate.ts';

/** Collects the rules that a value breaks. Runs only on values that fit their schema. */
export function validateRules(node: SchemaNode, spot: Spot, errors: FieldError[]): void {
  const { value, old, path } = spot;
  if (!node.hasRules || value === undefined || value === null) return;
  if (node.rules.length > 0) checkRules(node.rules, spot, errors);
  if (Array.isArray(value) && node.items?.hasRules) {
    const items = node.items;
    const before = correlate(node, old);
    value.forEach((item: unknown, i) => validateRules(items, { value: item, old: before(item), path: `${path}[${i}]` }, errors));
  } else if (isObject(value)) checkMembers(node, value, spot, errors);
}

function checkMembers(node: SchemaNode, object: JsonObject, { old, path }: Spot, errors: FieldError[]): void {
  const before = isObject(old) ? old : undefined;
  for (const name in object) {
    const member = node.properties.get(name) ?? node.values;
    if (member?.hasRules) validateRules(member, { value: object[name], old: before?.[name], path: join(path, name) }, errors);
  }
}

function checkRules(rules: readonly Rule[], { value, old, path }: Spot, errors: FieldError[]): void {
  const unchanged = old !== undefined && sameJson(value, old);
  const toCel = rules[0]!.toCel;
  const self = toCel(value);
  const before = old === undefined || old === null ? undefined : toCel(old);
  for (const rule of rules) {
    const { optionalOldSelf = false } = rule.source;
    // What was accepted once stays accepted while it does not change; how it may change is still judged.
    if (unchanged && !rule.isTransition) continue;
    if (rule.isTransition && before === undefined && !optionalOldSelf) continue;
    const oldSelf = optionalOldSelf ? optional(before) : before;
    const error = judge(rule, { self, oldSelf }, { value, path });
    if (error) errors.push(error);
  }
}

const optional = (value: unknown): Optional => (value === undefined ? Optional.none() : Optional.of(value));

interface Operands {
  readonly self: unknown;
  readonly oldSelf: unknown;
}

type Place = Pick<Spot, 'value' | 'path'>;

function judge(rule: Rule, { self, oldSelf }: Operands, { value, path }: Place): FieldError | undefined {
  try {
    if (rule.evaluate(self, oldSelf) === true) return undefined;
  } catch (error) {
    const why = messageOf(error)
      .split('\n')[0]!
      .replace(/^No such key/, 'no such key');
    const what = typeof value === 'object' ? (Array.isArray(value) ? '"array"' : '"object"') : JSON.stringify(value);
    return {
      reason: 'FieldValueInvalid',
      field: path,
      message: `Invalid value: ${what}: ${why} evaluating rule: ${messageFor(rule.source)}`,
    };
  }
  return broken(rule, messageOfRule(rule, { self, oldSelf }), { value, path });
}

const messageFor = (source: Rule['source']): string => source.message ?? source.rule.trim();

function messageOfRule(rule: Rule, { self, oldSelf }: Operands): string {
  const fallback = rule.source.message ?? `failed rule: ${rule.source.rule.trim()}`;
  if (!rule.message) return fallback;
  try {
    const text = rule.message(self, oldSelf);
    return typeof text === 'string' && text.trim() !== '' && !text.includes('\n') ? text : fallback;
  } catch {
    return fallback;
  }
}

/** How each reason words itself; whole objects and lists are not repeated in the message. */
function broken(rule: Rule, detail: string, { value, path }: Place): FieldError {
  const { reason = 'FieldValueInvalid', fieldPath = '' } = rule.source;
  const field = path === '' ? fieldPath.replace(/^\./, '') : `${path}${fieldPath}`;
  const shown = typeof value === 'object' ? '' : JSON.stringify(value);
  switch (reason) {
    case 'FieldValueForbidden':
      return { reason, field, message: `Forbidden: ${detail}` };
    case 'FieldValueRequired':
      return { reason, field, message: `Required value: ${detail}` };
    case 'FieldValueDuplicate':
      return { reason, field, message: shown === '' ? 'Duplicate value' : `Duplicate value: ${shown}` };
    case 'FieldValueInvalid':
      return { reason, field, message: shown === '' ? `Invalid value: ${detail}` : `Invalid value: ${shown}: ${detail}` };
  }
}
