import { describe, expect, test } from 'vitest';
import { crdOf, defineKind, kinds, type KindDefinition } from '../api/index.ts';
import { enumOf, int32, list, map, object, optional, partial, text, time, flag, intOrString } from '../api/schema/index.ts';
import { badValues, validObjects } from './bad-values.ts';
import { applyEdits } from './bad-values/edits.ts';
import { walk } from './bad-values/walk.ts';

const Parcel = defineKind({
  group: 'example.dev',
  version: 'v1',
  kind: 'Parcel',
  plural: 'parcels',
  shortNames: [],
  description: 'A parcel.',
  columns: [],
  spec: object('S.', {
    to: text('T.', { min: 2, max: 4, pattern: '^[a-z]+$' }),
    weight: optional(int32('W.', { min: 1, max: 9 })),
    stamps: list('L.', object('O.', { id: text('I.') }), { min: 1, max: 2, keys: ['id'] }),
    speed: enumOf('E.', ['fast', 'slow'], { default: 'slow' }),
    notes: optional(map('M.', flag('F.'), { max: 1 })),
    floor: optional(intOrString('N.', { min: 0, max: 5, pattern: '^[0-9]+%$' })),
  }),
  status: partial('S.', { arrivedAt: time('A.') }),
  sample: {
    metadata: { name: 'one', namespace: 'post' },
    spec: { to: 'ann', weight: 3, stamps: [{ id: 'a' }], speed: 'fast', notes: { fragile: true }, floor: '10%' },
    status: { arrivedAt: '2026-03-02T10:00:00Z' },
  },
});

test('every rule of a schema is broken once, in every place', () => {
  expect(badValues(Parcel).map(({ name }) => name)).toEqual([
    'spec: missing',
    'spec.to: missing',
    'spec.stamps: missing',
    'spec: no object',
    'spec.to: no text',
    'spec.to: outside the pattern',
    'spec.to: too short',
    'spec.to: too long',
    'spec.weight: no number',
    'spec.weight: not whole',
    'spec.weight: too small',
    'spec.weight: too large',
    '<nil>: spec.weight beyond 32 bits',
    'spec.stamps: no array',
    'spec.stamps: too few items',
    'spec.stamps: too many items',
    'spec.stamps[1]: duplicate',
    'spec.stamps[0].id: missing',
    'spec.stamps[0]: no object',
    'spec.stamps[0].id: no text',
    'spec.speed: no text',
    'spec.speed: none of the values',
    'spec.notes: no object',
    'spec.notes: too many members',
    'spec.notes.fragile: no boolean',
    'spec.floor: neither number nor text',
    'spec.floor: outside the pattern',
    'spec.floor: too small',
    'spec.floor: too large',
    'status: no object',
    'status.arrivedAt: no text',
    'status.arrivedAt: no moment',
  ]);
});

test('a bad value is the sample with one fault, and the sample stays as it was', () => {
  const before = JSON.stringify(Parcel.sample);
  const short = badValues(Parcel).find(({ name }) => name === 'spec.to: too short');
  expect(short).toEqual({
    name: 'spec.to: too short',
    field: 'spec.to',
    object: { ...Parcel.sample, spec: { ...Parcel.sample.spec, to: 'a' } },
  });
  expect(JSON.stringify(Parcel.sample)).toBe(before);
});

test('faults in the status are for the status subresource', () => {
  for (const { field, subresource } of badValues(Parcel)) expect(subresource).toBe(field.startsWith('status') ? 'status' : undefined);
});

test('faults of text keep to the other rules where they can: a pattern is broken within the length', () => {
  const outside = badValues(Parcel).find(({ name }) => name === 'spec.to: outside the pattern');
  expect(outside && 'object' in outside && outside.object['spec']).toMatchObject({ to: '!!' });
});

describe.each(kinds)('$kind', (kind) => {
  test('no two bad values have one name', () => {
    const names = badValues(kind).map(({ name }) => name);
    expect(names.toSorted()).toEqual([...new Set(names)].toSorted());
  });

  test('each differs from every valid object', () => {
    const valid = new Set(validObjects(kind).map((one) => JSON.stringify(one)));
    expect(badValues(kind).filter((bad) => valid.has(JSON.stringify('object' in bad ? bad.object : bad.after)))).toEqual([]);
  });
});

test('walk meets each place once, with its schema and value', () => {
  const schema = crdOf(Parcel as KindDefinition).spec.versions[0]!.schema!.openAPIV3Schema!;
  const spots = walk(schema, Parcel.sample);
  expect(spots.map(({ field }) => field)).toContain('spec.notes.fragile');
  expect(new Set(spots.map(({ pointer }) => pointer)).size).toBe(spots.length);
});

describe('applyEdits', () => {
  test.each([
    { reason: 'sets a member', edits: { '/a/b': 2 }, want: { a: { b: 2 }, list: [1, 2] } },
    { reason: 'removes a member', edits: { '/a/b': undefined }, want: { a: {}, list: [1, 2] } },
    { reason: 'sets a list item', edits: { '/list/1': 9 }, want: { a: { b: 1 }, list: [1, 9] } },
    { reason: 'takes a slash and a tilde in a name', edits: { '/a/x~1y~0z': 1 }, want: { a: { b: 1, 'x/y~z': 1 }, list: [1, 2] } },
    { reason: 'applies in order', edits: { '/a': {}, '/a/c': 3 }, want: { a: { c: 3 }, list: [1, 2] } },
  ])('$reason', ({ edits, want }) => expect(applyEdits({ a: { b: 1 }, list: [1, 2] }, edits)).toEqual(want));
});
