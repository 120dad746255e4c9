import { invalidValue, type FieldError } from '../field-error.ts';
import type { SchemaNode } from './schema-node.ts';
import { validate, type Spot } from './validate.ts';

/** allOf, anyOf, oneOf and not: value checks that say nothing about which members exist. */
export function combinators(node: SchemaNode, spot: Spot, errors: FieldError[]): void {
  const { allOf, anyOf, oneOf, not } = node.combined;
  if (allOf.length > 0) checkAll(allOf, spot, errors);
  if (anyOf.length > 0) checkAny(anyOf, spot, errors);
  if (oneOf.length > 0) checkOne(oneOf, spot, errors);
  if (not && problems(not, spot).length === 0) errors.push(objection(spot, 'must not validate the schema (not)'));
}

function checkAll(branches: readonly SchemaNode[], spot: Spot, errors: FieldError[]): void {
  const found = branches.map((branch) => problems(branch, spot));
  const failing = found.filter((list) => list.length > 0);
  if (failing.length === 0) return;
  const none = failing.length === found.length ? '. None validated' : '';
  errors.push(...failing.flat(), objection(spot, `must validate all the schemas (allOf)${none}`));
}

/** Where no branch fits, the objections of the first one are told as well. */
function checkAny(branches: readonly SchemaNode[], spot: Spot, errors: FieldError[]): void {
  const found = branches.map((branch) => problems(branch, spot));
  if (found.some((list) => list.length === 0)) return;
  errors.push(objection(spot, 'must validate at least one schema (anyOf)'), ...(found[0] ?? []));
}

function checkOne(branches: readonly SchemaNode[], spot: Spot, errors: FieldError[]): void {
  const found = branches.map((branch) => problems(branch, spot));
  const valid = found.filter((list) => list.length === 0).length;
  const words = 'must validate one and only one schema (oneOf). Found';
  if (valid === 0) errors.push(objection(spot, `${words} none valid`), ...(found[0] ?? []));
  if (valid > 1) errors.push(objection(spot, `${words} ${valid} valid alternatives`));
}

function problems(branch: SchemaNode, spot: Spot): readonly FieldError[] {
  const found: FieldError[] = [];
  validate(branch, { ...spot, old: undefined }, found);
  return found;
}

/** kube-apiserver names no field here, only the path in the text. */
const objection = ({ path }: Spot, words: string): FieldError => invalidValue('<nil>', '', `${JSON.stringify(path)} ${words}`);
