import { describe, expect, test } from 'vitest';
import { instant, parseTime, toTime } from '../../../base/index.ts';
import type { Stored } from '../../object.ts';
import { podColumns } from './pod-columns.ts';

const NOW = parseTime('2026-11-15T00:00:00Z')!;
const ago = (seconds: number): string => toTime(instant(NOW - seconds * 1_000));

interface Parts {
  readonly metadata?: object;
  readonly spec?: object;
  readonly status?: object;
}

const pod = ({ metadata = {}, spec = {}, status = {} }: Parts): Stored =>
  ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p', creationTimestamp: ago(60), ...metadata },
    spec: { containers: [{ name: 'a' }, { name: 'b' }], ...spec },
    status: { phase: 'Running', ...status },
  }) as unknown as Stored;

const running = (name: string, more: object = {}): object => ({ name, ready: true, restartCount: 0, state: { running: {} }, ...more });
const waiting = (name: string, reason: string): object => ({ name, ready: false, restartCount: 0, state: { waiting: { reason } } });
const ended = (name: string, terminated: object): object => ({ name, ready: false, restartCount: 0, state: { terminated } });
const isTrue = (type: string): object => ({ type, status: 'True' });

describe('a pod in a table', () => {
  const cases: readonly (Parts & {
    readonly reason: string;
    readonly shown: readonly [ready: string, status: string, restarts: string];
  })[] = [
    { reason: 'nothing is known yet', status: { phase: 'Pending' }, shown: ['0/2', 'Pending', '0'] },
    { reason: 'all run', status: { containerStatuses: [running('a'), running('b')] }, shown: ['2/2', 'Running', '0'] },
    { reason: 'the pod has a reason of its own', status: { phase: 'Failed', reason: 'Evicted' }, shown: ['0/2', 'Evicted', '0'] },
    {
      reason: 'a gate holds it',
      status: { phase: 'Pending', conditions: [{ type: 'PodScheduled', status: 'False', reason: 'SchedulingGated' }] },
      shown: ['0/2', 'SchedulingGated', '0'],
    },
    {
      reason: 'one waits',
      status: { containerStatuses: [running('a'), waiting('b', 'ImagePullBackOff')] },
      shown: ['1/2', 'ImagePullBackOff', '0'],
    },
    {
      reason: 'the first that has something to say counts',
      status: { containerStatuses: [waiting('a', 'CrashLoopBackOff'), waiting('b', 'ErrImagePull')] },
      shown: ['0/2', 'CrashLoopBackOff', '0'],
    },
    { reason: 'by a signal', status: { containerStatuses: [ended('a', { exitCode: 137, signal: 9 })] }, shown: ['0/2', 'Signal:9', '0'] },
    { reason: 'with a code', status: { containerStatuses: [ended('a', { exitCode: 4 })] }, shown: ['0/2', 'ExitCode:4', '0'] },
    {
      reason: 'one is through, the other ready',
      status: { containerStatuses: [ended('a', { exitCode: 0, reason: 'Completed' }), running('b')], conditions: [isTrue('Ready')] },
      shown: ['1/2', 'Running', '0'],
    },
    {
      reason: 'one is through, the other runs in a pod that is not ready',
      status: { containerStatuses: [ended('a', { exitCode: 0, reason: 'Completed' }), running('b')] },
      shown: ['1/2', 'NotReady', '0'],
    },
    {
      reason: 'one is through, the other failed',
      status: {
        phase: 'Failed',
        containerStatuses: [ended('a', { exitCode: 0, reason: 'Completed' }), ended('b', { exitCode: 1, reason: 'OOMKilled' })],
      },
      shown: ['0/2', 'OOMKilled', '0'],
    },
    {
      reason: 'all are through',
      status: { phase: 'Succeeded', containerStatuses: [ended('a', { exitCode: 0, reason: 'Completed' })] },
      shown: ['0/2', 'Completed', '0'],
    },
    {
      reason: 'restarts of all, and the last of them',
      status: {
        containerStatuses: [
          running('a', { restartCount: 2, lastState: { terminated: { finishedAt: ago(300) } } }),
          running('b', { restartCount: 1, lastState: { terminated: { finishedAt: ago(100) } } }),
        ],
      },
      shown: ['2/2', 'Running', '3 (100s ago)'],
    },
    {
      reason: 'it initialises',
      spec: { initContainers: [{ name: 'i' }, { name: 'j' }] },
      status: { phase: 'Pending', initContainerStatuses: [ended('i', { exitCode: 0 }), waiting('j', 'PodInitializing')] },
      shown: ['0/2', 'Init:1/2', '0'],
    },
    {
      reason: 'an init container failed',
      spec: { initContainers: [{ name: 'i' }] },
      status: { phase: 'Pending', initContainerStatuses: [{ ...ended('i', { exitCode: 3 }), restartCount: 2 }] },
      shown: ['0/2', 'Init:ExitCode:3', '2'],
    },
    {
      reason: 'an init container waits for its next try',
      spec: { initContainers: [{ name: 'i' }] },
      status: { phase: 'Pending', initContainerStatuses: [waiting('i', 'CrashLoopBackOff')] },
      shown: ['0/2', 'Init:CrashLoopBackOff', '0'],
    },
    {
      reason: 'a sidecar counts as one of the containers',
      spec: { initContainers: [{ name: 'i', restartPolicy: 'Always' }] },
      status: {
        initContainerStatuses: [running('i', { started: true, restartCount: 5 })],
        containerStatuses: [running('a'), running('b')],
      },
      shown: ['3/3', 'Running', '5'],
    },
    {
      reason: 'it is on its way out',
      metadata: { deletionTimestamp: ago(1) },
      status: { containerStatuses: [running('a'), running('b')] },
      shown: ['2/2', 'Terminating', '0'],
    },
    { reason: 'its node is lost', metadata: { deletionTimestamp: ago(1) }, status: { reason: 'NodeLost' }, shown: ['0/2', 'Unknown', '0'] },
    {
      reason: 'it had ended before it was deleted',
      metadata: { deletionTimestamp: ago(1) },
      status: { phase: 'Succeeded' },
      shown: ['0/2', 'Succeeded', '0'],
    },
    { reason: 'what is no status reads as none', status: { containerStatuses: 'x', conditions: [7] }, shown: ['0/2', 'Running', '0'] },
  ];
  test.each(cases)('$reason', ({ shown, ...parts }) => {
    expect(podColumns.cells(pod(parts), NOW).slice(0, 5)).toEqual(['p', ...shown, '60s']);
  });

  test('wide: where it is and what it waits for', () => {
    const placed = pod({
      spec: { nodeName: 'n1', readinessGates: [{ conditionType: 'Ready' }, { conditionType: 'Other' }] },
      status: { podIPs: [{ ip: '10.0.0.7' }], nominatedNodeName: 'n2', conditions: [isTrue('Ready')] },
    });
    expect(podColumns.cells(placed, NOW).slice(5)).toEqual(['10.0.0.7', 'n1', 'n2', '1/2']);
    expect(podColumns.cells(pod({}), NOW).slice(5)).toEqual(['<none>', '<none>', '<none>', '<none>']);
  });

  test('a pod that is through is marked so', () => {
    expect(podColumns.conditions?.(pod({}))).toEqual([]);
    expect(podColumns.conditions?.(pod({ status: { phase: 'Failed' } }))).toMatchObject([{ type: 'Completed', reason: 'Failed' }]);
  });
});
