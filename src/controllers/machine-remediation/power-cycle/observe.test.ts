import { describe, expect, test } from 'vitest';
import type { KubeObject, ObjectKey } from '../../../api/meta.ts';
import { after } from '../../../base/index.ts';
import type { Read, Reader } from '../../../runtime/reconcile/controller.ts';
import { aLedger } from '../../budget/testing/builders.ts';
import { DEFAULT_SETTINGS } from '../../settings.ts';
import { observe, type Look } from './observe.ts';
import { PowerNotes } from './host/command-failures.ts';
import { aDeadNode, agoMicro, anIllMachine, aRequest, NOW, OURS } from './testing/builders.ts';
import { SimBmc } from './testing/sim-bmc.ts';

const KEY = { namespace: 'machine-api', name: 'worker-0' };
const ABSENT = { kind: 'absent' } as const;
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
  Machine: valueOf(anIllMachine()),
  Node: valueOf(aDeadNode()),
  Secret: valueOf(SECRET),
  ConfigMap: valueOf(aLedger([])),
};

async function look(change: World = {}, around: Partial<Look> = {}) {
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
  const door = new SimBmc();
  const seen = await observe(KEY, reader, {
    now: NOW,
    settings: DEFAULT_SETTINGS,
    door,
    notes: new PowerNotes(),
    isHere: () => false,
    definitions: 'sickbay',
    ...around,
  });
  return { seen, asked };
}

const inPhase = (phase: 'freeing' | 'waiting' | 'backoff' | 'escalated' | 'power-on', change: object = {}) =>
  valueOf(aRequest({ status: { phase, nextAttemptTime: agoMicro(-60_000), ...change } }));

describe('what is read', () => {
  test('of a request that is gone: nothing', async () => expect((await look({ PowerCycleRemediation: ABSENT })).seen).toBeUndefined());

  test('before an attempt: the Machine and its Node on the server, the budget, the host', async () => {
    const { seen, asked } = await look();
    expect(seen).toMatchObject({
      machine: { kind: 'ill' },
      node: { kind: 'there' },
      power: { kind: 'state', state: 'On' },
      pods: { kind: 'unasked' },
    });
    expect(asked).toEqual(['Machine machine-api/worker-0', 'Node /worker-0', 'MachineHealthChecks ', 'Secret machine-api/worker-0-bmc']);
  });

  test.each([
    { reason: 'the Machine is left alone', change: { Machine: valueOf(anIllMachine({ uid: 'other' })) } },
    { reason: 'the pause is not over', change: { PowerCycleRemediation: inPhase('backoff') } },
    { reason: 'there is no ledger', change: { ConfigMap: ABSENT } },
    { reason: 'the host is on', change: { PowerCycleRemediation: inPhase('waiting') } },
    { reason: 'it was given up', change: { PowerCycleRemediation: inPhase('escalated') } },
    {
      reason: 'nothing is owed and it goes',
      change: { PowerCycleRemediation: valueOf(aRequest({ metadata: { deletionTimestamp: agoMicro(0) } })) },
    },
  ])('not the host, where $reason', async ({ change }) => {
    const { seen, asked } = await look(change);
    expect([seen?.power.kind, asked.some((one) => one.startsWith('Secret'))]).toEqual(['unasked', false]);
  });

  test("the host also without room, where the last one was another's: it may lead elsewhere by now", async () => {
    const status = { phase: 'backoff', anotherHost: true, host: { address: 'https://bmc-0' } } as const;
    const { seen } = await look({ PowerCycleRemediation: valueOf(aRequest({ status })), ConfigMap: ABSENT });
    expect(seen).toMatchObject({ power: { kind: 'state' }, host: status.host });
  });

  test.each(['waiting', 'backoff', 'escalated'] as const)('the host in %s too, where it is owed to be on', async (phase) =>
    expect((await look({ PowerCycleRemediation: inPhase(phase, { switchOnOwed: true }) })).seen?.power.kind).toBe('state'),
  );

  test('nothing at all of one that goes and is not ours any more', async () => {
    const gone = valueOf(aRequest({ metadata: { deletionTimestamp: agoMicro(0), finalizers: ['theirs'] } }));
    expect((await look({ PowerCycleRemediation: gone })).asked).toEqual([]);
  });
});

describe('the Node of a Machine', () => {
  const named = valueOf({ ...anIllMachine(), spec: { clusterName: 'eu-2' } });
  const conditions = ['InfrastructureReady', 'ControlPlaneInitialized'].map((type) => ({
    type,
    status: 'True',
    lastTransitionTime: agoMicro(0),
  }));
  const cluster = valueOf({ metadata: { namespace: 'machine-api', name: 'eu-2' }, status: { conditions } });

  test.each([
    { reason: 'of no cluster by name is here', change: {}, want: 'there' },
    { reason: 'of a cluster that nothing stands for is here', change: { Machine: named }, want: 'there' },
    { reason: 'of another cluster is elsewhere', change: { Machine: named, Cluster: cluster }, want: 'elsewhere' },
    { reason: 'of a cluster that cannot be read is not known', change: { Machine: named, Cluster: UNREADABLE }, want: 'unreadable' },
    { reason: 'that cannot be read is not known', change: { Node: UNREADABLE }, want: 'unreadable' },
    { reason: 'that is gone is none', change: { Node: ABSENT }, want: 'none' },
    { reason: 'that is not named is none', change: { Machine: valueOf({ ...anIllMachine(), status: {} }) }, want: 'none' },
    { reason: 'of a Machine that cannot be read is not known', change: { Machine: UNREADABLE }, want: 'unreadable' },
  ])('$reason', async ({ change, want }) => expect((await look(change)).seen?.node.kind).toBe(want));

  test('is here where the Cluster stands for the one that we run in', async () => {
    const isHere = ({ namespace, name }: ObjectKey): boolean => `${namespace}/${name}` === 'machine-api/eu-2';
    expect((await look({ Machine: named, Cluster: cluster }, { isHere })).seen?.node.kind).toBe('there');
  });

  test('is not known as long as nobody knows which cluster that is: elsewhere nothing would be claimed for it', async () => {
    const { seen, asked } = await look({ Machine: named, Cluster: cluster }, { isHere: () => undefined });
    const why =
      'it is unknown whether Cluster eu-2 is the one that Sickbay runs in: see the condition NodesReachable of the MachineHealthCheck';
    expect(seen).toMatchObject({ node: { kind: 'unreadable', why }, machine: { kind: 'unreadable', why }, power: { kind: 'unasked' } });
    expect(asked).not.toContain('Node /worker-0');
  });

  test.each([
    { reason: 'is seen', read: valueOf(aDeadNode()), want: { node: { kind: 'elsewhere' }, machine: { kind: 'ill' } }, power: 'state' },
    { reason: 'is gone', read: ABSENT, want: { node: { kind: 'elsewhere' }, machine: { kind: 'ill' } }, power: 'state' },
    {
      reason: 'cannot be seen',
      read: UNREADABLE,
      want: { node: { kind: 'elsewhere', unseen: 'no' }, machine: { kind: 'unreadable', why: 'no' } },
      power: 'unasked',
    },
  ])('elsewhere that $reason', async ({ read, want, power }) => {
    const asked: string[] = [];
    const nodeOf: Look['nodeOf'] = ({ namespace, name }, node) => {
      asked.push(`${namespace}/${name} ${node}`);
      return read;
    };
    const { seen } = await look({ Machine: named, Cluster: cluster }, { nodeOf });
    expect(seen).toMatchObject({ ...want, power: { kind: power } });
    expect(asked).toEqual(['machine-api/eu-2 worker-0']);
  });

  test('that was marked is read though the Machine is gone', async () => {
    const { seen } = await look({ Machine: ABSENT, PowerCycleRemediation: inPhase('waiting', { taintedNode: 'worker-9' }) });
    expect([seen?.node.kind, seen?.tainted.kind]).toEqual(['none', 'there']);
  });
});

describe('a Machine whose check', () => {
  const ANNOTATIONS = { 'cluster.x-k8s.io/paused': '' };
  test.each([
    ['is at work is ill', check(), { kind: 'ill' }],
    ['is paused is left alone', check({ annotations: ANNOTATIONS }), { kind: 'left', reason: 'Paused' }],
    ['is gone is left alone', valueOf([]), { kind: 'left', reason: 'NotJudged' }],
    ['cannot be read is not known', UNREADABLE, { kind: 'unreadable' }],
  ])('%s', async (_, MachineHealthCheck, machine) => expect((await look({ MachineHealthCheck })).seen).toMatchObject({ machine }));

  test('has the annotation to keep Cluster API off is ill', async () => {
    const ours = check({ labels: { 'cluster.x-k8s.io/watch-filter': 'sickbay' }, annotations: ANNOTATIONS });
    expect((await look({ MachineHealthCheck: ours }, { definitions: 'cluster-api' })).seen?.machine.kind).toBe('ill');
  });
});

describe('the pods of a Node', () => {
  const off = { door: { powerOf: () => Promise.resolve('Off' as const), tell: () => Promise.resolve('sent' as const) } };
  const marked = valueOf(aDeadNode([OURS]));
  const pods = valueOf([
    { metadata: {}, spec: { containers: [] } },
    { metadata: {}, spec: { containers: [] }, status: { phase: 'Succeeded' } },
  ]);

  test('are counted while it is out of service and off', async () => {
    const { seen, asked } = await look({ PowerCycleRemediation: inPhase('freeing'), Node: marked, Pod: pods }, off);
    expect([seen?.pods, asked.at(-1)]).toEqual([{ kind: 'count', left: 1 }, 'Pods spec.nodeName=worker-0']);
  });

  test.each([
    { reason: 'it is not marked', change: { PowerCycleRemediation: inPhase('freeing') }, around: off, want: 'unasked' },
    { reason: 'its host is on', change: { PowerCycleRemediation: inPhase('freeing'), Node: marked }, around: {}, want: 'unasked' },
    { reason: 'it is another phase', change: { PowerCycleRemediation: inPhase('power-on'), Node: marked }, around: off, want: 'unasked' },
    {
      reason: 'they cannot be read',
      change: { PowerCycleRemediation: inPhase('freeing'), Node: marked, Pod: UNREADABLE },
      around: off,
      want: 'unreadable',
    },
  ])('are not known where $reason', async ({ change, around, want }) => expect((await look(change, around)).seen?.pods.kind).toBe(want));
});

describe('a host', () => {
  test('that says no is a fault, and one of the program is none', async () => {
    const door = new SimBmc();
    door.host('https://bmc-0').fault = 'Unauthorized';
    expect((await look({}, { door })).seen?.power).toMatchObject({ kind: 'fault', fault: 'Unauthorized' });
    const broken: Look['door'] = { powerOf: () => Promise.reject(new TypeError('a bug')), tell: () => Promise.resolve('sent') };
    await expect(look({}, { door: broken })).rejects.toThrow('a bug');
  });

  test.each([
    { secret: ABSENT, says: 'is not there' },
    { secret: UNREADABLE, says: 'cannot be read' },
  ])('whose Secret $says is not asked', async ({ secret, says }) =>
    expect((await look({ Secret: secret })).seen?.power).toMatchObject({
      fault: 'NoAccess',
      message: expect.stringContaining(says) as string,
    }),
  );

  test('is named with its power, as it goes on record', async () =>
    expect((await look()).seen).toMatchObject({ power: { kind: 'state' }, host: { address: 'https://bmc-0' } }));

  const owed = (host?: object) => ({ PowerCycleRemediation: inPhase('power-on', { switchOnOwed: true, ...(host && { host }) }) });
  test.each([
    { reason: 'another one is owed to be on', change: owed({ address: 'https://bmc-of-another' }), want: 'fault' },
    { reason: 'it is owed itself', change: owed({ address: 'https://bmc-0' }), want: 'state' },
    { reason: 'it is owed itself, and its system was named then', change: owed({ address: 'https://bmc-0', system: '/a' }), want: 'state' },
    { reason: 'nobody wrote down to whom it is owed', change: owed(), want: 'state' },
    {
      reason: 'the other one was seen on',
      change: { PowerCycleRemediation: inPhase('power-on', { switchOnOwed: false, host: { address: 'https://bmc-of-another' } }) },
      want: 'state',
    },
  ])('comes to a $want where $reason', async ({ change, want }) => {
    const door = new SimBmc();
    door.host('https://bmc-0').power = 'Off';
    const { seen } = await look(change, { door });
    expect(seen?.power).toMatchObject(
      want === 'state'
        ? { kind: 'state', state: 'Off' }
        : { kind: 'fault', fault: 'NoAccess', message: expect.stringContaining('the Secret leads to https://bmc-0 now') as string },
    );
  });

  test('has the trouble of its last command told', async () => {
    const notes = new PowerNotes();
    notes.set('pcr-0', { fault: 'Refused', message: 'it cannot' });
    expect((await look({}, { notes, now: after(NOW, 1) })).seen?.trouble).toEqual({ fault: 'Refused', message: 'it cannot' });
  });
});
