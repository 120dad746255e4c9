import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { deepFreeze, isObject, sameJson } from '../../base/index.ts';
import { jsonPatch, JsonPatchError } from './json-patch.ts';
import { mergePatch } from './merge-patch.ts';

const json = fc.jsonValue({ maxDepth: 3 });
const object = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), json);

describe('merge patch', () => {
  test.each([
    { reason: 'replaces', target: { a: 'b' }, patch: { a: 'c' }, want: { a: 'c' } },
    { reason: 'adds', target: { a: 'b' }, patch: { b: 'c' }, want: { a: 'b', b: 'c' } },
    { reason: 'removes', target: { a: 'b', b: 'c' }, patch: { a: null }, want: { b: 'c' } },
    { reason: 'replaces lists whole', target: { a: ['b'] }, patch: { a: ['c', 'd'] }, want: { a: ['c', 'd'] } },
    { reason: 'goes down', target: { a: { b: 'c', d: 'e' } }, patch: { a: { b: 'x', d: null } }, want: { a: { b: 'x' } } },
    { reason: 'makes objects of what is none', target: { a: [1] }, patch: { a: { b: { c: null } } }, want: { a: { b: {} } } },
    { reason: 'of something else replaces', target: { a: 1 }, patch: ['x'], want: ['x'] },
  ])('$reason', ({ target, patch, want }) => {
    expect(mergePatch(deepFreeze(target), patch)).toEqual(want);
  });

  test('again changes nothing, and no null is left from it', () => {
    fc.assert(
      fc.property(object, object, (target, patch) => {
        const once = mergePatch(deepFreeze(target), deepFreeze(patch));
        expect(mergePatch(once, patch)).toEqual(once);
        for (const name in patch) if (patch[name] === null) expect(once).not.toHaveProperty([name]);
      }),
    );
  });

  test('shares what it does not touch', () => {
    const target = { a: { deep: 1 }, b: { deep: 2 } };
    const result = mergePatch(target, { b: { deep: 3 } });
    expect(isObject(result) && result.a).toBe(target.a);
    expect(target.b.deep).toBe(2);
  });
});

describe('JSON patch', () => {
  test.each([
    { reason: 'add to an object', from: { a: 1 }, by: [{ op: 'add', path: '/b', value: 2 }], want: { a: 1, b: 2 } },
    { reason: 'insert into a list', from: [1, 3], by: [{ op: 'add', path: '/1', value: 2 }], want: [1, 2, 3] },
    { reason: 'append by dash', from: [1], by: [{ op: 'add', path: '/-', value: 2 }], want: [1, 2] },
    { reason: 'append by length', from: [1], by: [{ op: 'add', path: '/1', value: 2 }], want: [1, 2] },
    { reason: 'remove from a list', from: [1, 2, 3], by: [{ op: 'remove', path: '/1' }], want: [1, 3] },
    { reason: 'replace', from: { a: { b: 1 } }, by: [{ op: 'replace', path: '/a/b', value: 2 }], want: { a: { b: 2 } } },
    { reason: 'move', from: { a: { b: 1 }, c: {} }, by: [{ op: 'move', from: '/a/b', path: '/c/d' }], want: { a: {}, c: { d: 1 } } },
    { reason: 'copy', from: { a: [1] }, by: [{ op: 'copy', from: '/a', path: '/b' }], want: { a: [1], b: [1] } },
    { reason: 'test that holds', from: { a: { b: [1] } }, by: [{ op: 'test', path: '/a', value: { b: [1] } }], want: { a: { b: [1] } } },
    { reason: 'test that nothing is there', from: {}, by: [{ op: 'test', path: '/a', value: null }], want: {} },
    {
      reason: 'escaped names',
      from: { 'a/b': 1, 'c~d': 2 },
      by: [
        { op: 'remove', path: '/a~1b' },
        { op: 'replace', path: '/c~0d', value: 3 },
      ],
      want: { 'c~d': 3 },
    },
    { reason: 'the whole document', from: { a: 1 }, by: [{ op: 'replace', path: '', value: { b: 2 } }], want: { b: 2 } },
  ])('$reason', ({ from, by, want }) => {
    expect(jsonPatch(deepFreeze(from), by)).toEqual(want);
  });

  test.each([
    { reason: 'a test that fails', by: [{ op: 'test', path: '/a', value: 2 }] },
    { reason: 'a removal of nothing', by: [{ op: 'remove', path: '/x' }] },
    { reason: 'a way through nothing', by: [{ op: 'add', path: '/x/y', value: 1 }] },
    { reason: 'a way through a number', by: [{ op: 'add', path: '/a/y', value: 1 }] },
    { reason: 'past the end', by: [{ op: 'add', path: '/l/2', value: 1 }] },
    { reason: 'no index', by: [{ op: 'remove', path: '/l/x' }] },
    { reason: 'an index with a leading zero', by: [{ op: 'remove', path: '/l/00' }] },
    { reason: 'an unknown operation', by: [{ op: 'frob', path: '/a' }] },
    { reason: 'no operation', by: ['x'] },
    { reason: 'no pointer', by: [{ op: 'add', path: 'a', value: 1 }] },
    { reason: 'a copy from nowhere', by: [{ op: 'copy', path: '/b' }] },
  ])('refuses $reason', ({ by }) => {
    expect(() => jsonPatch({ a: 1, l: [1] }, by)).toThrow(JsonPatchError);
  });

  test('what is added can be tested and removed again', () => {
    fc.assert(
      fc.property(object, json, (document, value) => {
        const added = jsonPatch(deepFreeze(document), [
          { op: 'add', path: '/new', value },
          { op: 'test', path: '/new', value },
        ]);
        expect(sameJson(jsonPatch(added, [{ op: 'remove', path: '/new' }]), document)).toBe(true);
      }),
    );
  });
});
