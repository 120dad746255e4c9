import { describe, expect, test } from 'vitest';
import type { Resource } from '../../api/resource.ts';
import { anObject } from '../../testkit/fake-client.ts';
import { addFinalizer, hasFinalizer, removeFinalizer } from './finalizers.ts';

const THING: Resource = { group: 'test.sickbay.dev', version: 'v1', kind: 'Thing', plural: 'things', namespaced: true };
const OURS = 'test.sickbay.dev/cleanup';
const thing = (finalizers?: string[]) =>
  anObject('Thing', { metadata: { name: 'a', namespace: 'shop', uid: 'uid-1', resourceVersion: '7', ...(finalizers && { finalizers }) } });
const written = (value: readonly string[]) => ({
  kind: 'Patch',
  resource: THING,
  key: { namespace: 'shop', name: 'a' },
  uid: 'uid-1',
  resourceVersion: '7',
  operations: [{ op: 'add', path: '/metadata/finalizers', value }],
});

describe('a finalizer among those of other controllers', () => {
  test.each([
    { reason: 'no list', on: undefined, has: false, added: [OURS], removed: [] },
    { reason: 'an empty list', on: [], has: false, added: [OURS], removed: [] },
    { reason: "another controller's only", on: ['other'], has: false, added: ['other', OURS], removed: ['other'] },
    { reason: 'between others', on: ['other', OURS, 'more'], has: true, added: undefined, removed: ['other', 'more'] },
  ])('$reason', ({ on, has, added, removed }) => {
    expect(hasFinalizer(thing(on), OURS)).toBe(has);
    expect(removeFinalizer(THING, thing(on), OURS)).toEqual(written(removed));
    if (added) expect(addFinalizer(THING, thing(on), OURS)).toEqual(written(added));
  });
});
