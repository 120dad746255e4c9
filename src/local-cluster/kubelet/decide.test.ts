import { describe, expect, test } from 'vitest';
import type { Node, Pod } from '../../api/builtin/index.ts';
import type { Read } from '../../runtime/reconcile/controller.ts';
import { aContainerStatus, aPod, at, effectText, script, timeAt } from '../testing/builders.ts';
import { programOf } from './container-program.ts';
import { decide } from './decide.ts';
import type { PodSeen } from './observe.ts';

const node = (spec: Node['spec'] = {}): Read<Node> => ({
  kind: 'value',
  value: { apiVersion: 'v1', kind: 'Node', metadata: { ...aPod({}).metadata, name: 'local' }, spec },
});

const candidates = (only: Read<Node>): PodSeen['candidates'] =>
  only.kind === 'unreadable' ? only : { kind: 'value', value: only.kind === 'value' ? [{ node: only.value, pods: [] }] : [] };

const see = (object: Pod, extra: Partial<PodSeen> = {}): PodSeen => ({
  object,
  node: node(),
  candidates: candidates(node()),
  programs: object.spec.containers.map((container) => programOf(container, object.spec, (image) => image.startsWith('workflows'))),
  process: { kind: 'unknown' },
  life: 'this-life',
  ...extra,
});

const free = { nodeName: undefined as never };
const workflow = { name: 'app', image: 'workflows:1', args: ['rollback'] };
const task = { restartPolicy: 'Never' as const, containers: [workflow] };
const leaving = { deletionTimestamp: timeAt(0), deletionGracePeriodSeconds: 30 };
const running = aContainerStatus({ running: { startedAt: timeAt(1) } });
const ours = { ...running, containerID: 'process://this-life' };
const startTime = timeAt(0);

interface Case {
  readonly name: string;
  readonly reason: string;
  readonly seen: PodSeen;
  readonly seconds?: number;
  readonly effects: readonly string[];
  /** Undefined: the status is left alone. */
  readonly phase?: string;
  readonly wakes: boolean;
}

const cases: readonly Case[] = [
  {
    name: 'new',
    reason: 'it gets the node',
    seen: see(aPod({ spec: free })),
    effects: ['Patch pod-1 /spec/nodeName="local"'],
    wakes: true,
  },
  {
    name: 'gated',
    reason: 'it waits for the owner of the gate',
    seen: see(aPod({ spec: { ...free, schedulingGates: [{ name: 'x' }] } })),
    effects: [],
    wakes: true,
  },
  {
    name: 'no node',
    reason: 'people can see why it waits',
    seen: see(aPod({ spec: free }), { candidates: candidates({ kind: 'absent' }) }),
    effects: [],
    phase: 'Pending',
    wakes: true,
  },
  {
    name: 'node cordoned',
    reason: 'it waits',
    seen: see(aPod({ spec: free }), { candidates: candidates(node({ unschedulable: true })) }),
    effects: [],
    phase: 'Pending',
    wakes: true,
  },
  {
    name: 'node unreadable',
    reason: 'not known is not absent',
    seen: see(aPod({ spec: free }), { candidates: candidates({ kind: 'unreadable', reason: 'no' }) }),
    effects: [],
    wakes: true,
  },
  { name: 'on another node', reason: 'none of our business', seen: see(aPod({ spec: { nodeName: 'other' } })), effects: [], wakes: false },
  { name: 'taken on', reason: 'its container is being created', seen: see(aPod({})), effects: [], phase: 'Pending', wakes: true },
  {
    name: 'created',
    reason: 'it runs',
    seen: see(aPod({ status: { startTime } })),
    seconds: 1,
    effects: [],
    phase: 'Running',
    wakes: true,
  },
  {
    name: 'a process, created',
    reason: 'its start is recorded, then it is started',
    seen: see(aPod({ spec: task, status: { startTime } })),
    seconds: 1,
    effects: ['Call start-process pod-1'],
    phase: 'Running',
    wakes: true,
  },
  {
    name: 'a process, recorded but not started',
    reason: 'no other process can have started it since this one started',
    seen: see(aPod({ spec: task, status: { startTime, containerStatuses: [ours] } })),
    seconds: 9,
    effects: ['Call start-process pod-1'],
    phase: 'Running',
    wakes: true,
  },
  {
    name: 'a process that runs',
    reason: 'it is not started twice',
    seen: see(aPod({ spec: task, status: { startTime, containerStatuses: [ours] } }), { process: { kind: 'running' } }),
    seconds: 9,
    effects: [],
    phase: 'Running',
    wakes: true,
  },
  {
    name: 'a process that went well',
    reason: 'final',
    seen: see(aPod({ spec: task, status: { startTime, containerStatuses: [ours] } }), {
      process: { kind: 'ended', exitCode: 0, message: '' },
    }),
    seconds: 9,
    effects: [],
    phase: 'Succeeded',
    wakes: false,
  },
  {
    name: 'a process that failed',
    reason: 'final',
    seen: see(aPod({ spec: task, status: { startTime, containerStatuses: [ours] } }), {
      process: { kind: 'ended', exitCode: 1, message: '' },
    }),
    seconds: 9,
    effects: [],
    phase: 'Failed',
    wakes: false,
  },
  {
    name: 'a process of an earlier life',
    reason: 'it is lost, and never started again',
    seen: see(aPod({ spec: task, status: { startTime, containerStatuses: [running] } })),
    seconds: 9,
    effects: [],
    phase: 'Failed',
    wakes: false,
  },
  { name: 'over', reason: 'final', seen: see(aPod({ spec: task, status: { phase: 'Failed' } })), effects: [], wakes: false },
  {
    name: 'to go, its process running',
    reason: 'the process is stopped first; nothing else is said until it is gone',
    seen: see(aPod({ spec: task, metadata: leaving, status: { startTime, containerStatuses: [ours] } }), { process: { kind: 'running' } }),
    effects: ['Call stop-process pod-1'],
    wakes: true,
  },
  {
    name: 'to go, its process ended',
    reason: 'then it may go',
    seen: see(aPod({ spec: task, metadata: leaving, status: { startTime, containerStatuses: [ours] } }), {
      process: { kind: 'ended', exitCode: 143, message: '' },
    }),
    effects: ['Delete pod-1'],
    phase: 'Failed',
    wakes: true,
  },
  {
    name: 'to go',
    reason: 'its containers are ended and it is removed',
    seen: see(aPod({ metadata: leaving, status: { startTime, containerStatuses: [running] } })),
    effects: ['Delete pod-1'],
    phase: 'Failed',
    wakes: true,
  },
  {
    name: 'to go, held by a finalizer',
    reason: 'it was removed as far as we can',
    seen: see(aPod({ metadata: { ...leaving, deletionGracePeriodSeconds: 0 }, status: { startTime, containerStatuses: [running] } })),
    effects: [],
    phase: 'Failed',
    wakes: true,
  },
];

describe('the kubelet decides', () => {
  test.each(cases)('$name: $reason', ({ seen, seconds = 0, effects, phase, wakes }) => {
    const decision = decide(seen, at(seconds));
    expect(decision.effects.map(effectText)).toEqual(effects);
    expect((decision.status as Pod['status'])?.phase).toBe(phase);
    expect(decision.wakeAt !== undefined).toBe(wakes);
    if (decision.wakeAt !== undefined) expect(decision.wakeAt).toBeGreaterThan(at(seconds));
  });

  test('a process gets its own container, whole', () => {
    const [call] = decide(see(aPod({ spec: task, status: { startTime } })), at(1)).effects;
    expect(call).toEqual({ kind: 'Call', run: 'start-process', key: 'pod-1', input: workflow });
  });

  test('the end of a stopped process is reported', () => {
    const pod = aPod({ spec: task, metadata: leaving, status: { startTime, containerStatuses: [ours] } });
    const { status } = decide(see(pod, { process: { kind: 'ended', exitCode: 143, message: 'told to stop' } }), at(5));
    expect((status as Pod['status'])?.containerStatuses?.[0]?.state?.terminated).toMatchObject({ exitCode: 143, message: 'told to stop' });
  });
});

describe('the status of a pod', () => {
  const statusOf = (seen: PodSeen, seconds: number): Pod['status'] => decide(seen, at(seconds)).status as Pod['status'];
  const conditions = (status: Pod['status']): readonly string[] =>
    (status?.conditions ?? []).map(({ type, status: state, reason, message }) => [type, state, reason, message].filter(Boolean).join(' '));

  test('taken on', () => {
    const status = statusOf(see(aPod({})), 3);
    expect(status).toMatchObject({
      phase: 'Pending',
      startTime: timeAt(3),
      containerStatuses: [{ ready: false, state: { waiting: { reason: 'ContainerCreating' } } }],
    });
    expect(conditions(status)).toEqual([
      'Initialized True',
      'Ready False ContainersNotReady containers with unready status: [app]',
      'ContainersReady False ContainersNotReady containers with unready status: [app]',
      'PodScheduled True',
    ]);
  });

  test('running', () => {
    const status = statusOf(see(aPod({ status: { startTime, containerStatuses: [running] } })), 9);
    expect(conditions(status)).toEqual(['Initialized True', 'Ready True', 'ContainersReady True', 'PodScheduled True']);
  });

  test('one of two containers crashes: it runs, but it is not ready', () => {
    const containers = [script('sleep 3600'), { ...script('exit 1'), name: 'side' }];
    const crashed = aContainerStatus({ terminated: { exitCode: 1, startedAt: timeAt(1), finishedAt: timeAt(1) } }, { name: 'side' });
    const status = statusOf(see(aPod({ spec: { containers }, status: { startTime, containerStatuses: [running, crashed] } })), 2);
    expect(status?.phase).toBe('Running');
    expect(conditions(status)[1]).toBe('Ready False ContainersNotReady containers with unready status: [side]');
  });

  test('a condition keeps the time at which it changed', () => {
    const first = statusOf(see(aPod({ status: { startTime, containerStatuses: [running] } })), 9);
    const later = statusOf(see(aPod({ status: first })), 60);
    expect(later).toEqual(first);
  });

  test('no node', () => {
    expect(conditions(statusOf(see(aPod({ spec: free }), { candidates: candidates({ kind: 'absent' }) }), 0))).toEqual([
      'PodScheduled False Unschedulable 0/0 nodes are available.',
    ]);
  });
});

describe('a pod whose node is gone', () => {
  const bound = aPod({ spec: { nodeName: 'worker-1' } });
  const gone = (object: Pod) => see(object, { node: { kind: 'absent' } });
  const marked = (): Pod => ({ ...bound, status: decide(gone(bound), at(0)).status as NonNullable<Pod['status']> });

  test('stays for a while, in which the node may come back', () => {
    expect(decide(gone(bound), at(0))).toMatchObject({ effects: [], wakeAt: at(40) });
    expect(marked().status?.conditions).toMatchObject([{ type: 'DisruptionTarget', reason: 'DeletionByPodGC' }]);
    expect(decide(gone(marked()), at(39))).toEqual({ effects: [], wakeAt: at(40) });
  });

  test('is deleted as one that has failed, at once', () => {
    const decision = decide(gone(marked()), at(40));
    expect(decision.status).toMatchObject({ phase: 'Failed' });
    expect(decision.effects.map(effectText)).toEqual(['Delete pod-1']);
  });

  test('of this process waits for the node to register again', () =>
    expect(decide(gone(aPod({ spec: { nodeName: 'local' } })), at(40)).effects).toEqual([]));
});
