import { isObject, sameJson, type JsonObject, entryOf, ownMember } from '../../base/index.ts';
import { duplicate, invalidValue, requiredField, type FieldError } from '../field-error.ts';
import { embeddedLabelErrors } from '../metadata/validate-metadata.ts';
import { correlateItems } from './correlate-items.ts';
import type { SchemaNode } from './schema-node.ts';
import { itemOf, join, memberOf, type ValuePosition } from './value-position.ts';

/**
 * Collects what is wrong with a value. Unchanged parts of a stored object are not validated again, so that a tightened
 * schema does not block changes elsewhere.
 */
export function validate(node: SchemaNode, spot: ValuePosition, errors: FieldError[]): void {
  const { value, old, path } = spot;
  if (old !== undefined && sameJson(value, old)) return;
  for (const check of node.checks) {
    const error = check(value, path);
    if (error) errors.push(error);
  }
  checkBranches(node, spot, errors);
  if (Array.isArray(value)) validateList(node, value, spot, errors);
  else if (isObject(value)) validateObject(node, value, spot, errors);
  else if (node.type === 'integer' && typeof value === 'number') validateInteger(node, value, spot, errors);
}

const WIDTHS: Readonly<Record<string, number>> = { int32: 2 ** 31 };

/** kube-apiserver names no field in these two errors, only the path in the text. */
function validateInteger({ format = '' }: SchemaNode, value: number, { path, nameless }: ValuePosition, errors: FieldError[]): void {
  const limit = entryOf(WIDTHS, format) ?? Infinity;
  if (!Number.isInteger(value))
    errors.push(invalidValue(nameless, '', `Checked value must be of type integer (default format) in ${path}`));
  else if (value < -limit || value >= limit) {
    errors.push(invalidValue(nameless, '', `Checked value must be of type integer with format ${format} in ${path}`));
  }
}

function validateList(node: SchemaNode, list: readonly unknown[], spot: ValuePosition, errors: FieldError[]): void {
  const { items } = node;
  if (!items) return;
  const before = correlateItems(node, spot.old);
  list.forEach((value, i) => validate(items, itemOf(spot, i, value, before(value)), errors));
  if (node.listType !== 'atomic') duplicates(node, list, spot.path, errors);
}

/** Each duplicate key is reported once, at its first repetition. */
function duplicates(node: SchemaNode, list: readonly unknown[], path: string, errors: FieldError[]): void {
  const odd = node.listType === 'map' ? list.findIndex((item) => item !== null && !isObject(item)) : -1;
  if (odd >= 0) {
    errors.push(invalidValue(`${path}[${odd}]`, list[odd], 'must be an object for an array of list-type map'));
    return;
  }
  const counts = new Map<string, number>();
  list.forEach((item, i) => {
    if (item === null) return;
    const key = node.listType === 'map' ? keysOf(node.listKeys, item) : item;
    const text = JSON.stringify(key);
    const count = (counts.get(text) ?? 0) + 1;
    counts.set(text, count);
    if (count === 2) errors.push(duplicate(`${path}[${i}]`, key));
  });
}

const keysOf = (names: readonly string[], item: unknown): unknown =>
  isObject(item) ? Object.fromEntries(names.map((name) => [name, item[name]])) : item;

function validateObject(node: SchemaNode, object: JsonObject, spot: ValuePosition, errors: FieldError[]): void {
  const before = isObject(spot.old) ? spot.old : {};
  for (const name in object) {
    const value = object[name];
    const member = node.properties.get(name) ?? node.values;
    if (member && value !== undefined) validate(member, memberOf(spot, name, value, ownMember(before, name)), errors);
  }
  for (const name of node.required) if (ownMember(object, name) === undefined) errors.push(requiredField(join(spot.path, name)));
  if (node.embedded) validateEmbedded(object, spot.path, errors);
}

function validateEmbedded(object: JsonObject, path: string, errors: FieldError[]): void {
  for (const name of ['apiVersion', 'kind']) if ((object[name] ?? '') === '') errors.push(requiredField(join(path, name)));
  errors.push(...embeddedLabelErrors(join(path, 'metadata'), object.metadata));
}

/** allOf, anyOf, oneOf and not: value checks that say nothing about which members exist. */
function checkBranches(node: SchemaNode, spot: ValuePosition, errors: FieldError[]): void {
  const { allOf, anyOf, oneOf, not } = node.branches;
  if (allOf.length > 0) checkAll(allOf, spot, errors);
  if (anyOf.length > 0) checkAny(anyOf, spot, errors);
  if (oneOf.length > 0) checkOne(oneOf, spot, errors);
  if (not && problems(not, spot).length === 0) errors.push(objection(spot, 'must not validate the schema (not)'));
}

function checkAll(branches: readonly SchemaNode[], spot: ValuePosition, errors: FieldError[]): void {
  const found = branches.map((branch) => problems(branch, spot));
  const failing = found.filter((list) => list.length > 0);
  if (failing.length === 0) return;
  const none = failing.length === found.length ? '. None validated' : '';
  errors.push(...failing.flat(), objection(spot, `must validate all the schemas (allOf)${none}`));
}

/** When no branch matches, the errors of the first one are reported as well. */
function checkAny(branches: readonly SchemaNode[], spot: ValuePosition, errors: FieldError[]): void {
  const found = branches.map((branch) => problems(branch, spot));
  if (found.some((list) => list.length === 0)) return;
  errors.push(objection(spot, 'must validate at least one schema (anyOf)'), ...(found[0] ?? []));
}

function checkOne(branches: readonly SchemaNode[], spot: ValuePosition, errors: FieldError[]): void {
  const found = branches.map((branch) => problems(branch, spot));
  const valid = found.filter((list) => list.length === 0).length;
  const words = 'must validate one and only one schema (oneOf). Found';
  if (valid === 0) errors.push(objection(spot, `${words} none valid`), ...(found[0] ?? []));
  if (valid > 1) errors.push(objection(spot, `${words} ${valid} valid alternatives`));
}

function problems(branch: SchemaNode, spot: ValuePosition): readonly FieldError[] {
  const found: FieldError[] = [];
  validate(branch, { ...spot, old: undefined }, found);
  return found;
}

/** kube-apiserver names no field here, only the path in the text. */
const objection = ({ path, nameless }: ValuePosition, words: string): FieldError =>
  invalidValue(nameless, '', `${JSON.stringify(path)} ${words}`);
