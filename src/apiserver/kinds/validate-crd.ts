import { isObject, sameJson, entryOf } from '../../base/index.ts';
import { invalidValue, notSupported, requiredField, type FieldError } from '../field-error.ts';
import { nameProblems } from '../metadata/names.ts';
import type { Work } from '../object.ts';
import type { SchemaLibrary } from '../schema/schema-library.ts';
import { validateSchema } from '../schema/validate-schema.ts';
import { rootSchema, type CrdNames, type CrdSpec, type CrdVersion } from './crd.ts';

/** What is wrong with a CustomResourceDefinition, in kube-apiserver's words. */
export function validateCrd(object: Work, library: SchemaLibrary): readonly FieldError[] {
  const spec = object.spec as CrdSpec;
  if (!isObject(spec)) return [requiredField('spec')];
  const wrong = shapeErrors(spec);
  if (wrong.length > 0) return wrong;
  const name = `${spec.names.plural}.${spec.group}`;
  return [
    ...(object.metadata.name === name
      ? []
      : [invalidValue('metadata.name', object.metadata.name, 'must be spec.names.plural+"."+spec.group')]),
    ...nameProblems('subdomain', spec.group).map((problem) => invalidValue('spec.group', spec.group, problem)),
    ...(spec.group.includes('.') ? [] : [invalidValue('spec.group', spec.group, 'should be a domain with at least one dot')]),
    ...(['Namespaced', 'Cluster'].includes(spec.scope) ? [] : [notSupported('spec.scope', spec.scope, ['Cluster', 'Namespaced'])]),
    ...nameErrors(spec.names),
    ...versionErrors(spec.versions),
    ...conversionErrors(spec),
    ...spec.versions.flatMap((version, i) => schemaErrors(version, { path: schemaPath(spec, i), index: i, library })),
  ];
}

/** What the validation of the rest depends on. */
function shapeErrors(spec: CrdSpec): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (typeof spec.group !== 'string') errors.push(requiredField('spec.group'));
  if (!isObject(spec.names) || typeof spec.names.plural !== 'string') errors.push(requiredField('spec.names.plural'));
  if (!isObject(spec.names) || typeof spec.names.kind !== 'string') errors.push(requiredField('spec.names.kind'));
  if (!Array.isArray(spec.versions) || !spec.versions.every(isObject)) errors.push(requiredField('spec.versions'));
  return errors;
}

function nameErrors(names: CrdNames): readonly FieldError[] {
  const label = (field: string, value: string | undefined): readonly FieldError[] =>
    nameProblems('label1035', value ?? '').map((problem) => invalidValue(`spec.names.${field}`, value, problem));
  const mixed = (field: string, value: string | undefined): readonly FieldError[] =>
    nameProblems('label1035', (value ?? '').toLowerCase()).map((problem) =>
      invalidValue(`spec.names.${field}`, value, `may have mixed case, but should otherwise match: ${problem}`),
    );
  const short = (names.shortNames ?? []).flatMap((name, i) => label(`shortNames[${i}]`, name));
  return [
    ...label('plural', names.plural),
    ...label('singular', names.singular),
    ...short,
    ...mixed('kind', names.kind),
    ...mixed('listKind', names.listKind),
  ];
}

function versionErrors(versions: readonly CrdVersion[]): readonly FieldError[] {
  const errors = versions.flatMap((version, i) =>
    nameProblems('label1035', version.name ?? '').map((problem) => invalidValue(`spec.versions[${i}].name`, version.name, problem)),
  );
  const names = versions.map((version) => version.name);
  if (new Set(names).size !== names.length) errors.push(invalidValue('spec.versions', names, 'must contain unique version names'));
  if (versions.filter((version) => version.storage).length !== 1) {
    errors.push(invalidValue('spec.versions', names, 'must have exactly one version marked as storage version'));
  }
  return errors;
}

function conversionErrors(spec: CrdSpec): readonly FieldError[] {
  const strategy = spec.conversion?.strategy ?? 'None';
  // This server calls no conversion webhooks.
  return strategy === 'None' ? [] : [notSupported('spec.conversion.strategy', strategy, ['None'])];
}

/** kube-apiserver reports errors of a schema that all versions share at the top level. */
function schemaPath(spec: CrdSpec, i: number): string {
  const shared = spec.versions.every((version) => sameJson(version.schema, spec.versions[0]?.schema));
  return shared ? 'spec.validation.openAPIV3Schema' : `spec.versions[${i}].schema.openAPIV3Schema`;
}

interface SchemaPlace {
  readonly path: string;
  readonly index: number;
  readonly library: SchemaLibrary;
}

function schemaErrors(version: CrdVersion, { path, index, library }: SchemaPlace): readonly FieldError[] {
  const schema = version.schema?.openAPIV3Schema;
  if (!isObject(schema)) return [requiredField(`spec.versions[${index}].schema.openAPIV3Schema`)];
  if (index > 0 && path.startsWith('spec.validation')) return [];
  return [...library.errors(schema, () => validateSchema(schema, { path, root: rootSchema(version) })), ...selectableErrors(version, path)];
}

const SELECTABLE: ReadonlySet<string> = new Set(['string', 'boolean', 'integer']);

function selectableErrors(version: CrdVersion, path: string): readonly FieldError[] {
  const place = path.startsWith('spec.validation') ? 'spec' : path.slice(0, path.indexOf('.schema'));
  return (version.selectableFields ?? []).flatMap(({ jsonPath }, i) => {
    let at = version.schema?.openAPIV3Schema;
    for (const name of jsonPath.split('.').slice(1)) at = entryOf(at?.properties ?? {}, name);
    const fits = jsonPath.startsWith('.') && at?.type !== undefined && SELECTABLE.has(at.type);
    return fits
      ? []
      : [invalidValue(`${place}.selectableFields[${i}].jsonPath`, jsonPath, 'is an invalid path: does not refer to a valid field')];
  });
}
