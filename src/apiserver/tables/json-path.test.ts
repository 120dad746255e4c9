import { describe, expect, test } from 'vitest';
import { jsonPath } from './json-path.ts';

const OBJECT = {
  metadata: { name: 'a', labels: { 'app.kubernetes.io/name': 'web', plain: 'x' } },
  spec: { replicas: 3, empty: null, list: ['a', 'b', 'c'] },
  status: {
    conditions: [
      { type: 'Ready', status: 'True', weight: 2 },
      { type: 'Stale', status: 'False', weight: 5, note: 'old' },
    ],
  },
};

describe('a path', () => {
  const cases: readonly { readonly path: string; readonly found: readonly unknown[]; readonly reason?: string }[] = [
    { path: '.metadata.name', found: ['a'] },
    { path: '.spec.replicas', found: [3] },
    { path: '.spec.empty', found: [null], reason: 'null is there' },
    { path: '.spec.none.deeper', found: [] },
    { path: '.metadata.name.deeper', found: [] },
    { path: '.constructor', found: [], reason: 'only what the object itself has' },
    { path: String.raw`.metadata.labels.app\.kubernetes\.io/name`, found: ['web'] },
    { path: ".metadata.labels['app.kubernetes.io/name']", found: ['web'] },
    { path: '.metadata.labels["plain"]', found: ['x'] },
    { path: '.spec.list[0]', found: ['a'] },
    { path: '.spec.list[-1]', found: ['c'] },
    { path: '.spec.list[3]', found: [] },
    { path: '.spec.list[1:]', found: ['b', 'c'] },
    { path: '.spec.list[:2]', found: ['a', 'b'] },
    { path: '.spec.list[*]', found: ['a', 'b', 'c'] },
    { path: '.metadata.labels.*', found: ['web', 'x'] },
    { path: '..weight', found: [2, 5] },
    { path: ".status.conditions[?(@.type=='Ready')].status", found: ['True'] },
    { path: '.status.conditions[?(@.type == "Stale")].status', found: ['False'] },
    { path: ".status.conditions[?(@.type!='Ready')].type", found: ['Stale'] },
    { path: ".status.conditions[?(@.type=='None')].status", found: [] },
    { path: '.status.conditions[?(@.weight>2)].type', found: ['Stale'] },
    { path: '.status.conditions[?(@.weight>=2)].type', found: ['Ready', 'Stale'] },
    { path: '.status.conditions[?(@.weight<5)].type', found: ['Ready'] },
    { path: '.status.conditions[?(@.weight<=2)].type', found: ['Ready'] },
    { path: '.status.conditions[?(@.weight>"1")].type', found: [], reason: 'numbers are not compared with texts' },
    { path: '.status.conditions[?(@.note)].type', found: ['Stale'], reason: 'what is there' },
  ];
  test.each(cases)('$path', ({ path, found }) => {
    expect(jsonPath(path)?.(OBJECT)).toEqual(found);
  });

  test.each(['metadata', '.a[', '.a[?(x)]', '.a[b]', '.'])('%j is none', (path) => {
    expect(jsonPath(path)).toBeUndefined();
  });
});
