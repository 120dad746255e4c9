import { describe, expect, test } from 'vitest';
import { after, SECOND, toTime } from '../base/index.ts';
import { diagnose } from './diagnose.ts';
import type { Diagnosis } from './diagnosis.ts';
import type { Evidence } from './evidence.ts';
import { aCrashingPod, aPod, aRevision, ended, evidenceOf, minutesAgo, NOW, TARGET } from './testing/a-deployment.ts';
import { aNode, condition, nodeEvidence } from './testing/a-node.ts';

interface Case {
  readonly name: string;
  readonly reason: string;
  readonly evidence: Evidence;
  readonly kind: Diagnosis['kind'];
  readonly says: string;
}

const restarted = (minutes: number, exitCode = 1, ranSeconds = 1) =>
  aPod('p1', {
    state: { running: { startedAt: toTime(minutesAgo(minutes)) } },
    lastState: ended(exitCode, { at: minutesAgo(minutes), ranMs: ranSeconds * SECOND }),
    restarts: 1,
    ready: true,
  });
const readyFor = (minutes: number) =>
  aPod('p1', { conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: toTime(minutesAgo(minutes)) }] });
const creating = aPod('p1', { state: { waiting: { reason: 'ImagePullBackOff' } } });
const mounting = aPod('p1', { state: { waiting: { reason: 'ContainerCreating' } } });
const unscheduled = aPod('p2', {
  state: {},
  ready: false,
  conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable' }],
});
const fresh = aPod('p2', { state: { running: { startedAt: toTime(after(NOW, -59 * SECOND)) } }, ready: true });
const well = [aPod('p1'), aPod('p2')];

const cases: readonly Case[] = [
  {
    name: 'unreadable',
    reason: 'an unknown state is neither unhealthy nor healthy',
    evidence: { kind: 'Unreadable', target: TARGET, reason: 'listing its Pods: forbidden' },
    kind: 'NotYet',
    says: 'Deployment shop/checkout: listing its Pods: forbidden',
  },
  {
    name: 'absent',
    reason: 'a person knows whether that is as it should be',
    evidence: { kind: 'Absent', target: TARGET },
    kind: 'Unclear',
    says: 'Deployment shop/checkout does not exist',
  },
  {
    name: 'another kind',
    reason: 'no rule knows it',
    evidence: { kind: 'Unsupported', target: { kind: 'Service', name: 'web', namespace: 'shop' } },
    kind: 'Unclear',
    says: 'no rule knows the faults of a Service',
  },
  {
    name: 'a Node',
    reason: 'it has a rule of its own',
    evidence: nodeEvidence(aNode([condition('Ready', 'Unknown')])),
    kind: 'Diagnosed',
    says: 'Node worker-1 is unhealthy',
  },
  { name: 'crash loop', reason: 'the rule knows it', evidence: evidenceOf(), kind: 'Diagnosed', says: 'crashes' },
  {
    name: 'rolled back by a person',
    reason: 'the newest revision runs, whatever came before',
    evidence: evidenceOf([aRevision(4, well, { created: 2 }), aRevision(3, [aCrashingPod('c1')], { created: 9 })]),
    kind: 'NothingWrong',
    says: 'all 2 pods of revision 4 of Deployment shop/checkout are ready',
  },
  {
    name: 'ready for a few seconds',
    reason: 'without a probe a container that crashes is ready too, until it does',
    evidence: evidenceOf([aRevision(4, [aPod('p1'), fresh], { created: 1 })]),
    kind: 'NotYet',
    says: 'has only just started',
  },
  {
    name: 'scaled to zero',
    reason: 'a target without pods has no unhealthy pods',
    evidence: evidenceOf([aRevision(3, [])], { replicas: 0 }),
    kind: 'NothingWrong',
    says: 'scaled to zero',
  },
  {
    name: 'ready, but restarted a moment ago',
    reason: 'it may crash again',
    evidence: evidenceOf([aRevision(3, [restarted(0.9), aPod('p2')], { created: 300 })]),
    kind: 'NotYet',
    says: 'restarted a moment ago',
  },
  {
    name: 'ready, and restarted a moment ago without an error',
    reason: 'a restart is a restart',
    evidence: evidenceOf([aRevision(3, [restarted(0.9, 0), aPod('p2')], { created: 300 })]),
    kind: 'NotYet',
    says: 'restarted a moment ago',
  },
  {
    name: 'ready, but it ran as long before it ended',
    reason: 'it may end again when it has run for as long',
    evidence: evidenceOf([aRevision(3, [restarted(5, 1, 120), aPod('p2')], { created: 300 })]),
    kind: 'NotYet',
    says: 'restarted a moment ago',
  },
  {
    name: 'ready, and running three times longer than before it ended',
    reason: 'it would have ended by now',
    evidence: evidenceOf([aRevision(3, [restarted(6, 1, 120), aPod('p2')], { created: 300 })]),
    kind: 'NothingWrong',
    says: 'none was restarted lately',
  },
  {
    name: 'ready, after one end in days',
    reason: 'a quarter of an hour is long enough for any loop',
    evidence: evidenceOf([aRevision(3, [restarted(15, 1, 500_000), aPod('p2')], { created: 9_000 })]),
    kind: 'NothingWrong',
    says: 'none was restarted lately',
  },
  {
    name: 'ready for less than a minute',
    reason: 'that it stays so is not shown yet',
    evidence: evidenceOf([aRevision(3, [readyFor(0.9), aPod('p2')], { created: 300 })]),
    kind: 'NotYet',
    says: 'has only just started',
  },
  {
    name: 'ready, and restarted a minute ago after a second',
    reason: 'a crash loop would have come round by now',
    evidence: evidenceOf([aRevision(3, [restarted(1), aPod('p2')], { created: 300 })]),
    kind: 'NothingWrong',
    says: 'none was restarted lately',
  },
  {
    name: 'still being rolled out',
    reason: 'pods take a while to start',
    evidence: evidenceOf([aRevision(3, [mounting], { created: 4 }), aRevision(2, well, { created: 300 })]),
    kind: 'NotYet',
    says: 'still being rolled out: 0 of 2 pods of revision 3 are ready (ContainerCreating); revision 2 still serves with 2 ready pods',
  },
  {
    name: 'rolled out, but never ready',
    reason: 'no rule for it yet',
    evidence: evidenceOf([aRevision(3, [creating, unscheduled], { created: 5 })]),
    kind: 'Unclear',
    says: '0 of 2 pods of revision 3 are ready (ImagePullBackOff, Unschedulable), and no rule knows why',
  },
  {
    name: 'one pod missing',
    reason: 'all that exist are ready, but that is not what is wanted',
    evidence: evidenceOf([aRevision(3, [aPod('p1')], { created: 300 })]),
    kind: 'Unclear',
    says: '1 of 2 pods of revision 3 are ready',
  },
  {
    name: 'killed for memory',
    reason: 'no rule for it yet',
    evidence: evidenceOf([aRevision(3, [aCrashingPod('c1', { lastState: ended(137, { reason: 'OOMKilled' }) })])]),
    kind: 'Unclear',
    says: '(OOMKilled)',
  },
  {
    name: 'no ReplicaSet at all',
    reason: 'no controller acts on this Deployment',
    evidence: evidenceOf([]),
    kind: 'Unclear',
    says: '0 of 2 pods are ready',
  },
];

describe('diagnose', () => {
  test.each(cases)('$name: $reason', ({ evidence, kind, says }) => {
    const diagnosis = diagnose(evidence, NOW);
    expect(diagnosis.kind).toBe(kind);
    expect(diagnosis.kind === 'Diagnosed' ? diagnosis.cause : diagnosis.reason).toContain(says);
  });

  test.each(cases.filter(({ kind }) => kind === 'Unclear'))('$name: the advice says where to start', ({ evidence }) =>
    expect(diagnose(evidence, NOW)).toMatchObject({ advice: expect.stringMatching(/kubectl|restore/) as string }),
  );

  test('where no replicas are named, one pod is wanted', () => {
    const { deployment, ...rest } = evidenceOf([aRevision(3, [aPod('p1')], { created: 300 })]);
    const { replicas: _, ...spec } = deployment.spec;
    expect(diagnose({ ...rest, deployment: { ...deployment, spec } }, NOW).kind).toBe('NothingWrong');
  });

  test.each(['KubePodCrashLooping', 'KubeDeploymentReplicasMismatch', 'KubeContainerWaiting', 'BackOff', 'PodRestartsTooOften'])(
    'ready pods are proof against %s',
    (alert) => expect(diagnose(evidenceOf([aRevision(4, well)]), NOW, alert).kind).toBe('NothingWrong'),
  );

  test.each(['HighErrorRate', 'SLOBurn', 'HighLatency', 'CPUThrottlingHigh', 'TargetDown', 'KubePersistentVolumeFillingUp'])(
    'ready pods are no proof against %s: it is handed over',
    (alert) => {
      expect(diagnose(evidenceOf([aRevision(4, well)]), NOW, alert)).toMatchObject({
        kind: 'Unclear',
        reason: `all 2 pods of revision 4 of Deployment shop/checkout are ready, and none was restarted lately, but that is no proof that ${alert} is resolved`,
        advice: expect.stringContaining('kubectl logs -n shop deployment/checkout') as string,
      });
      expect(diagnose(evidenceOf([aRevision(3, [])], { replicas: 0 }), NOW, alert).kind).toBe('Unclear');
    },
  );

  test('a ready Node is proof against alerts on its state, and no other', () => {
    const node = nodeEvidence(aNode());
    expect(['KubeNodeNotReady', 'MachineUnhealthy', 'NodeMemoryPressure'].map((alert) => diagnose(node, NOW, alert).kind)).toEqual(
      Array(3).fill('NothingWrong'),
    );
    expect(diagnose(node, NOW, 'NodeClockSkewDetected')).toMatchObject({
      kind: 'Unclear',
      advice: expect.stringContaining('kubectl describe node worker-1') as string,
    });
  });

  test('a Node that has been ready for less than a minute is waited for', () =>
    expect(diagnose(nodeEvidence(aNode([condition('Ready', 'True', 0.9)])), NOW).kind).toBe('NotYet'));

  test('what is being deleted is not remediated', () => {
    const { deployment, ...rest } = evidenceOf();
    const metadata = { ...deployment.metadata, deletionTimestamp: '2026-11-15T03:00:00Z', finalizers: ['x.io/hold'] };
    expect(diagnose({ ...rest, deployment: { ...deployment, metadata } }, NOW)).toMatchObject({
      kind: 'Unclear',
      reason: 'Deployment shop/checkout is being deleted since 2026-11-15T03:00:00Z, held by finalizers x.io/hold',
    });
  });
});
