import { describe, expect, test } from 'vitest';
import { CronJob, DaemonSet, Deployment, Pod, StatefulSet } from '../../api/builtin/index.ts';
import { SECOND } from '../../base/index.ts';
import { createClient, createEventRecorder } from '../../kube/index.ts';
import { EVENTS } from '../../kube/objects/events.ts';
import { ManualClock } from '../../testkit/manual-clock.ts';
import { memoryServer, noProcesses, settle, startCluster } from '../testing/local-world.ts';
import { podEvents } from './pod-events.ts';
import { unplayedWarning } from './unplayed.ts';

const POD = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p', namespace: 'n', uid: 'u', resourceVersion: '1', creationTimestamp: '' },
};
const pod = (status?: Pod['status']): Pod => ({ ...POD, spec: { containers: [] }, ...(status && { status }) }) as Pod;
type State = Exclude<NonNullable<NonNullable<Pod['status']>['containerStatuses']>[number]['state'], undefined>;
const container = (state: State): NonNullable<Pod['status']> => ({
  containerStatuses: [{ name: 'app', image: 'i', ready: false, restartCount: 0, state } as never],
});
const scheduled = { conditions: [{ type: 'PodScheduled', status: 'True' }] } as Pod['status'];

const refused = (message: string) => ({ conditions: [{ type: 'PodScheduled', status: 'False', message }] }) as Pod['status'];

describe('what changes in a pod is told once', () => {
  const running = (startedAt: string) => container({ running: { startedAt } });
  const waiting = (reason: string) => container({ waiting: { reason, message: `${reason}!` } });
  test.each([
    { reason: 'assigned', before: undefined, after: scheduled, want: ['Normal Scheduled'] },
    { reason: 'assigned before', before: scheduled, after: scheduled, want: [] },
    { reason: 'started', before: waiting('ContainerCreating'), after: running('1'), want: ['Normal Started'] },
    { reason: 'still running', before: running('1'), after: running('1'), want: [] },
    { reason: 'started again', before: running('1'), after: running('2'), want: ['Normal Started'] },
    { reason: 'backs off', before: running('1'), after: waiting('CrashLoopBackOff'), want: ['Warning BackOff'] },
    { reason: 'still backs off', before: waiting('CrashLoopBackOff'), after: waiting('CrashLoopBackOff'), want: [] },
    { reason: 'no image', before: waiting('ContainerCreating'), after: waiting('ErrImagePull'), want: ['Warning Failed'] },
    { reason: 'no such image', before: waiting('ContainerCreating'), after: waiting('InvalidImageName'), want: ['Warning Failed'] },
    { reason: 'no Secret', before: undefined, after: waiting('CreateContainerConfigError'), want: ['Warning Failed'] },
    { reason: 'fits nowhere', before: undefined, after: refused('0/1'), want: ['Warning FailedScheduling'] },
    { reason: 'still fits nowhere', before: refused('0/1'), after: refused('0/1'), want: [] },
    { reason: 'fits nowhere else', before: refused('0/1'), after: refused('0/2'), want: ['Warning FailedScheduling'] },
    { reason: 'fits at last', before: refused('0/1'), after: scheduled, want: ['Normal Scheduled'] },
    { reason: 'nothing said', before: scheduled, after: undefined, want: [] },
  ])('$reason', ({ before, after, want }) => {
    const told = podEvents(pod(before), after).map((effect) => (effect.kind === 'Event' ? `${effect.type} ${effect.reason}` : effect.kind));
    expect(told).toEqual(want);
  });
});

test('a readiness probe that never succeeds is told when the container starts', () => {
  const probed = (command: readonly string[]): Pod => ({
    ...pod(),
    spec: { containers: [{ name: 'app', image: 'i', readinessProbe: { exec: { command } } }] },
  });
  const after = container({ running: { startedAt: '1' } });
  expect(podEvents(probed(['false']), after)).toMatchObject([
    { reason: 'Started' },
    { type: 'Warning', reason: 'Unhealthy', message: 'Readiness probe failed: false' },
  ]);
  expect(podEvents(probed(['true']), after)).toMatchObject([{ reason: 'Started' }]);
});

test.each([
  [StatefulSet, /does not act on a StatefulSet/],
  [DaemonSet, /does not act on a DaemonSet/],
  [CronJob, /does not act on a CronJob/],
] as const)('of what is not played, %j, people are warned', (resource, says) => expect(unplayedWarning(resource)).toMatch(says));

test('of what is played they are not', () => expect([Deployment, Pod].map(unplayedWarning)).toEqual([undefined, undefined]));

test('a rollout and a StatefulSet leave their Events', async () => {
  const clock = new ManualClock();
  const { transport, admin } = memoryServer(clock);
  const client = createClient(transport);
  const events = createEventRecorder({ client, clock, component: 'local-cluster', instance: 'local' });
  const cluster = await startCluster({ transport, clock, runProcess: noProcesses, events });
  const template = {
    metadata: { labels: { app: 'web' } },
    spec: { containers: [{ name: 'app', image: 'i', command: ['sh', '-c', 'sleep 1h'] }] },
  };
  const spec = { replicas: 1, selector: { matchLabels: { app: 'web' } }, template };
  const metadata = { namespace: 'default', name: 'web' };
  await admin.create(Deployment, { apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec });
  await admin.create(StatefulSet, { apiVersion: 'apps/v1', kind: 'StatefulSet', metadata, spec: { ...spec, serviceName: 'web' } } as never);
  await settle();
  await clock.advance(5 * SECOND);
  await settle();
  const { items } = await admin.list(EVENTS, { namespace: 'default' });
  const told = items.map(({ involvedObject, type, reason }) => `${involvedObject.kind} ${type} ${reason}`).toSorted();
  expect([...new Set(told)]).toEqual([
    'Deployment Normal ScalingReplicaSet',
    'Pod Normal Scheduled',
    'Pod Normal Started',
    'StatefulSet Warning NotPlayed',
  ]);
  await cluster.stop();
});
