import { describe, expect, test } from 'vitest';
import type { ContainerState, Pod, PodCondition } from '../../../../api/builtin/index.ts';
import { aJob, aPod, inState, listed } from '../../testing/builders.ts';
import { jobFailure, evidenceOf } from '../job/job-failure.ts';
import { summarizePods, podEvidence } from './pod-evidence.ts';

type Status = NonNullable<Pod['status']>;

const ran: ContainerState = { terminated: { exitCode: 143, reason: 'Error', startedAt: 'T' } };
const target = (reason: string, message: string, status: 'True' | 'False' = 'True'): PodCondition => ({
  type: 'DisruptionTarget',
  status,
  reason,
  message,
});
const withRun = (status: Status, state: ContainerState = ran): Pod =>
  aPod({ ...status, containerStatuses: [{ name: 'workflow', ready: false, restartCount: 0, state }] });
const ready = (isReady: 'True' | 'False', containersReady: 'True' | 'False'): Status => ({
  phase: 'Running',
  conditions: [
    { type: 'Ready', status: isReady },
    { type: 'ContainersReady', status: containersReady },
  ],
});

interface Case {
  readonly name: string;
  readonly pod: Pod;
  readonly disruption?: string;
  readonly obstacle?: string;
  readonly began: 'yes' | 'no' | 'unsure';
}

const cases: readonly Case[] = [
  {
    name: 'evicted by request',
    pod: withRun({ conditions: [target('EvictionByEvictionAPI', 'evicting')] }),
    disruption: 'EvictionByEvictionAPI',
    began: 'yes',
  },
  {
    name: 'an eviction that was called off',
    pod: withRun({ conditions: [target('EvictionByEvictionAPI', 'evicting', 'False')] }),
    began: 'yes',
  },
  {
    name: 'ended by its node for want of memory',
    pod: withRun({ phase: 'Failed', reason: 'Evicted', message: 'low on resource: memory' }),
    disruption: 'Evicted',
    began: 'yes',
  },
  { name: 'lost with its node', pod: withRun({ phase: 'Failed', reason: 'NodeLost' }), disruption: 'NodeLost', began: 'yes' },
  { name: 'ended for another reason', pod: withRun({ phase: 'Failed', reason: 'DeadlineExceeded' }), began: 'yes' },
  {
    name: 'still at work, whatever its reason says',
    pod: withRun({ phase: 'Running', reason: 'NodeLost' }, { running: {} }),
    began: 'yes',
  },
  {
    name: 'on a node that no longer answers',
    pod: withRun(ready('False', 'True'), { running: {} }),
    disruption: 'NodeNotReady',
    began: 'yes',
  },
  { name: 'not ready, as its node says', pod: withRun(ready('False', 'False'), { running: {} }), began: 'yes' },
  { name: 'ready', pod: withRun(ready('True', 'True'), { running: {} }), began: 'yes' },
  { name: 'over, on a node that no longer answers', pod: withRun({ ...ready('False', 'True'), phase: 'Failed' }), began: 'yes' },
  {
    name: 'rejected by its node',
    pod: aPod({ phase: 'Failed', reason: 'OutOfcpu', message: 'Pod was rejected: Node didn’t have enough resource: cpu' }),
    obstacle: 'OutOfcpu',
    began: 'no',
  },
  {
    name: 'rejected by a node under pressure',
    pod: aPod({ phase: 'Failed', reason: 'Evicted', message: 'Pod was rejected: The node had condition: [MemoryPressure].' }),
    obstacle: 'Evicted',
    began: 'no',
  },
  {
    name: 'evicted, and nothing is left of what it did',
    pod: aPod({ phase: 'Failed', reason: 'Evicted', message: 'low on resource: memory' }),
    disruption: 'Evicted',
    began: 'unsure',
  },
  {
    name: 'a container that cannot be located',
    pod: inState({ terminated: { exitCode: 137, reason: 'ContainerStatusUnknown' } }, 'Failed'),
    began: 'unsure',
  },
  { name: 'being created', pod: inState({ waiting: { reason: 'ContainerCreating' } }, 'Pending'), began: 'no' },
];

describe('what the cluster did to a pod', () => {
  test.each(cases)('$name', ({ pod, disruption, obstacle, began }) => {
    const told = summarizePods([pod]);
    expect({ began: told.began, disruption: told.disruption?.reason, obstacle: told.obstacle?.reason }).toEqual({
      began,
      disruption,
      obstacle,
    });
  });

  test('a pod without evidence counts as begun', () => {
    expect(podEvidence([aPod({ phase: 'Failed' })])).toEqual({ started: true });
    expect(podEvidence([])).toEqual({ started: false });
  });

  test('a node that no longer answers is named', () =>
    expect(summarizePods([withRun(ready('False', 'True'), { running: {} })]).disruption?.message).toBe('node node1 no longer answers'));
});

describe('why a Job failed whose pod the cluster ended', () => {
  const failed = aJob({ ended: { type: 'Failed', reason: 'BackoffLimitExceeded', message: 'limit' } });
  const late = aJob({ ended: { type: 'Failed', reason: 'DeadlineExceeded', message: 'too long' } });
  const evicted = withRun({ conditions: [target('EvictionByEvictionAPI', 'Eviction API: evicting')] });
  const judge = (job: typeof failed, pod: Pod) => jobFailure(job, evidenceOf(job, [pod], undefined, listed()));

  test('the eviction is reported, not the exit that it led to; the exit code is there', () =>
    expect(judge(failed, evicted)).toEqual({
      reason: 'TaskFailed',
      plain: 'its pod was evicted, for example by a drain of its node',
      message: 'EvictionByEvictionAPI: Eviction API: evicting',
      started: true,
      exitCode: 143,
      step: 'workflow',
    }));

  test('no task fails that never began', () => {
    const waiting = withRun(
      { phase: 'Pending', conditions: [target('EvictionByEvictionAPI', 'evicting')] },
      { waiting: { reason: 'ContainerCreating' } },
    );
    expect(judge(failed, waiting)).toMatchObject({ reason: 'Unknown', started: false });
  });

  test('a container that runs out of memory while being evicted counts as out of memory', () => {
    const oom = withRun(
      { conditions: [target('EvictionByEvictionAPI', 'evicting')] },
      { terminated: { exitCode: 137, reason: 'OOMKilled', startedAt: 'T' } },
    );
    expect(judge(failed, oom)).toMatchObject({ reason: 'OOMKilled', exitCode: 137 });
  });

  test('the deadline is reported, not the exit that it led to', () =>
    expect(judge(late, withRun({ phase: 'Failed' }))).toMatchObject({
      reason: 'DeadlineExceeded',
      message: 'too long',
      exitCode: 143,
      plain: 'it did not finish in time',
    }));

  test('a pod that could not begin in its time is reported as such', () =>
    expect(judge(late, inState({ waiting: { reason: 'ContainerCreating' } }, 'Pending'))).toEqual({
      reason: 'DeadlineExceeded',
      plain: 'it could not start in time',
      message: 'too long',
      started: false,
    }));

  test('an injected container that failed is named', () => {
    const status = { name: 'mesh', ready: false, restartCount: 0, state: { terminated: { exitCode: 9, reason: 'Error' } } };
    expect(judge(failed, aPod({ phase: 'Failed', containerStatuses: [status] }))).toMatchObject({
      step: 'mesh',
      message: 'container mesh exited with 9',
    });
  });
});
