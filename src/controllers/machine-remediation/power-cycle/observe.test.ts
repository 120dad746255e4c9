import { describe, expect, test } from 'vitest';
import type { KubeObject, ObjectKey } from '../../../api/meta.ts';
import { after } from '../../../base/index.ts';
import type { Read, Reader } from '../../../runtime/reconcile/controller.ts';
import { aLedger } from '../../budget/testing/builders.ts';
import { observe, type ObserveContext } from './observe.ts';
import { CommandFailures } from './host/command-failures.ts';
import { aSilentNode, agoMicro, anUnhealthyMachine, aRequest, NOW, OURS, SETTINGS } from './testing/builders.ts';
import { SimBmc } from './testing/sim-bmc.ts';

const KEY = { namespace: 'machine-api', name: 'worker-0' };
const ABSENT = { kind: 'absent' } as const;
const NO_SUCH_KIND = { kind: 'absent', isKindUnknown: true } as const;
const UNREADABLE = { kind: 'unreadable', reason: 'no' } as const;
const valueOf = (value: unknown): Read<never> => ({ kind: 'value', value: value as never });
const text = (plain: string): string => Buffer.from(plain).toString('base64');
const SECRET = { metadata: KEY, data: { address: text('https://bmc-0'), username: text('admin'), password: text('pw') } };

/** What the server has, by kind; what is not named is absent. */
type World = Readonly<Record<string, Read<never>>>;

const check = (metadata: object = {}) => {
  const spec = { selector: { matchLabels: { role: 'worker' } } };
  return valueOf([{ apiVersion: 'cluster.x-k8s.io/v1beta2', metadata: { ...KEY, name: 'workers', ...metadata }, spec }]);
};

const WORLD: World = {
  MachineHealthCheck: check(),
  PowerCycleRemediation: valueOf(aRequest()),
  Machine: valueOf(anUnhealthyMachine()),
  Node: valueOf(aSilentNode()),
  Secret: valueOf(SECRET),
  ConfigMap: valueOf(aLedger([])),
};

async function context(change: World = {}, around: Partial<ObserveContext> = {}) {
  const world = { ...WORLD, ...change };
  const asked: string[] = [];
  const at = ({ kind }: { readonly kind: string }, key?: ObjectKey): Read<KubeObject> => {
    if (key) asked.push(`${kind} ${key.namespace}/${key.name}`);
    return world[kind] ?? ABSENT;
  };
  const reader = {
    get: (resource: { kind: string }) => at(resource),
    list: () => ({ kind: 'value', value: [] }),
    fetch: (resource: { kind: string }, key: ObjectKey) => Promise.resolve(at(resource, key)),
    fetchList: (resource: { kind: string }, options: { fieldSelector?: string }) => {
      asked.push(`${resource.kind}s ${options.fieldSelector ?? ''}`);
      return Promise.resolve(world[resource.kind] ?? { kind: 'value', value: [] });
    },
  } as unknown as Reader;
  const bmc = new SimBmc();
  const seen = await observe(KEY, reader, {
    now: NOW,
    settings: SETTINGS,
    bmc,
    failures: new CommandFailures(),
    isLocalCluster: () => false,
    definitions: 'sickbay',
    ...around,
  });
  return { seen, asked };
}

const inPhase = (phase: 'freeing' | 'waiting' | 'backoff' | 'escalated' | 'power-on', change: object = {}) =>
  valueOf(aRequest({ status: { phase, nextAttemptTime: agoMicro(-60_000), ...change } }));

describe('what is read', () => {
  test('for a request that is gone: nothing', async () => expect((await context({ PowerCycleRemediation: ABSENT })).seen).toBeUndefined());

  test('before an attempt: the Machine and its Node live, the budget, the host', async () => {
    const { seen, asked } = await context();
    expect(seen).toMatchObject({
      machine: { kind: 'eligible' },
      node: { kind: 'value' },
      power: { kind: 'state', state: 'On' },
      pods: { kind: 'not-read' },
    });
    expect(asked).toEqual(['Machine machine-api/worker-0', 'Node /worker-0', 'MachineHealthChecks ', 'Secret machine-api/worker-0-bmc']);
  });

  test.each([
    { reason: 'the Machine is ineligible', change: { Machine: valueOf(anUnhealthyMachine({ uid: 'other' })) } },
    { reason: 'the backoff has not ended', change: { PowerCycleRemediation: inPhase('backoff') } },
    { reason: 'there is no ledger', change: { ConfigMap: ABSENT } },
    { reason: 'the host is on', change: { PowerCycleRemediation: inPhase('waiting') } },
    { reason: 'it escalated', change: { PowerCycleRemediation: inPhase('escalated') } },
    {
      reason: 'it is being deleted with nothing to clean up',
      change: { PowerCycleRemediation: valueOf(aRequest({ metadata: { deletionTimestamp: agoMicro(0) } })) },
    },
  ])('not the host, where $reason', async ({ change }) => {
    const { seen, asked } = await context(change);
    expect([seen?.power.kind, asked.some((one) => one.startsWith('Secret'))]).toEqual(['not-read', false]);
  });

  test('the host also without a budget slot, where the last host was the wrong one: the Secret may point to another one by now', async () => {
    const status = { phase: 'backoff', anotherHost: true, host: { address: 'https://bmc-0' } } as const;
    const { seen } = await context({ PowerCycleRemediation: valueOf(aRequest({ status })), ConfigMap: ABSENT });
    expect(seen).toMatchObject({ power: { kind: 'state' }, host: status.host });
  });

  test.each(['waiting', 'backoff', 'escalated'] as const)('the host in %s too, where it must still be switched on', async (phase) =>
    expect((await context({ PowerCycleRemediation: inPhase(phase, { switchOnOwed: true }) })).seen?.power.kind).toBe('state'),
  );

  test('nothing for a request that is being deleted without our finalizer', async () => {
    const gone = valueOf(aRequest({ metadata: { deletionTimestamp: agoMicro(0), finalizers: ['theirs'] } }));
    expect((await context({ PowerCycleRemediation: gone })).asked).toEqual([]);
  });
});

describe('the Node of a Machine', () => {
  const named = valueOf({ ...anUnhealthyMachine(), spec: { clusterName: 'eu-2' } });
  const conditions = ['InfrastructureReady', 'ControlPlaneInitialized'].map((type) => ({
    type,
    status: 'True',
    lastTransitionTime: agoMicro(0),
  }));
  const cluster = valueOf({ metadata: { namespace: 'machine-api', name: 'eu-2' }, status: { conditions } });

  test.each([
    { reason: 'of a Machine without cluster name is in this cluster', change: {}, want: 'value' },
    { reason: 'of a Cluster that is gone is not known (ruling 123)', change: { Machine: named }, want: 'unreadable' },
    {
      reason: 'of a Cluster where the server has no Clusters is in this cluster',
      change: { Machine: named, Cluster: NO_SUCH_KIND },
      want: 'value',
    },
    { reason: 'of another cluster is in that cluster', change: { Machine: named, Cluster: cluster }, want: 'other-cluster' },
    { reason: 'of a Cluster that cannot be read is unreadable', change: { Machine: named, Cluster: UNREADABLE }, want: 'unreadable' },
    { reason: 'that cannot be read is unreadable', change: { Node: UNREADABLE }, want: 'unreadable' },
    { reason: 'that is gone is absent', change: { Node: ABSENT }, want: 'absent' },
    { reason: 'that is not named is absent', change: { Machine: valueOf({ ...anUnhealthyMachine(), status: {} }) }, want: 'absent' },
    { reason: 'of a Machine that cannot be read is unreadable', change: { Machine: UNREADABLE }, want: 'unreadable' },
  ])('$reason', async ({ change, want }) => expect((await context(change)).seen?.node.kind).toBe(want));

  test('is in this cluster where the Cluster object represents it', async () => {
    const isLocalCluster = ({ namespace, name }: ObjectKey): boolean => `${namespace}/${name}` === 'machine-api/eu-2';
    expect((await context({ Machine: named, Cluster: cluster }, { isLocalCluster })).seen?.node.kind).toBe('value');
  });

  test('is unreadable while it is not known which cluster that is: in another cluster no claim would be made for it', async () => {
    const { seen, asked } = await context({ Machine: named, Cluster: cluster }, { isLocalCluster: () => undefined });
    const why =
      'it is unknown whether Cluster eu-2 is the one that Sickbay runs in: see the condition NodesReachable of the MachineHealthCheck';
    expect(seen).toMatchObject({
      node: { kind: 'unreadable', reason: why },
      machine: { kind: 'unreadable', reason: why },
      power: { kind: 'not-read' },
    });
    expect(asked).not.toContain('Node /worker-0');
  });

  test.each([
    {
      reason: 'is seen',
      read: valueOf(aSilentNode()),
      want: { node: { kind: 'other-cluster' }, machine: { kind: 'eligible' } },
      power: 'state',
    },
    { reason: 'is gone', read: ABSENT, want: { node: { kind: 'other-cluster' }, machine: { kind: 'eligible' } }, power: 'state' },
    {
      reason: 'cannot be read',
      read: UNREADABLE,
      want: { node: { kind: 'other-cluster', unreadable: 'no' }, machine: { kind: 'unreadable', reason: 'no' } },
      power: 'not-read',
    },
  ])('in another cluster that $reason', async ({ read, want, power }) => {
    const asked: string[] = [];
    const nodeOf: ObserveContext['nodeOf'] = ({ namespace, name }, node) => {
      asked.push(`${namespace}/${name} ${node}`);
      return read;
    };
    const { seen } = await context({ Machine: named, Cluster: cluster }, { nodeOf });
    expect(seen).toMatchObject({ ...want, power: { kind: power } });
    expect(asked).toEqual(['machine-api/eu-2 worker-0']);
  });

  test('that was tainted is read although the Machine is gone', async () => {
    const { seen } = await context({ Machine: ABSENT, PowerCycleRemediation: inPhase('waiting', { taintedNode: 'worker-9' }) });
    expect([seen?.node.kind, seen?.tainted.kind]).toEqual(['absent', 'value']);
  });
});

describe('a Machine whose check', () => {
  const ANNOTATIONS = { 'cluster.x-k8s.io/paused': '' };
  test.each([
    ['is active is eligible', check(), { kind: 'eligible' }],
    ['is paused is ineligible', check({ annotations: ANNOTATIONS }), { kind: 'ineligible', reason: 'Paused' }],
    ['is gone is ineligible', valueOf([]), { kind: 'ineligible', reason: 'NotJudged' }],
    ['cannot be read is unreadable', UNREADABLE, { kind: 'unreadable' }],
  ])('%s', async (_, MachineHealthCheck, machine) => expect((await context({ MachineHealthCheck })).seen).toMatchObject({ machine }));

  test('has the annotation that excludes Cluster API is eligible', async () => {
    const ours = check({ labels: { 'cluster.x-k8s.io/watch-filter': 'sickbay' }, annotations: ANNOTATIONS });
    expect((await context({ MachineHealthCheck: ours }, { definitions: 'cluster-api' })).seen?.machine.kind).toBe('eligible');
  });
});

describe('the pods of a Node', () => {
  const off = { bmc: { powerOf: () => Promise.resolve('Off' as const), setPower: () => Promise.resolve('sent' as const) } };
  const marked = valueOf(aSilentNode([OURS]));
  const pods = valueOf([
    { metadata: {}, spec: { containers: [] } },
    { metadata: {}, spec: { containers: [] }, status: { phase: 'Succeeded' } },
  ]);

  test('are counted while it is out of service and off', async () => {
    const { seen, asked } = await context({ PowerCycleRemediation: inPhase('freeing'), Node: marked, Pod: pods }, off);
    expect([seen?.pods, asked.at(-1)]).toEqual([{ kind: 'count', left: 1 }, 'Pods spec.nodeName=worker-0']);
  });

  test.each([
    { reason: 'it is not tainted', change: { PowerCycleRemediation: inPhase('freeing') }, around: off, want: 'not-read' },
    { reason: 'its host is on', change: { PowerCycleRemediation: inPhase('freeing'), Node: marked }, around: {}, want: 'not-read' },
    { reason: 'it is another phase', change: { PowerCycleRemediation: inPhase('power-on'), Node: marked }, around: off, want: 'not-read' },
    {
      reason: 'they cannot be read',
      change: { PowerCycleRemediation: inPhase('freeing'), Node: marked, Pod: UNREADABLE },
      around: off,
      want: 'unreadable',
    },
  ])('are not read, or unreadable, where $reason', async ({ change, around, want }) =>
    expect((await context(change, around)).seen?.pods.kind).toBe(want),
  );
});

describe('a host', () => {
  test('that refuses is a fault, and a program error is not', async () => {
    const bmc = new SimBmc();
    bmc.host('https://bmc-0').fault = 'Unauthorized';
    expect((await context({}, { bmc })).seen?.power).toMatchObject({ kind: 'fault', fault: 'Unauthorized' });
    const broken: ObserveContext['bmc'] = {
      powerOf: () => Promise.reject(new TypeError('a bug')),
      setPower: () => Promise.resolve('sent'),
    };
    await expect(context({}, { bmc: broken })).rejects.toThrow('a bug');
  });

  test.each([
    { secret: ABSENT, says: 'does not exist' },
    { secret: UNREADABLE, says: 'cannot be read' },
  ])('whose Secret $says is not queried', async ({ secret, says }) =>
    expect((await context({ Secret: secret })).seen?.power).toMatchObject({
      fault: 'NoAccess',
      message: expect.stringContaining(says) as string,
    }),
  );

  test('is identified together with its power', async () =>
    expect((await context()).seen).toMatchObject({ power: { kind: 'state' }, host: { address: 'https://bmc-0' } }));

  const owed = (host?: object) => ({ PowerCycleRemediation: inPhase('power-on', { switchOnOwed: true, ...(host && { host }) }) });
  test.each([
    { reason: 'another host must still be switched on', change: owed({ address: 'https://bmc-of-another' }), want: 'fault' },
    { reason: 'this host must still be switched on', change: owed({ address: 'https://bmc-0' }), want: 'state' },
    {
      reason: 'this host must still be switched on, and its system was named then',
      change: owed({ address: 'https://bmc-0', system: '/a' }),
      want: 'state',
    },
    { reason: 'status does not record which host must be switched on', change: owed(), want: 'state' },
    {
      reason: 'the other one was seen on',
      change: { PowerCycleRemediation: inPhase('power-on', { switchOnOwed: false, host: { address: 'https://bmc-of-another' } }) },
      want: 'state',
    },
  ])('comes to a $want where $reason', async ({ change, want }) => {
    const bmc = new SimBmc();
    bmc.host('https://bmc-0').power = 'Off';
    const { seen } = await context(change, { bmc });
    expect(seen?.power).toMatchObject(
      want === 'state'
        ? { kind: 'state', state: 'Off' }
        : { kind: 'fault', fault: 'NoAccess', message: expect.stringContaining('the Secret now points to https://bmc-0') as string },
    );
  });

  test('reports the failure of its last command', async () => {
    const failures = new CommandFailures();
    failures.set('pcr-0', { fault: 'Refused', message: 'it cannot' });
    expect((await context({}, { failures, now: after(NOW, 1) })).seen?.commandFailure).toEqual({ fault: 'Refused', message: 'it cannot' });
  });
});
