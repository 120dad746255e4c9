import { describe, expect, test } from 'vitest';
import type { Machine } from '../../../api/machine/machine.ts';
import { ANNOTATIONS, LABELS } from '../../../api/well-known.ts';
import { selectsMachine, parseCheck, parseCheckSelector } from './parse-check.ts';
import { aHealthCheck, aMachine } from '../testing/a-machine.ts';

const isTarget = (machine: Machine, spec: object = {}): boolean => {
  const read = parseCheck(aHealthCheck(spec));
  if (read.kind === 'invalid') throw new Error(JSON.stringify(read.problems));
  return selectsMachine(read, machine);
};

describe('a check is about', () => {
  test.each<{ title: string; machine: Machine; spec?: object; want: boolean }>([
    { title: '[MH-046] a Machine with its labels', machine: aMachine(), want: true },
    { title: '[MH-046] none without them', machine: aMachine({ metadata: { labels: { role: 'storage' } } }), want: false },
    { title: '[MH-047] none of another namespace', machine: aMachine({ metadata: { namespace: 'elsewhere' } }), want: false },
    { title: 'one of its cluster', machine: aMachine({ spec: { clusterName: 'prod' } }), spec: { clusterName: 'prod' }, want: true },
    {
      title: 'one whose label names its cluster',
      machine: aMachine({ metadata: { labels: { role: 'worker', [LABELS.clusterName]: 'prod' } } }),
      spec: { clusterName: 'prod' },
      want: true,
    },
    { title: 'none of another cluster', machine: aMachine({ spec: { clusterName: 'test' } }), spec: { clusterName: 'prod' }, want: false },
    {
      title: 'none that is paused, whatever is written there',
      machine: aMachine({ metadata: { annotations: { [ANNOTATIONS.paused]: 'false' } } }),
      want: false,
    },
    {
      title: 'none that is to be left alone',
      machine: aMachine({ metadata: { annotations: { [ANNOTATIONS.skipRemediation]: '' } } }),
      want: false,
    },
    { title: 'one that is being deleted', machine: aMachine({ metadata: { deletionTimestamp: '2026-01-10T11:00:00Z' } }), want: true },
    { title: '[MH-156] one without an owner, or with any', machine: aMachine({ metadata: { ownerReferences: [] } }), want: true },
  ])('$title', ({ machine, spec, want }) => expect(isTarget(machine, spec)).toBe(want));
});

describe('what cannot be carried out names its field', () => {
  test.each([
    { title: 'a selector without terms', spec: { selector: {} }, field: 'spec.selector' },
    {
      title: 'a selector with an operator that there is not',
      spec: { selector: { matchExpressions: [{ key: 'a', operator: 'Within', values: ['b'] }] } },
      field: 'spec.selector',
    },
    {
      title: 'a selector that is none',
      spec: { selector: { matchExpressions: [{ key: 'a', operator: 'In', values: [] }] } },
      field: 'spec.selector',
    },
    { title: 'a share with a blank', spec: { maxUnhealthy: '40 %' }, field: 'spec.maxUnhealthy' },
    { title: 'a negative number', spec: { maxUnhealthy: -1 }, field: 'spec.maxUnhealthy' },
    { title: 'a range that ends before it begins', spec: { unhealthyRange: '[3-1]' }, field: 'spec.unhealthyRange' },
  ])('$title', ({ spec, field }) => {
    const read = parseCheck(aHealthCheck(spec));
    expect(read).toMatchObject({ kind: 'invalid', problems: [{ field }] });
  });
});

test('whom a check is about is read even where the rest cannot be: another controller may read it', () => {
  const check = aHealthCheck({ maxUnhealthy: '150%', unhealthyRange: '[3-1]' });
  expect(parseCheck(check).kind).toBe('invalid');
  const scope = parseCheckSelector(check);
  expect(scope.kind === 'valid' && selectsMachine(scope, aMachine())).toBe(true);
  expect(parseCheckSelector(aHealthCheck({ selector: {} })).kind).toBe('invalid');
});
