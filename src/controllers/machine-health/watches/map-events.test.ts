import { describe, expect, test } from 'vitest';
import type { Cluster, Node } from '../../../api/builtin/index.ts';
import type { MachineHealthCheck } from '../../../api/machine-health-check/machine-health-check.ts';
import type { Machine } from '../../../api/machine/machine.ts';
import { keyOf, type KubeObject } from '../../../api/meta.ts';
import { resourceName, type Resource } from '../../../api/resource.ts';
import { MINUTE, SECOND } from '../../../base/index.ts';
import type { IndexQuery } from '../../../kube/cache/cache.ts';
import type { WorkloadNodes } from '../../../workload-clusters/index.ts';
import { aHealthCheck, aMachine, aNode, ago, ready } from '../testing/a-machine.ts';
import { mapToChecks, mapToMachines, batchDelayOfCheck } from './map-events.ts';
import { watchesOf } from './watches.ts';

const isCheckedType = (type: string): boolean => type === 'Ready';

const elsewhere = (isLocal: (cluster: string) => boolean = () => false): WorkloadNodes => ({
  get: () => ({ kind: 'absent' }),
  fetch: () => Promise.resolve({ kind: 'absent' }),
  isLocal: ({ name }) => isLocal(name),
  onChange: () => () => undefined,
});

/** A Machine, its cluster, and the Node that it names. */
const machine = (
  name: string,
  clusterName: string | undefined,
  node: string,
  labels: Record<string, string> = { role: 'worker' },
): Machine =>
  aMachine({ metadata: { name, labels }, spec: clusterName === undefined ? {} : { clusterName }, status: { nodeRef: { name: node } } });
const check = (name: string, spec: object = {}, namespace = 'machine-api'): MachineHealthCheck => {
  const object = aHealthCheck(spec);
  return { ...object, metadata: { ...object.metadata, name, namespace, uid: name } };
};
const cluster = (name: string): Cluster => ({
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind: 'Cluster',
  metadata: { name, namespace: 'machine-api', uid: name, resourceVersion: '1', creationTimestamp: ago(0) },
});
const node = (name: string, conditions = [ready('True', MINUTE)]): Node => ({
  ...aNode(conditions),
  metadata: { ...aNode().metadata, name },
});

/** Looks objects up by the indexes that the watches have. */
function looksIn(world: readonly KubeObject[], nodes: WorkloadNodes = elsewhere()) {
  const watches = watchesOf(mapToChecks(isCheckedType, nodes));
  const listed = <T extends KubeObject>(resource: Resource<T>, { index, value }: IndexQuery): readonly T[] => {
    const watch = watches.find((candidate) => resourceName(candidate.resource) === resourceName(resource));
    const by = watch?.indexes?.[index];
    if (!by) throw new Error(`${resource.kind} has no index ${index}`);
    return world.filter(({ kind }) => kind === resource.kind).filter((object) => by(object).includes(value)) as unknown as readonly T[];
  };
  const related = (resource: Resource, by: IndexQuery) => listed(resource, by).map(keyOf);
  const names = (keys: readonly { readonly name: string }[]): readonly string[] => keys.map(({ name }) => name);
  return { machines: mapToMachines(isCheckedType, nodes), checks: mapToChecks(isCheckedType, nodes), related, listed, names };
}

const far = (
  name: string,
  change: 'seen' | 'unseen' | { kind: 'put'; object: Node; before: Node | undefined } | { kind: 'gone'; object: Node },
) => ({
  cluster: { namespace: 'machine-api', name },
  change,
});

describe('a Machine', () => {
  const world = [
    check('workers'),
    check('storage', { selector: { matchLabels: { role: 'storage' } } }),
    check('of-prod', { clusterName: 'prod' }),
    check('of-stage', { clusterName: 'stage' }),
    check('elsewhere', {}, 'other-namespace'),
    check('unclear', { selector: {} }),
  ];
  test.each([
    { what: 'a worker of prod', of: machine('m', 'prod', 'n'), wakes: ['workers', 'of-prod'] },
    { what: 'a worker without a cluster', of: machine('m', undefined, 'n'), wakes: ['workers'] },
    { what: 'another role', of: machine('m', 'prod', 'n', { role: 'storage' }), wakes: ['storage'] },
    { what: 'one that no check selects', of: machine('m', 'prod', 'n', { role: 'none' }), wakes: [] },
  ])('[MH-133] wakes exactly the checks that select it: $what', ({ of, wakes }) => {
    const { checks, related, listed, names } = looksIn(world);
    expect(names(checks.machines(of, related, listed))).toEqual(wakes);
  });
});

describe('a Node', () => {
  const world = [
    machine('here', undefined, 'n'),
    machine('named', 'gone', 'n'),
    machine('prod-0', 'prod', 'n'),
    machine('stage-0', 'stage', 'n', { role: 'storage' }),
    machine('prod-1', 'prod', 'n-1'),
    cluster('prod'),
    cluster('stage'),
    check('workers'),
    check('of-prod', { clusterName: 'prod' }),
    check('storage', { selector: { matchLabels: { role: 'storage' } } }),
  ];
  const changed = (name: string) => ({ kind: 'put', object: node(name, [ready('False', 0)]), before: node(name) }) as const;

  test('[MH-134] of our cluster wakes the Machines on it, and through them their checks; no Machine of another cluster', () => {
    const { machines, checks, related, listed, names } = looksIn(world);
    expect(names(machines.nodes(node('n'), related, listed))).toEqual(['here', 'named']);
    expect(names(checks.nodes(node('n'), related, listed))).toEqual(['workers']);
  });

  test('of our cluster wakes those of a Cluster that turns out to be ours', () => {
    const { machines, checks, related, listed, names } = looksIn(
      world,
      elsewhere((name) => name === 'prod'),
    );
    expect(names(machines.nodes(node('n'), related, listed))).toEqual(['here', 'named', 'prod-0']);
    expect(names(checks.nodes(node('n'), related, listed))).toEqual(['workers', 'of-prod']);
  });

  test('[MH-003] on which there is no Machine wakes no reconciler', () => {
    const { machines, checks, related, listed } = looksIn(world);
    expect(machines.nodes(node('stray'), related, listed)).toEqual([]);
    expect(checks.nodes(node('stray'), related, listed)).toEqual([]);
    expect(machines.nodesElsewhere(far('prod', changed('stray')), related, listed)).toEqual([]);
    expect(checks.nodesElsewhere(far('prod', changed('stray')), related, listed)).toEqual([]);
  });

  test.each([
    { of: 'prod', wakes: ['prod-0'], checked: ['workers', 'of-prod'] },
    { of: 'stage', wakes: ['stage-0'], checked: ['storage'] },
    { of: 'gone', wakes: ['named'], checked: ['workers'] },
  ])('[MH-135] of $of wakes the Machine that is on it there, and its checks', ({ of, wakes, checked }) => {
    const { machines, checks, related, listed, names } = looksIn(world);
    for (const change of [
      changed('n'),
      { kind: 'gone', object: node('n') },
      { kind: 'put', object: node('n'), before: undefined },
    ] as const) {
      expect(names(machines.nodesElsewhere(far(of, change), related, listed))).toEqual(wakes);
      expect(names(checks.nodesElsewhere(far(of, change), related, listed))).toEqual(checked);
    }
  });

  test('of another cluster that only sends a heartbeat wakes no reconciler', () => {
    const { machines, checks, related, listed } = looksIn(world);
    const heartbeat = { ...ready('True', MINUTE), lastHeartbeatTime: ago(0) };
    const change = { kind: 'put', object: node('n', [heartbeat]), before: node('n') } as const;
    expect(machines.nodesElsewhere(far('prod', change), related, listed)).toEqual([]);
    expect(checks.nodesElsewhere(far('prod', change), related, listed)).toEqual([]);
  });

  test('all of a cluster that can be seen again wake its Machines; that they cannot, only its checks', () => {
    const { machines, checks, related, listed, names } = looksIn(world);
    expect(names(machines.nodesElsewhere(far('prod', 'seen'), related, listed))).toEqual(['prod-0', 'prod-1']);
    expect(machines.nodesElsewhere(far('prod', 'unseen'), related, listed)).toEqual([]);
    for (const change of ['seen', 'unseen'] as const)
      expect(names(checks.nodesElsewhere(far('prod', change), related, listed))).toEqual(['workers', 'of-prod']);
  });
});

test('[MH-132] a check wakes the Machines of its namespace, and a Cluster its own', () => {
  const { machines, related, listed, names } = looksIn([machine('a', 'prod', 'n'), machine('b', 'stage', 'n')]);
  expect(names(machines.checks(check('workers'), related, listed))).toEqual(['a', 'b']);
  expect(machines.checks(check('workers', {}, 'other'), related, listed)).toEqual([]);
  expect(names(machines.clusters(cluster('prod'), related, listed))).toEqual(['a']);
});

test.each([
  { what: 'alone with its Machines', says: 'False', ms: 5 * SECOND },
  { what: 'that shares some, as other checks depend on its gate', says: 'True', ms: undefined },
  { what: 'that has not reported yet whether it shares any', says: undefined, ms: undefined },
] as const)('the batch delay of a check $what: $ms', ({ says, ms }) => {
  const said = says === undefined ? [] : [{ type: 'Overlapping', status: says, reason: 'Told', lastTransitionTime: ago(0) }];
  const { listed } = looksIn([{ ...check('workers'), status: { conditions: said } } as KubeObject, check('of-prod')]);
  expect(batchDelayOfCheck({ namespace: 'machine-api', name: 'workers' }, listed)).toBe(ms);
  expect(batchDelayOfCheck({ namespace: 'machine-api', name: 'gone' }, listed)).toBeUndefined();
});
