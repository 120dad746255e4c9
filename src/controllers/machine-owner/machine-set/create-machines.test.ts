import { describe, expect, test } from 'vitest';
import type { MachineSet } from '../../../api/machine-set/machine-set.ts';
import type { Machine } from '../../../api/machine/machine.ts';
import type { Draft } from '../../../api/meta.ts';
import { LABELS } from '../../../api/well-known.ts';
import { planNewMachines } from './create-machines.ts';
import { aMachine, aSet } from '../testing/builders.ts';

/** The one Machine that a set makes which has none. */
function madeBy(set: MachineSet): Draft<Machine> {
  const [effect] = planNewMachines(set, { machines: [], missing: 1, names: new Set() }).effects;
  if (effect?.kind !== 'Create') throw new Error('nothing was made');
  return effect.object as Draft<Machine>;
}

const called = (name: string): MachineSet => {
  const set = aSet();
  return { ...set, metadata: { ...set.metadata, name } };
};

describe('the number in a name', () => {
  const highest = (...names: readonly string[]) =>
    planNewMachines(aSet(), { machines: names.map((name) => aMachine(name)), missing: 0, names: undefined }).created;

  test.each([
    { name: 'workers-1', created: 1 },
    { name: 'workers-12', created: 12, reason: 'it has two digits' },
    { name: 'workers-12-x', created: 0, reason: 'the name has a suffix of another client' },
    { name: 'workers-0', created: 0, reason: 'none is numbered 0' },
    { name: 'more-workers-7', created: 0, reason: 'it is of another set' },
    { name: 'workers-1e3', created: 0, reason: 'that is no number of ours' },
    { name: 'workers-999999999999999', created: 999_999_999_999_999, reason: 'it is the highest' },
    { name: 'workers-1000000000000000', created: 0, reason: 'there must be room to count on' },
    { name: 'workers', created: 0, reason: 'it has none' },
  ])('$name: $created $reason', ({ name, created }) => expect(highest(name)).toBe(created));

  test('that counts is the highest', () => expect(highest('workers-9', 'workers-10', 'workers-2')).toBe(10));
});

describe('the Machine that is made', () => {
  const labels = { role: 'worker' };

  test('has the fields of the template and those that the set adds, and nothing else', () =>
    expect(madeBy(aSet({ clusterName: 'prod', template: { metadata: { labels, annotations: { note: 'x' } }, spec: {} } }))).toStrictEqual({
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind: 'Machine',
      metadata: {
        name: 'workers-1',
        namespace: 'shop',
        labels: { role: 'worker', [LABELS.setName]: 'workers', [LABELS.clusterName]: 'prod' },
        annotations: { note: 'x' },
        finalizers: ['machines.sickbay.dev/lifecycle'],
        ownerReferences: [
          {
            apiVersion: 'cluster.x-k8s.io/v1beta2',
            kind: 'MachineSet',
            name: 'workers',
            uid: 'uid-workers',
            controller: true,
            blockOwnerDeletion: false,
          },
        ],
      },
      spec: { clusterName: 'prod' },
    }));

  test('has neither annotations nor a cluster where none are given', () => {
    const { metadata, spec } = madeBy(aSet({ template: { spec: {} } }));
    expect(metadata).not.toHaveProperty('annotations');
    expect(metadata.labels).toStrictEqual({ [LABELS.setName]: 'workers' });
    expect(spec).toStrictEqual({});
  });

  test('is of the cluster of its template where the set names none', () => {
    const { metadata, spec } = madeBy(aSet({ template: { spec: { clusterName: 'far' } } }));
    expect([metadata.labels?.[LABELS.clusterName], spec.clusterName]).toEqual(['far', 'far']);
  });

  test.each([
    [63, true],
    [64, false],
  ])('of a set with a name of %i characters names it in a label: %s', (length, isNamed) =>
    expect(madeBy(called('x'.repeat(length))).metadata.labels?.[LABELS.setName] !== undefined).toBe(isNamed),
  );
});
