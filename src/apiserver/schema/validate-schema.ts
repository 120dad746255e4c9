import { messageOf, entryOf } from '../../base/index.ts';
import { forbiddenField, invalidValue, notSupported, requiredField, type FieldError } from '../field-error.ts';
import { expressionProblem, usesOldSelf } from './cel-rule.ts';
import type { JsonSchema, ValidationRule } from '../../kube/builtin/index.ts';
import { compileSchema } from './schema-node.ts';
import { validate } from './validate.ts';
import { compilePattern } from './patterns.ts';

/** The position of a schema, and what is known about the path to it. */
interface Place {
  readonly path: string;
  /** The first list above whose items cannot be correlated between versions. */
  readonly untraceable?: string;
}

/** What is wrong with a schema: not structural, rules that do not compile, defaults that do not fit. */
export function validateSchema(
  schema: JsonSchema,
  { path, root }: { readonly path: string; readonly root: JsonSchema },
): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (schema.type !== 'object') errors.push(invalidValue(`${path}.type`, schema.type ?? '', 'must be object at the root'));
  for (const name of Object.keys(schema.properties?.metadata?.properties ?? {})) {
    if (name === 'name' || name === 'generateName') continue;
    errors.push(
      forbiddenField(
        `${path}.properties[metadata]`,
        'must not specify anything other than name and generateName, but metadata is implicitly specified',
      ),
    );
  }
  ruleErrors(root, { path }, errors);
  membersOf(schema, { path }, errors);
  return errors;
}

function validateNode(schema: JsonSchema, place: Place, errors: FieldError[]): void {
  const before = errors.length;
  typeErrors(schema, place.path, errors);
  shapeErrors(schema, place.path, errors);
  listErrors(schema, place.path, errors);
  valueErrors(schema, place.path, errors);
  ruleErrors(schema, place, errors);
  membersOf(schema, place, errors);
  if (errors.length === before) defaultErrors(schema, place.path, errors);
}

function membersOf(schema: JsonSchema, place: Place, errors: FieldError[]): void {
  const { path } = place;
  for (const [name, member] of Object.entries(schema.properties ?? {})) {
    validateNode(member, { ...place, path: `${path}.properties[${name}]` }, errors);
  }
  if (typeof schema.additionalProperties === 'object') {
    validateNode(schema.additionalProperties, { ...place, path: `${path}.additionalProperties` }, errors);
  }
  if (schema.items) {
    const traceable = schema['x-kubernetes-list-type'] === 'map';
    const untraceable = place.untraceable ?? (traceable ? undefined : path);
    validateNode(schema.items, { path: `${path}.items`, ...(untraceable !== undefined && { untraceable }) }, errors);
  }
  branchErrors(schema, path, errors);
}

const TYPES = ['array', 'boolean', 'integer', 'number', 'object', 'string'];

function typeErrors(schema: JsonSchema, path: string, errors: FieldError[]): void {
  const { type } = schema;
  if (type === undefined) untypedErrors(schema, path, errors);
  else if (!TYPES.includes(type)) errors.push(notSupported(`${path}.type`, type, TYPES));
  if (type === 'array' && !schema.items) errors.push(requiredField(`${path}.items`, 'must be specified'));
  if (schema['x-kubernetes-embedded-resource'] && type !== 'object') {
    errors.push(invalidValue(`${path}.type`, type ?? '', 'must be object if x-kubernetes-embedded-resource is true'));
  }
}

function untypedErrors(schema: JsonSchema, path: string, errors: FieldError[]): void {
  if (schema['x-kubernetes-int-or-string'] || schema['x-kubernetes-preserve-unknown-fields']) return;
  const where = path.endsWith('.items') ? 'array items' : 'object fields';
  errors.push(requiredField(`${path}.type`, `must not be empty for specified ${where}`));
}

function shapeErrors(schema: JsonSchema, path: string, errors: FieldError[]): void {
  if ('$ref' in schema) errors.push(forbiddenField(`${path}.$ref`, '$ref is not supported'));
  if (schema.uniqueItems) {
    errors.push(forbiddenField(`${path}.uniqueItems`, 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic'));
  }
  if (schema.properties && schema.additionalProperties !== undefined && schema.additionalProperties !== false) {
    errors.push(forbiddenField(`${path}.additionalProperties`, 'additionalProperties and properties are mutual exclusive'));
  }
}

function listErrors(schema: JsonSchema, path: string, errors: FieldError[]): void {
  if (schema['x-kubernetes-list-type'] !== 'map') return;
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  const keysPath = `${path}.x-kubernetes-list-map-keys`;
  if (keys.length === 0) errors.push(requiredField(keysPath, 'must not be empty if x-kubernetes-list-type is map'));
  if (schema.items?.type !== 'object') {
    errors.push(
      invalidValue(`${path}.items.type`, schema.items?.type ?? '', "must be object if parent array's x-kubernetes-list-type is map"),
    );
  }
  keys.forEach((key, i) => {
    const member = entryOf(schema.items?.properties ?? {}, key);
    if (!member) errors.push(invalidValue(`${keysPath}[${i}]`, key, 'entries must all be names of item properties'));
    else if (!schema.items?.required?.includes(key) && member.default === undefined) {
      errors.push(
        requiredField(
          `${path}.items.properties[${key}].default`,
          'this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property',
        ),
      );
    }
  });
}

function valueErrors(schema: JsonSchema, path: string, errors: FieldError[]): void {
  if (schema.pattern === undefined) return;
  try {
    compilePattern(schema.pattern);
  } catch (error) {
    errors.push(invalidValue(`${path}.pattern`, schema.pattern, `must be a valid regular expression, but isn't: ${messageOf(error)}`));
  }
}

/** A default must itself be valid under its schema. */
function defaultErrors(schema: JsonSchema, path: string, errors: FieldError[]): void {
  if (!('default' in schema)) return;
  const found: FieldError[] = [];
  validate(compileSchema(schema), { value: schema.default, old: undefined, path: '', nameless: '' }, found);
  errors.push(...found.map((error) => ({ ...error, field: error.field === '' ? `${path}.default` : `${path}.default.${error.field}` })));
}

function ruleErrors(schema: JsonSchema, place: Place, errors: FieldError[]): void {
  (schema['x-kubernetes-validations'] ?? []).forEach((rule, i) => {
    const path = `${place.path}.x-kubernetes-validations[${i}]`;
    const problem = ruleProblem(rule, schema);
    if (problem) errors.push({ ...problem, field: `${path}.${problem.field}` });
    if (place.untraceable !== undefined && usesOldSelf(rule.rule)) {
      errors.push(
        invalidValue(
          `${path}.rule`,
          rule.rule,
          `oldSelf cannot be used on the uncorrelatable portion of the schema within ${place.untraceable}`,
        ),
      );
    }
  });
}

function ruleProblem(rule: ValidationRule, schema: JsonSchema): FieldError | undefined {
  if ((rule.rule ?? '').trim() === '') return requiredField('rule', 'rule is not specified');
  const optionalOldSelf = rule.optionalOldSelf ?? false;
  const problem = expressionProblem(rule.rule, { schema, result: 'bool', optionalOldSelf });
  if (problem !== undefined) return invalidValue('rule', rule, problem);
  if (rule.messageExpression === undefined) return undefined;
  const words = expressionProblem(rule.messageExpression, { schema, result: 'string', optionalOldSelf });
  return words === undefined ? undefined : invalidValue('messageExpression', rule, words);
}

const STRUCTURAL = ['type', 'default', 'additionalProperties', 'nullable', 'description', 'title'] as const;

/** Branches (allOf, anyOf, oneOf, not) may only constrain values; the structure is declared outside of them. */
function branchErrors(schema: JsonSchema, path: string, errors: FieldError[]): void {
  for (const branching of ['allOf', 'anyOf', 'oneOf'] as const) {
    schema[branching]?.forEach((branch, i) => branchError(branch, `${path}.${branching}[${i}]`, { schema, errors }));
  }
  if (schema.not) branchError(schema.not, `${path}.not`, { schema, errors });
}

function branchError(
  branch: JsonSchema,
  path: string,
  { schema, errors }: { readonly schema: JsonSchema; readonly errors: FieldError[] },
): void {
  const isIntOrString = schema['x-kubernetes-int-or-string'] ?? false;
  for (const field of STRUCTURAL) {
    if (field === 'type' && isIntOrString) continue;
    if (field in branch) errors.push(forbiddenField(`${path}.${field}`, 'must be empty to be structural'));
  }
  for (const name of Object.keys(branch.properties ?? {})) {
    if (!entryOf(schema.properties ?? {}, name))
      errors.push(
        requiredField(
          `${path.replace(/\.(allOf|anyOf|oneOf|not).*$/, '')}.properties[${name}]`,
          `because it is defined in ${path}.properties[${name}]`,
        ),
      );
  }
}
