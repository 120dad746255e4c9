import { isObject, sameJson, type JsonObject } from '../../base/index.ts';
import { duplicate, invalidValue, required, type FieldError } from '../field-error.ts';
import { embeddedLabelErrors } from '../metadata/validate-metadata.ts';
import { combinators } from './combinators.ts';
import { correlate } from './correlate.ts';
import type { SchemaNode } from './schema-node.ts';

/** A value with its place, and what was there before when that is known. */
export interface Spot {
  readonly value: unknown;
  readonly old: unknown;
  readonly path: string;
}

/**
 * Collects what is wrong with a value. What has not changed since it was stored is not judged again, so that a tightened
 * schema does not block changes elsewhere.
 */
export function validate(node: SchemaNode, spot: Spot, errors: FieldError[]): void {
  const { value, old, path } = spot;
  if (old !== undefined && sameJson(value, old)) return;
  for (const check of node.checks) {
    const error = check(value, path);
    if (error) errors.push(error);
  }
  combinators(node, spot, errors);
  if (Array.isArray(value)) validateList(node, value, spot, errors);
  else if (isObject(value)) validateObject(node, value, spot, errors);
  else if (node.type === 'integer' && typeof value === 'number') validateInteger(node, value, path, errors);
}

const WIDTHS: Readonly<Record<string, number>> = { int32: 2 ** 31 };

/** kube-apiserver names no field in these two objections, only the path in the text. */
function validateInteger(node: SchemaNode, value: number, path: string, errors: FieldError[]): void {
  const limit = WIDTHS[node.format ?? ''] ?? Infinity;
  if (!Number.isInteger(value)) errors.push(invalidValue('<nil>', '', `Checked value must be of type integer (default format) in ${path}`));
  else if (value < -limit || value >= limit) {
    errors.push(invalidValue('<nil>', '', `Checked value must be of type integer with format ${node.format} in ${path}`));
  }
}

function validateList(node: SchemaNode, list: readonly unknown[], { old, path }: Spot, errors: FieldError[]): void {
  const { items } = node;
  if (!items) return;
  const before = correlate(node, old);
  list.forEach((value, i) => validate(items, { value, old: before(value), path: `${path}[${i}]` }, errors));
  if (node.listType !== 'atomic') duplicates(node, list, path, errors);
}

function duplicates(node: SchemaNode, list: readonly unknown[], path: string, errors: FieldError[]): void {
  const seen = new Set<string>();
  list.forEach((item, i) => {
    const key = node.listType === 'map' ? keysOf(node.listKeys, item) : item;
    const text = JSON.stringify(key);
    if (seen.has(text)) errors.push(duplicate(`${path}[${i}]`, key));
    seen.add(text);
  });
}

const keysOf = (names: readonly string[], item: unknown): unknown =>
  isObject(item) ? Object.fromEntries(names.map((name) => [name, item[name]])) : item;

function validateObject(node: SchemaNode, object: JsonObject, { old, path }: Spot, errors: FieldError[]): void {
  const before = isObject(old) ? old : undefined;
  for (const name in object) {
    const member = node.properties.get(name) ?? node.values;
    const value = object[name];
    if (member && value !== undefined) validate(member, { value, old: before?.[name], path: join(path, name) }, errors);
  }
  for (const name of node.required) if (object[name] === undefined) errors.push(required(join(path, name)));
  if (node.embedded && path !== '') embedded(object, path, errors);
}

function embedded(object: JsonObject, path: string, errors: FieldError[]): void {
  for (const name of ['apiVersion', 'kind']) if ((object[name] ?? '') === '') errors.push(required(join(path, name)));
  errors.push(...embeddedLabelErrors(join(path, 'metadata'), object.metadata));
}

/** A member's place, as kube-apiserver writes it. */
export const join = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);
