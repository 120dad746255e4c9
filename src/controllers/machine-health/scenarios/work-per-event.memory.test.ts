/** How much is done per event: counted, since how long it takes says nothing about the next machine. */
import { afterEach, describe, expect, test } from 'vitest';
import { Node, type NodeCondition } from '../../../api/builtin/index.ts';
import { MachineHealthCheck } from '../../../api/machine-health-check/machine-health-check.ts';
import { Machine } from '../../../api/machine/machine.ts';
import { MINUTE, SECOND, toTime, type Instant } from '../../../base/index.ts';
import { Stage } from '../../testing/stage.ts';
import { createMachineHealthControllers } from '../index.ts';

const NAMESPACE = 'shop';
const key = (name: string) => ({ namespace: NAMESPACE, name });
const nameOf = (i: number): string => `worker-${i}`;

interface Fleet {
  readonly stage: Stage;
  /** Since the last time it was asked. */
  evaluations(): number;
  /** By the plural of the kind. */
  writes(): Readonly<Record<string, number>>;
  /** Questions to the server, by the plural of the kind. */
  reads(): Readonly<Record<string, number>>;
}

let stage: Stage;
/** Since when all Nodes are well. */
let begun: Instant;

afterEach(async () => {
  expect(stage.troubles).toEqual([]);
  await stage.end();
});

/** Machines with a Node each, all judged to be well. */
async function fleet(size: number): Promise<Fleet> {
  let evaluations = 0;
  let writes: Record<string, number> = {};
  let reads: Record<string, number> = {};
  stage = await Stage.start({
    kinds: [Machine, MachineHealthCheck],
    controllers: createMachineHealthControllers(() => ({ allowRemediateAnnotation: false }), { evaluated: () => evaluations++ }),
  });
  stage.intercept = ({ method, path }) => {
    const [, kind = ''] = /\/([a-z]+)\/[^/]+(?:\/status)?$/.exec(path) ?? [];
    if (method === 'GET') reads[kind] = (reads[kind] ?? 0) + 1;
    else if (path.endsWith('/status')) writes[kind] = (writes[kind] ?? 0) + 1;
    return undefined;
  };
  begun = stage.clock.now();
  for (let i = 0; i < size; i++) await createMachine(nameOf(i));
  await stage.admin.create(MachineHealthCheck, {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'MachineHealthCheck',
    metadata: key('example'),
    spec: {
      clusterName: 'here',
      selector: { matchLabels: { role: 'worker' } },
      checks: { unhealthyNodeConditions: [{ type: 'Ready', status: 'Unknown', timeoutSeconds: 300 }] },
      remediation: { triggerIf: { unhealthyLessThanOrEqualTo: '100%' } },
    },
  });
  await untilQuiet(() => writes.machines === size);
  const taken = <T>(value: T, reset: () => void): T => (reset(), value);
  const made: Fleet = {
    stage,
    evaluations: () => taken(evaluations, () => (evaluations = 0)),
    writes: () => taken(writes, () => (writes = {})),
    reads: () => taken(reads, () => (reads = {})),
  };
  expect(made.writes()).toMatchObject({ machines: size });
  made.reads();
  made.evaluations();
  return made;
}

async function untilQuiet(isDone: () => boolean): Promise<void> {
  for (let i = 0; i < 600 && !isDone(); i++) await stage.advance(SECOND / 10);
  await stage.advance(5 * SECOND);
}

async function createMachine(name: string): Promise<void> {
  await stage.admin.create(Node, { apiVersion: 'v1', kind: 'Node', metadata: { name } });
  await say(name, ready('True'));
  await stage.admin.create(Machine, {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Machine',
    metadata: { ...key(name), labels: { role: 'worker' } },
    spec: { clusterName: 'here' },
  });
  await stage.admin.patchStatus(Machine, key(name), { type: 'merge', body: { status: { nodeRef: { name } } } });
}

function ready(status: NodeCondition['status'], since: Instant = stage.clock.now()): NodeCondition {
  return { type: 'Ready', status, reason: 'Kubelet', lastTransitionTime: toTime(since), lastHeartbeatTime: toTime(stage.clock.now()) };
}

async function say(name: string, ...conditions: readonly NodeCondition[]): Promise<void> {
  await stage.admin.patchStatus(Node, { namespace: '', name }, { type: 'merge', body: { status: { conditions } } });
}

describe.each([500, 5_000])('with %i Machines in one check', (size) => {
  test('a Node that changes costs its own Machine', async () => {
    const { evaluations, writes } = await fleet(size);
    await say('worker-7', ready('Unknown'));
    await stage.advance(5 * SECOND);
    expect(evaluations()).toBe(1);
    // Its time still runs: nothing is said of the Machine, and the check counts one fewer.
    expect(writes()).toEqual({ machinehealthchecks: 1 });
    await say('worker-7', ready('True'));
    await stage.advance(5 * SECOND);
    expect(evaluations()).toBe(1);
    expect(writes()).toEqual({ machinehealthchecks: 1 });
  });
});

describe('with 500 Machines in one check', () => {
  test('a condition that no check reads costs nothing', async () => {
    const { evaluations, writes } = await fleet(500);
    const { conditions = [] } = (await stage.admin.get(Node, { namespace: '', name: 'worker-7' })).status ?? {};
    const full = { ...ready('True'), type: 'DiskPressure' };
    for (let i = 0; i < 10; i++) {
      await say('worker-7', ...conditions, { ...full, reason: `Looked${i}` });
      await stage.advance(2 * SECOND);
    }
    expect(evaluations()).toBe(0);
    expect(writes()).toEqual({});
  });

  test('a condition that only a newer check reads has an effect from then on', async () => {
    await fleet(5);
    await stage.admin.create(MachineHealthCheck, {
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind: 'MachineHealthCheck',
      metadata: key('newer'),
      spec: {
        clusterName: 'here',
        selector: { matchLabels: { role: 'worker' } },
        checks: { unhealthyNodeConditions: [{ type: 'DiskPressure', status: 'True', timeoutSeconds: 60 }] },
      },
    });
    await stage.advance(5 * SECOND);
    await say('worker-3', ready('True'), { ...ready('True'), type: 'DiskPressure' });
    await stage.advance(2 * MINUTE);
    const { status } = await stage.admin.get(Machine, key('worker-3'));
    expect(status?.conditions).toContainEqual(expect.objectContaining({ type: 'HealthCheckSucceeded', status: 'False' }));
  });

  test('Nodes that only say again that they are there cost nothing, not even when the check is looked at again', async () => {
    const { evaluations, writes } = await fleet(500);
    for (let i = 0; i < 100; i++) await say(nameOf(i), { ...ready('True'), lastTransitionTime: toTime(begun) });
    await stage.advance(2 * SECOND);
    await say('worker-400', ready('Unknown'));
    await stage.advance(2 * SECOND);
    expect(evaluations()).toBe(1);
    expect(writes()).toEqual({ machinehealthchecks: 1 });
  });

  test('half of them lost at once: each is marked once and requested once, and the check writes its status once a second at most', async () => {
    const { writes, reads } = await fleet(500);
    const since = (stage.clock.now() - 10 * MINUTE) as Instant;
    for (let i = 0; i < 250; i++) await say(nameOf(i), ready('Unknown', since));
    await stage.advance(10 * SECOND);
    const { machines, machinehealthchecks = 0 } = writes();
    expect(machines).toBe(2 * 250);
    expect(machinehealthchecks).toBeLessThanOrEqual(10);
    // For each Machine its own Node, when it is marked and when remediation is requested; the shared Cluster once for all concurrent reads.
    const { nodes, clusters } = reads();
    expect(nodes).toBe(2 * 250);
    expect(clusters).toBeLessThan(300);
    expect(stage.told.filter((reason) => reason === 'MachineMarkedUnhealthy')).toHaveLength(250);
  });

  test('Nodes that come and go are counted every five seconds, and remediation of a Machine that fails meanwhile is requested at once', async () => {
    const { writes } = await fleet(500);
    for (let i = 0; i < 100; i++) {
      await say(nameOf(i), ready('Unknown'));
      await stage.advance(SECOND / 5);
    }
    // At once, and after five, ten and fifteen seconds.
    expect(writes()).toEqual({ machinehealthchecks: 4 });
    await say('worker-400', ready('Unknown', (stage.clock.now() - 10 * MINUTE) as Instant));
    await stage.advance(SECOND);
    const { status } = await stage.admin.get(Machine, key('worker-400'));
    expect(status?.conditions).toContainEqual(expect.objectContaining({ type: 'OwnerRemediated', status: 'False' }));
  });
});
