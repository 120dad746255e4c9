import { describe, expect, test } from 'vitest';
import { BUILTINS } from './builtin-table.ts';
import { builtinSchemaOf, builtinSchemas, referredSchema, type BuiltinSchema } from './builtin-schemas.ts';

describe('schemas of built-in kinds', () => {
  test.each(BUILTINS)('$kind has one', (kind) => {
    const { properties = {} } = builtinSchemaOf(kind)!;
    expect(Object.keys(properties)).toEqual(expect.arrayContaining(['apiVersion', 'kind', 'metadata']));
  });

  test('kinds that are only sent have one too', () =>
    expect(builtinSchemaOf({ group: 'autoscaling', version: 'v1', kind: 'Scale' })?.properties).toHaveProperty('spec'));

  test('a kind of others has none', () => expect(builtinSchemaOf({ group: 'example.com', version: 'v1', kind: 'Widget' })).toBeUndefined());

  test('every reference leads somewhere', () => {
    const follow = (schema: BuiltinSchema): void => {
      if (schema.$ref !== undefined) expect(referredSchema(schema.$ref)).toBeDefined();
      const below = [schema.items, ...(schema.allOf ?? []), ...Object.values(schema.properties ?? {})];
      for (const part of below) if (part) follow(part);
      if (typeof schema.additionalProperties === 'object') follow(schema.additionalProperties);
    };
    Object.values(builtinSchemas()).forEach(follow);
    expect(() => referredSchema('#/components/schemas/nothing')).toThrow('nothing');
  });

  test('there is no prose in them', () => expect(JSON.stringify(builtinSchemas())).not.toMatch(/"description":"/));

  test('they carry what patches need', () => {
    const { ports } = builtinSchemas()['io.k8s.api.core.v1.Container']!.properties!;
    expect(ports).toMatchObject({ 'x-kubernetes-patch-merge-key': 'containerPort', 'x-kubernetes-patch-strategy': 'merge' });
  });
});
