import { describe, expect, test } from 'vitest';
import { deepFreeze, type JsonObject } from '../../base/index.ts';
import { typeOfKind } from '../typed/typed-node.ts';
import { strategicMergePatch } from './strategic-merge-patch.ts';
import { StrategicPatchError } from './strategic-patch-error.ts';

/** The expectations of this file are what kube-apiserver 1.36 answered to the same patches. */
const CONFIG_MAP = typeOfKind({ group: '', version: 'v1', kind: 'ConfigMap' });
const POD = typeOfKind({ group: '', version: 'v1', kind: 'Pod' });

const MAP = deepFreeze({ metadata: { name: 'm', finalizers: ['x', 'y'] }, data: { a: '1' } });
const SPEC = deepFreeze({
  containers: [
    {
      name: 'a',
      image: 'i:1',
      args: ['p'],
      env: [
        { name: 'A', value: '1' },
        { name: 'B', value: '2' },
      ],
      ports: [{ containerPort: 80, protocol: 'TCP' }, { containerPort: 81 }],
    },
    { name: 'b', image: 'i:2' },
  ],
  volumes: [{ name: 'v', emptyDir: {} }],
});

const [A, B] = SPEC.containers;
const patched = (patch: JsonObject): JsonObject => strategicMergePatch(MAP, patch, CONFIG_MAP);
const respecced = (spec: JsonObject): JsonObject => strategicMergePatch({ spec: SPEC }, { spec }, POD).spec as JsonObject;

describe('maps', () => {
  test.each([
    { reason: 'members are merged', patch: { data: { b: '2' } }, want: { ...MAP, data: { a: '1', b: '2' } } },
    { reason: 'null takes away', patch: { data: null }, want: { metadata: MAP.metadata } },
    { reason: 'null takes nothing away where nothing is', patch: { binaryData: { x: null } }, want: { ...MAP, binaryData: {} } },
    { reason: 'another type replaces', patch: { data: [] }, want: { ...MAP, data: [] } },
    { reason: '$patch replaces', patch: { data: { $patch: 'replace', z: '1' } }, want: { ...MAP, data: { z: '1' } } },
    { reason: '$patch empties', patch: { data: { $patch: 'delete', z: '1' } }, want: { ...MAP, data: {} } },
    { reason: '$patch empties everything', patch: { $patch: 'delete' }, want: {} },
    {
      reason: '$patch means nothing where nothing is',
      patch: { foo: { $patch: 'x', a: 1 }, binaryData: { b: { $patch: 'x' } } },
      want: { ...MAP, binaryData: {} },
    },
    { reason: '$retainKeys', patch: { data: { $retainKeys: ['b'], b: '2' } }, want: { ...MAP, data: { b: '2' } } },
    { reason: 'unknown members are left to the decoder', patch: { foo: { a: 1 } }, want: { ...MAP, foo: { a: 1 } } },
  ])('$reason', ({ patch, want }) => expect(patched(patch)).toEqual(want));

  test('what is not touched is shared', () => expect(patched({ data: { b: '2' } }).metadata).toBe(MAP.metadata));
});

describe('sets', () => {
  const finalizers = (patch: JsonObject): unknown => (patched({ metadata: patch }).metadata as JsonObject).finalizers;

  test.each([
    { reason: 'what is new comes first', patch: { finalizers: ['z'] }, want: ['z', 'x', 'y'] },
    { reason: 'what is known stays where it is', patch: { finalizers: ['y', 'z'] }, want: ['x', 'y', 'z'] },
    { reason: 'values are taken out', patch: { '$deleteFromPrimitiveList/finalizers': ['x'] }, want: ['y'] },
    { reason: 'a text takes nothing out', patch: { '$deleteFromPrimitiveList/finalizers': 'x' }, want: ['x', 'y'] },
    { reason: 'the order alone', patch: { '$setElementOrder/finalizers': ['y', 'x'] }, want: ['y', 'x'] },
    {
      reason: 'the order with something new',
      patch: { '$setElementOrder/finalizers': ['y', 'z', 'x'], finalizers: ['z'] },
      want: ['y', 'z', 'x'],
    },
    { reason: 'the order of what is not there', patch: { '$setElementOrder/ownerReferences': [] }, want: ['x', 'y'] },
  ])('$reason', ({ patch, want }) => expect(finalizers(patch)).toEqual(want));
});

describe('lists with keys', () => {
  test.each([
    { reason: 'an item is merged', containers: [{ name: 'b', image: 'q:1' }], want: [A, { name: 'b', image: 'q:1' }] },
    { reason: 'a new item comes first', containers: [{ name: 'c' }], want: [{ name: 'c' }, A, B] },
    { reason: 'an item is deleted', containers: [{ name: 'a', $patch: 'delete' }], want: [B] },
    { reason: 'the list is replaced', containers: [{ $patch: 'replace' }, { name: 'z' }], want: [{ name: 'z' }] },
    {
      reason: 'lists in items too',
      containers: [{ name: 'a', ports: [{ containerPort: 80, name: 'web' }] }],
      want: [{ ...A, ports: [{ ...A!.ports![0], name: 'web' }, A!.ports![1]] }, B],
    },
    { reason: 'lists without keys are replaced', containers: [{ name: 'a', args: ['q'] }], want: [{ ...A, args: ['q'] }, B] },
    {
      reason: 'deleted, added and ordered at once',
      containers: [
        { name: 'a', '$setElementOrder/env': [{ name: 'C' }, { name: 'B' }], env: [{ name: 'C' }, { name: 'A', $patch: 'delete' }] },
      ],
      want: [{ ...A, env: [{ name: 'C' }, { name: 'B', value: '2' }] }, B],
    },
  ])('$reason', ({ containers, want }) => expect(respecced({ containers }).containers).toEqual(want));

  const ordered = (order: readonly string[], containers?: readonly JsonObject[]): unknown =>
    (
      respecced({ '$setElementOrder/containers': order.map((name) => ({ name })), ...(containers && { containers }) })
        .containers as JsonObject[]
    ).map(({ name }) => name);

  test('the order', () => {
    expect(ordered(['b', 'a'])).toEqual(['b', 'a']);
    expect(ordered(['b', 'c', 'a'], [{ name: 'c' }])).toEqual(['b', 'c', 'a']);
    expect(ordered(['c'], [{ name: 'c' }])).toEqual(['c', 'a', 'b']);
  });

  test.each([
    { reason: '$retainKeys', volume: { name: 'v', $retainKeys: ['name', 'hostPath'], hostPath: { path: '/x' } } },
    { reason: 'a null beside what comes instead', volume: { name: 'v', emptyDir: null, hostPath: { path: '/x', type: null } } },
  ])('one source of a volume for another by $reason', ({ volume }) =>
    expect(respecced({ volumes: [volume] }).volumes).toEqual([{ name: 'v', hostPath: { path: '/x' } }]),
  );
});

describe('refused', () => {
  test.each([
    { reason: 'an unknown directive', patch: { data: { $patch: 'frob' } }, says: 'unknown patch type: frob' },
    {
      reason: 'keys to retain that are not all',
      patch: { data: { $retainKeys: ['c'], b: '2' } },
      says: 'invalid patch format of retainKeys',
    },
    { reason: 'keys to retain that are none', patch: { data: { $retainKeys: 'b' } }, says: 'invalid patch format of retainKeys' },
    {
      reason: 'an order without what is added',
      patch: { metadata: { '$setElementOrder/finalizers': ['y'], finalizers: ['z'] } },
      says: "doesn't match $setElementOrder list",
    },
    { reason: 'an order that is none', patch: { metadata: { '$setElementOrder/finalizers': 'q' } }, says: 'received a string' },
    { reason: 'an order of nothing known', patch: { '$setElementOrder/foo': [] }, says: 'for the json field "foo"' },
    { reason: 'items of two types', patch: { metadata: { finalizers: [{}] } }, says: 'list element types are not identical' },
  ])('$reason', ({ patch, says }) => {
    expect(() => patched(patch)).toThrow(StrategicPatchError);
    expect(() => patched(patch)).toThrow(says);
  });

  test.each([
    { containers: [{ image: 'a', $patch: 'delete' }], says: 'does not contain declared merge key: name' },
    { containers: [{ image: 'a' }], says: 'does not contain declared merge key: name' },
    { containers: [{ name: 'a', $patch: 'merge' }], says: 'merging lists cannot yet be specified in the patch' },
    { containers: [{ name: 'a', $patch: 'frob' }], says: 'unknown patch type: frob' },
    { containers: ['a'], says: 'list element types are not identical' },
  ])('$containers', ({ containers, says }) => expect(() => respecced({ containers })).toThrow(says));
});
