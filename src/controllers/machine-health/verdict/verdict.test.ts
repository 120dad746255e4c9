import { describe, expect, test } from 'vitest';
import type { NodeCondition } from '../../../api/builtin/index.ts';
import type { NormalisedHealthCheck } from '../../../api/machine-health-check/normalise.ts';
import { ANNOTATIONS, LABELS } from '../../../api/well-known.ts';
import { after, instant, MINUTE, SECOND } from '../../../base/index.ts';
import { applyHealthRules } from './health-rules.ts';
import type { TargetCluster, HealthTarget } from '../targets/target.ts';
import { aCheck, ago, aMachine, aNode, aTarget, NOW, ready, there } from '../testing/a-machine.ts';
import { verdictAt, type HealthVerdict } from './verdict.ts';

const verdictOf = (target: HealthTarget, check: NormalisedHealthCheck = aCheck(), annotationRemediates = false): HealthVerdict =>
  verdictAt(applyHealthRules(target, check, { annotationRemediates }), target, NOW);

const node = (...conditions: readonly NodeCondition[]): HealthTarget => aTarget({ node: there(...conditions) });
const { status: _, ...silent } = aNode();
const noNode = (machine = aMachine({ status: {} })): HealthTarget => aTarget({ machine, node: { kind: 'unnamed' } });

describe('a Node that is there', () => {
  const STATES: readonly { title: string; target: HealthTarget; want: HealthVerdict['kind']; check?: NormalisedHealthCheck }[] = [
    { title: '[MH-023] is well when nothing on it matches', target: node(ready('True', MINUTE)), want: 'healthy' },
    { title: 'is well when it says nothing at all', target: node(), want: 'healthy' },
    {
      title: 'is well where something else has been False for long',
      target: node({ type: 'DiskPressure', status: 'False', lastTransitionTime: ago(60 * MINUTE) }, ready('True', 60 * MINUTE)),
      want: 'healthy',
    },
    { title: 'is well before it has a status', target: aTarget({ node: { kind: 'there', node: silent } }), want: 'healthy' },
    { title: '[MH-019] [MH-062] Ready=False for 5m and a second', target: node(ready('False', 5 * MINUTE + SECOND)), want: 'unhealthy' },
    {
      title: '[MH-019] [MH-063] Ready=Unknown for 5m and a second',
      target: node(ready('Unknown', 5 * MINUTE + SECOND)),
      want: 'unhealthy',
    },
    { title: '[MH-024] [MH-064] Ready=False for 4m59s', target: node(ready('False', 5 * MINUTE - SECOND)), want: 'waiting' },
    { title: '[MH-024] Ready=False for exactly 5m', target: node(ready('False', 5 * MINUTE)), want: 'waiting' },
    {
      title: '[MH-018] any condition type, of whatever detector',
      target: node({ type: 'DiskOnFire', status: 'True', lastTransitionTime: ago(2 * MINUTE) }),
      check: aCheck({ nodeConditions: [{ type: 'DiskOnFire', status: 'True', timeoutMs: MINUTE }] }),
      want: 'unhealthy',
    },
    { title: 'a limit of 0', target: node(ready('False', SECOND)), check: zeroLimit(), want: 'unhealthy' },
    { title: 'a limit of 0, this very second', target: node(ready('False', 0)), check: zeroLimit(), want: 'waiting' },
    { title: 'no entries in the check', target: node(ready('False', 60 * MINUTE)), check: aCheck({ nodeConditions: [] }), want: 'healthy' },
    { title: 'a condition that does not say since when', target: node({ type: 'Ready', status: 'False' }), want: 'unjudged' },
    {
      title: 'Ready=False for 5m and a second, and its Machine is being deleted',
      target: aTarget({
        machine: aMachine({ metadata: { deletionTimestamp: ago(MINUTE) } }),
        node: there(ready('False', 5 * MINUTE + SECOND)),
      }),
      want: 'unhealthy',
    },
  ];
  test.each(STATES)('$title: $want', ({ target, check, want }) => expect(verdictOf(target, check).kind).toBe(want));

  function zeroLimit(): NormalisedHealthCheck {
    return aCheck({ nodeConditions: [{ type: 'Ready', status: 'False', timeoutMs: 0 }] });
  }

  test('[MH-025] [MH-029] a state that changes restarts its timeout, and each entry has its own', () => {
    expect(verdictOf(node(ready('Unknown', 3 * MINUTE)))).toEqual({ kind: 'waiting', until: after(NOW, 2 * MINUTE + SECOND) });
  });

  test('[MH-028] each entry is held against its own limit', () => {
    const check = aCheck({
      nodeConditions: [
        { type: 'Ready', status: 'False', timeoutMs: 10 * MINUTE },
        { type: 'MemoryPressure', status: 'True', timeoutMs: MINUTE },
      ],
    });
    const pressed = { type: 'MemoryPressure', status: 'True' as const, lastTransitionTime: ago(2 * MINUTE) };
    expect(verdictOf(node(ready('False', 5 * MINUTE)), check).kind).toBe('waiting');
    expect(verdictOf(node(ready('False', 5 * MINUTE), pressed), check)).toMatchObject({
      kind: 'unhealthy',
      messages: [expect.stringContaining('MemoryPressure')],
    });
  });

  test('is checked again a second after the first limit', () => {
    expect(verdictOf(node(ready('False', MINUTE)))).toEqual({ kind: 'waiting', until: after(NOW, 4 * MINUTE + SECOND) });
    expect(verdictOf(node(ready('False', 5 * MINUTE)))).toEqual({ kind: 'waiting', until: after(NOW, SECOND) });
  });

  test('is checked again a second after the first of several limits, whichever is named first', () => {
    const entries = [
      { type: 'Ready', status: 'False', timeoutMs: 5 * MINUTE },
      { type: 'Ready', status: 'False', timeoutMs: 3 * MINUTE },
      { type: 'Ready', status: 'False', timeoutMs: 4 * MINUTE },
    ] as const;
    for (const nodeConditions of [entries, entries.toReversed()])
      expect(verdictOf(node(ready('False', MINUTE)), aCheck({ nodeConditions }))).toEqual({
        kind: 'waiting',
        until: after(NOW, 2 * MINUTE + SECOND),
      });
  });

  test('says what is wrong, and names the Node', () => {
    expect(verdictOf(node(ready('Unknown', 6 * MINUTE)))).toEqual({
      kind: 'unhealthy',
      fault: 'UnhealthyNode',
      messages: ['Ready of Node worker-0 is Unknown (KubeletSaysSo) for more than 5m0s'],
    });
  });
});

describe('conditions of the Machine itself', () => {
  const check = aCheck({ machineConditions: [{ type: 'NodeHealthy', status: 'False', timeoutMs: MINUTE }] });
  const machine = aMachine({
    status: { nodeRef: { name: 'worker-0' }, conditions: [{ type: 'NodeHealthy', status: 'False', lastTransitionTime: ago(2 * MINUTE) }] },
  });

  test('[MH-022] one criterion is enough', () => {
    expect(verdictOf(aTarget({ machine }), check)).toMatchObject({ kind: 'unhealthy', fault: 'UnhealthyMachine' });
  });

  test('are not looked for in the old style', () => {
    const { conditions, ...rest } = machine.status!;
    const old = aMachine({ status: { ...rest, deprecated: { v1beta1: { conditions: conditions! } } } });
    expect(verdictOf(aTarget({ machine: old }), check)).toEqual({ kind: 'healthy' });
  });

  test('come before those of the Node, and all that timed out are reported', () => {
    const verdict = verdictOf(aTarget({ machine, node: there(ready('False', 6 * MINUTE)) }), check);
    expect(verdict).toMatchObject({
      fault: 'UnhealthyMachine',
      messages: [expect.stringContaining('NodeHealthy of the Machine'), expect.stringContaining('Ready of Node')],
    });
  });
});

describe('a Machine that has no status yet', () => {
  const { status: __, ...bare } = aMachine();
  const machineConditions = [{ type: 'NodeHealthy', status: 'False', timeoutMs: MINUTE }] as const;

  test('is waited for like any other without a Node', () => {
    expect(verdictOf(noNode(bare), aCheck({ machineConditions, nodeStartupTimeoutMs: 90 * MINUTE }))).toEqual({
      kind: 'waiting',
      until: after(NOW, 30 * MINUTE + SECOND),
    });
  });
});

describe('a Machine without a Node', () => {
  const since = (ms: number) => noNode(aMachine({ status: {}, metadata: { creationTimestamp: ago(ms) } }));

  test.each([
    [10 * MINUTE - SECOND, 'waiting'],
    [10 * MINUTE, 'waiting'],
    [10 * MINUTE + SECOND, 'unhealthy'],
  ] as const)('[MH-020] [MH-030] after %d ms: %s', (ms, want) => expect(verdictOf(since(ms)).kind).toBe(want));

  test('[MH-137] is nothing out of the ordinary', () => {
    expect(verdictOf(since(MINUTE))).toEqual({ kind: 'waiting', until: after(NOW, 9 * MINUTE + SECOND) });
    expect(verdictOf(since(11 * MINUTE))).toEqual({
      kind: 'unhealthy',
      fault: 'NodeStartupTimeout',
      messages: ['no Node showed up within 10m0s'],
    });
  });

  test('whose time is not limited is neither healthy nor unhealthy', () => {
    expect(verdictOf(since(60 * MINUTE), aCheck({ nodeStartupTimeoutMs: undefined }))).toEqual({
      kind: 'unjudged',
      why: 'it has no Node yet, and the check sets no startup timeout',
      isUnlimited: true,
    });
  });

  test('whose time is not limited fails by its own conditions all the same', () => {
    const conditions = [{ type: 'NodeHealthy', status: 'False', lastTransitionTime: ago(2 * MINUTE) }] as const;
    const check = aCheck({
      nodeStartupTimeoutMs: undefined,
      machineConditions: [{ type: 'NodeHealthy', status: 'False', timeoutMs: MINUTE }],
    });
    expect(verdictOf(noNode(aMachine({ status: { conditions } })), check)).toEqual({
      kind: 'unhealthy',
      fault: 'UnhealthyMachine',
      messages: ['NodeHealthy of the Machine is False for more than 1m0s'],
    });
  });

  test('whose instance is not there, or which says other things, is waited for from its beginning', () => {
    for (const [type, status] of [
      ['InfrastructureReady', 'False'],
      ['BootstrapConfigReady', 'True'],
    ] as const) {
      const conditions = [{ type, status, lastTransitionTime: ago(MINUTE) }];
      expect(verdictOf(noNode(aMachine({ status: { conditions } }))).kind).toBe('unhealthy');
    }
  });

  const up = (controlPlane: number, infrastructure: number): TargetCluster => ({
    kind: 'other',
    name: 'prod',
    controlPlaneSince: instant(NOW - controlPlane),
    infrastructureSince: instant(NOW - infrastructure),
  });

  test.each([
    { title: 'the control plane', cluster: up(5 * MINUTE, 60 * MINUTE), conditions: [] },
    { title: 'the infrastructure of the cluster', cluster: up(60 * MINUTE, 5 * MINUTE), conditions: [] },
    {
      title: 'its own instance',
      cluster: up(60 * MINUTE, 60 * MINUTE),
      conditions: [{ type: 'InfrastructureReady', status: 'True' as const, lastTransitionTime: ago(5 * MINUTE) }],
    },
  ])('its time runs from when $title was there, where that came last', ({ cluster, conditions }) => {
    const target = { ...noNode(aMachine({ status: { conditions } })), cluster };
    expect(verdictOf(target)).toEqual({ kind: 'waiting', until: after(NOW, 5 * MINUTE + SECOND) });
  });
});

describe('what keeps a Machine from being judged', () => {
  const down: TargetCluster = { kind: 'other', name: 'prod', controlPlaneSince: undefined, infrastructureSince: instant(NOW - MINUTE) };
  const PAUSED: TargetCluster = { kind: 'other', name: 'prod', controlPlaneSince: NOW, infrastructureSince: NOW, isPaused: true };
  const bare: TargetCluster = { kind: 'other', name: 'prod', controlPlaneSince: instant(NOW - MINUTE), infrastructureSince: undefined };

  test.each([
    { title: 'its control plane is not up', change: { cluster: down }, why: 'the control plane of prod is not up yet' },
    { title: 'the infrastructure is not ready', change: { cluster: bare }, why: 'the infrastructure of prod is not ready yet' },
    {
      title: 'its cluster cannot be read',
      change: { cluster: { kind: 'unknown', reason: 'ClusterUnreadable', why: 'no Cluster' } as const },
      why: 'no Cluster',
    },
    { title: 'its cluster is paused', change: { cluster: PAUSED }, why: 'Cluster prod is paused' },
    { title: 'its Node cannot be read', change: { node: { kind: 'unreadable', why: 'no Nodes' } as const }, why: 'no Nodes' },
    {
      title: 'it is being deleted',
      change: { machine: aMachine({ metadata: { deletionTimestamp: ago(MINUTE) } }) },
      why: 'it is being deleted',
    },
    {
      title: 'its Node does not report since when it is unhealthy',
      change: { node: there({ type: 'Ready', status: 'False' }) },
      why: 'Ready of Node worker-0 is False for more than 5m0s, but its last transition time is missing',
    },
    {
      title: 'its Node reports that it will be unhealthy',
      change: { node: there(ready('False', -60 * MINUTE)) },
      why: `Ready of Node worker-0 is False (KubeletSaysSo) for more than 5m0s, but its last transition time, ${ago(-60 * MINUTE)}, is in the future`,
    },
    {
      title: 'its Node reports null as the time',
      change: { node: there({ type: 'Ready', status: 'False', lastTransitionTime: null } as never) },
      why: 'Ready of Node worker-0 is False for more than 5m0s, but its last transition time is missing',
    },
  ])('$title', ({ change, why }) => expect(verdictOf(aTarget(change))).toEqual({ kind: 'unjudged', why }));

  test('a clock that is ahead by less than a minute is believed', () => {
    expect(verdictOf(node(ready('False', -30 * SECOND))).kind).toBe('waiting');
  });

  test('a Machine of the control plane is judged before that is up', () => {
    const machine = aMachine({ metadata: { labels: { [LABELS.controlPlane]: '' } } });
    expect(verdictOf(aTarget({ machine, cluster: down })).kind).toBe('healthy');
  });
});

describe('a Node that is gone', () => {
  test('[MH-021] fails at once', () => {
    expect(verdictOf(aTarget({ node: { kind: 'missing', name: 'worker-0' } }))).toEqual({
      kind: 'unhealthy',
      fault: 'NodeDeleted',
      messages: ['Node worker-0 is gone'],
    });
  });

  test.each([
    { reason: 'hides nothing that the Machine itself fails by', forMs: 10 * MINUTE, fault: 'UnhealthyMachine', messages: 2 },
    { reason: 'waits for nothing that may yet be wrong with the Machine', forMs: SECOND, fault: 'NodeDeleted', messages: 1 },
  ])('$reason', ({ forMs, fault, messages }) => {
    const disk = { type: 'DiskOk', status: 'False' as const, reason: 'R', message: '', lastTransitionTime: ago(forMs) };
    const machine = aMachine({ status: { nodeRef: { name: 'worker-0' }, conditions: [disk] } });
    const check = aCheck({ machineConditions: [{ type: 'DiskOk', status: 'False', timeoutMs: MINUTE }] });
    const verdict = verdictOf(aTarget({ machine, node: { kind: 'missing', name: 'worker-0' } }), check);
    expect(verdict).toMatchObject({ kind: 'unhealthy', fault });
    expect(verdict).toHaveProperty('messages.length', messages);
    expect(verdict).toHaveProperty(['messages', messages - 1], 'Node worker-0 is gone');
  });
});

describe('[MH-154] the annotation that asks for remediation', () => {
  const target = aTarget({ machine: aMachine({ metadata: { annotations: { [ANNOTATIONS.remediateMachine]: '' } } }) });

  test('has no effect of itself', () => expect(verdictOf(target).kind).toBe('healthy'));
  test.each<{ readonly title: string; readonly cluster: TargetCluster }>([
    {
      title: 'is paused',
      cluster: { kind: 'other', name: 'prod', controlPlaneSince: NOW, infrastructureSince: NOW, isPaused: true },
    },
    { title: 'may be paused', cluster: { kind: 'unknown', reason: 'ClusterUnreadable', why: 'no answer' } },
    { title: 'is gone', cluster: { kind: 'unknown', reason: 'ClusterNotFound', why: 'no Cluster' } },
  ])('has none where its cluster $title', ({ cluster }) => expect(verdictOf({ ...target, cluster }, aCheck(), true).kind).toBe('unjudged'));
  test('has one where the operator allows it', () =>
    expect(verdictOf(target, aCheck(), true)).toEqual({
      kind: 'unhealthy',
      fault: 'HasRemediateAnnotation',
      messages: [`remediation was requested with the annotation ${ANNOTATIONS.remediateMachine}`],
    }));
});
