import { describe, expect, test } from 'vitest';
import { places, walk } from '../testkit/bad-values/walk.ts';
import { violationsOf } from '../testkit/bad-values/violations-of.ts';
import { validObjects } from '../testkit/bad-values.ts';
import { crdOf, kinds, type JsonSchema, type KindDefinition } from './index.ts';

const schemaOf = (kind: KindDefinition, version = 0): JsonSchema => crdOf(kind).spec.versions[version]?.schema?.openAPIV3Schema ?? {};

/** `status.conditions[0].type` and `status.conditions[].type` are one place; so are the entries of a map. */
const placeOf = (field: string): string => field.replaceAll(/\[\d+\]/g, '[]');

describe.each(kinds)('$kind', (kind) => {
  test('says of every field what it means, in a sentence', () => {
    const silent = places(schemaOf(kind)).filter(
      ([field, { description }]) => !/(\[\]|\.\*)$/.test(field) && !/^\S.*[.)]$/.test(description ?? ''),
    );
    expect(silent.map(([field]) => field)).toEqual([]);
  });

  test('is shown whole by its sample and variants', () => {
    const shown = new Set(validObjects(kind).flatMap((object) => walk(schemaOf(kind), object).map(({ pointer }) => pointer)));
    const missing = places(schemaOf(kind)).filter(([field]) => ![...shown].some((pointer) => matches(pointer, field)));
    expect(missing.map(([field]) => field)).toEqual([]);
  });

  test('has an object for each CEL rule that breaks it', () => {
    const rules = places(schemaOf(kind)).flatMap(([field, schema]) =>
      (schema['x-kubernetes-validations'] ?? []).map(({ message, fieldPath = '' }) => `${field}${fieldPath}: ${message}`),
    );
    const broken = violationsOf(kind).violations.map(({ field, rule }) => `${placeOf(field)}: ${rule}`);
    expect(new Set(broken)).toEqual(new Set(rules));
  });

  test('is frozen', () => {
    expect(Object.isFrozen(kind) && Object.isFrozen(kind.versions[0].columns) && Object.isFrozen(kind.sample.metadata)).toBe(true);
  });

  test('shows columns whose paths exist', () => {
    const known = new Set(places(schemaOf(kind)).map(([field]) => field));
    const paths = kind.versions.flatMap(({ columns }) => columns.map(({ path }) => path.slice(1).replaceAll(/\[\?\([^)]*\)\]/g, '[]')));
    expect(paths.filter((path) => !path.startsWith('metadata.') && !known.has(path))).toEqual([]);
  });

  test('selects by required or optional text fields only, as the API demands', () => {
    const types = new Map(places(schemaOf(kind)));
    expect(kind.selectableFields.map((field) => types.get(field)?.type)).toEqual(kind.selectableFields.map(() => 'string'));
  });
});

test('no two kinds share a name that kubectl would take', () => {
  const names = kinds.flatMap(({ plural, singular, shortNames }) => [plural, singular, ...shortNames]);
  expect(new Set(names).size).toBe(names.length);
});

/** A JSON pointer of an object against a place of a schema: list items and map entries stand for all of their kind. */
function matches(pointer: string, place: string): boolean {
  const pattern = place
    .replaceAll('.*', '/ENTRY')
    .replaceAll('[]', '/ITEM')
    .replaceAll('.', '/')
    .replaceAll('/ENTRY', '/[^/]+')
    .replaceAll('/ITEM', '/\\d+');
  return new RegExp(`^/${pattern}$`).test(pointer);
}
