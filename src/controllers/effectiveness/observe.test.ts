import { describe, expect, test } from 'vitest';
import type { KubeObject, ObjectKey } from '../../api/meta.ts';
import type { RemediationRequest } from '../../api/remediation-request/remediation-request.ts';
import type { EffectivenessAssessment } from '../../api/effectiveness-assessment/effectiveness-assessment.ts';
import type { Resource } from '../../api/resource.ts';
import { MINUTE, type Instant } from '../../base/index.ts';
import type { FiringAlert, Monitoring, RangeQuery, Sample } from '../../monitoring/index.ts';
import type { Listed, Reader } from '../../runtime/reconcile/controller.ts';
import { DEFAULT_SETTINGS } from '../default-settings.ts';
import { NOT_READ } from '../../kube/client/read.ts';
import { createEffectivenessController } from './index.ts';
import { decide } from './decide.ts';
import { observe, type AssessmentSeen } from './observe.ts';
import { ABSENT, aDeployment, anAssessment, aPod, at, time, UNREADABLE } from './testing/builders.ts';

const seenAt = (now: Instant) => ({ now, settings: DEFAULT_SETTINGS, monitoring: {} });

const endsWithoutExecution = (seen: AssessmentSeen): boolean =>
  (decide(seen, at(6 * MINUTE)).status as EffectivenessAssessment['status'])?.assessmentReason === 'NoExecution';

const KEY = { namespace: 'sickbay-system', name: 'ea-rr' };

interface Answers {
  readonly assessment?: KubeObject;
  readonly target?: unknown;
}

/** A reader that writes down what the server was asked. */
function reading({ assessment, target = { kind: 'value', value: aDeployment() } }: Answers): { reader: Reader; asked: string[] } {
  const asked: string[] = [];
  const reader = {
    get: () => (assessment ? { kind: 'value', value: assessment } : ABSENT),
    fetch: ({ kind }: Resource, { namespace, name }: ObjectKey) => {
      asked.push(`${kind} ${namespace}/${name}`);
      return Promise.resolve(target);
    },
    fetchList: ({ kind }: Resource, { namespace, labelSelector }: { namespace: string; labelSelector: string }) => {
      asked.push(`${kind} ${namespace} ${labelSelector}`);
      return Promise.resolve({ kind: 'value', value: [aPod('a')] });
    },
  } as unknown as Reader;
  return { reader, asked };
}

const assessing = (kind = 'Deployment', apiVersion?: string) =>
  anAssessment(
    { phase: 'Assessing' },
    { remediationTarget: { kind, name: 'checkout', namespace: 'shop', ...(apiVersion !== undefined && { apiVersion }) } },
  );

describe('observe', () => {
  test.each(['Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet'])('[EM-249] %s: it, and its pods by its selector', async (kind) => {
    const { reader, asked } = reading({ assessment: assessing(kind) });
    const seen = await observe(KEY, reader, seenAt(at(6 * MINUTE)));
    expect(asked).toEqual([`${kind} shop/checkout`, 'Pod shop app=checkout']);
    expect(seen?.pods).toMatchObject({ kind: 'value', value: [{ metadata: { name: 'a' } }] });
  });

  test('a selector of several terms is written as the API reads it', async () => {
    const deployment = aDeployment();
    const matchExpressions = [{ key: 'tier', operator: 'In', values: ['web', 'api'] }];
    const value = { ...deployment, spec: { ...deployment.spec, selector: { matchLabels: { app: 'x' }, matchExpressions } } };
    const { reader, asked } = reading({ assessment: assessing(), target: { kind: 'value', value } });
    await observe(KEY, reader, seenAt(at(6 * MINUTE)));
    expect(asked[1]).toBe('Pod shop app=x,tier in (web,api)');
  });

  test('a Pod is its own pod', async () => {
    const { reader, asked } = reading({ assessment: assessing('Pod'), target: { kind: 'value', value: aPod('checkout') } });
    const seen = await observe(KEY, reader, seenAt(at(6 * MINUTE)));
    expect(asked).toEqual(['Pod shop/checkout']);
    expect(seen?.pods).toMatchObject({ kind: 'value', value: [{ metadata: { name: 'checkout' } }] });
  });

  test('a Service has no pods of its own, and a Node no namespace', async () => {
    expect((await observe(KEY, reading({ assessment: assessing('Service') }).reader, seenAt(at(6 * MINUTE))))?.pods).toBeUndefined();
    const { reader, asked } = reading({ assessment: assessing('Node') });
    await observe(KEY, reader, seenAt(at(6 * MINUTE)));
    expect(asked).toEqual(['Node /checkout']);
  });

  test('without the target its pods are not known', async () => {
    const { reader, asked } = reading({ assessment: assessing(), target: UNREADABLE });
    expect(await observe(KEY, reader, seenAt(at(6 * MINUTE)))).toMatchObject({
      target: UNREADABLE,
      pods: NOT_READ,
    });
    expect(asked).toHaveLength(1);
  });

  test('a kind that we do not know is unreadable, never absent', async () => {
    const { reader, asked } = reading({ assessment: assessing('Rollout', 'argoproj.io/v1alpha1') });
    const seen = await observe(KEY, reader, seenAt(at(6 * MINUTE)));
    expect(seen?.target).toEqual({ kind: 'unreadable', reason: 'Rollout is not a kind that can be read' });
    expect(asked).toEqual([]);
  });

  test.each([
    ['before it is assessing', anAssessment({ phase: 'Stabilizing' }), 4 * MINUTE],
    ['after it has ended', anAssessment({ phase: 'Completed' }), 6 * MINUTE],
  ])('nothing is read %s', async (_, assessment, atMs) => {
    const { reader, asked } = reading({ assessment });
    expect(await observe(KEY, reader, seenAt(at(atMs)))).toMatchObject({ target: NOT_READ });
    expect(asked).toEqual([]);
  });

  test('at the deadline the target is read once more, to see whether it is another one by now, and nothing else', async () => {
    const { reader, asked } = reading({ assessment: assessing() });
    expect(await observe(KEY, reader, seenAt(at(30 * MINUTE)))).toMatchObject({ pods: NOT_READ });
    expect(asked).toHaveLength(1);
  });

  const config = { stabilizationWindow: '5m', hashComputeDelay: '4m' };
  test.each([
    ['WaitingForPropagation', 4 * MINUTE - 1, undefined, 0],
    ['WaitingForPropagation', 4 * MINUTE, undefined, 1],
    ['Stabilizing', 5 * MINUTE, undefined, 1],
    ['Stabilizing', 5 * MINUTE, { baselineSpecHash: 'sha256:…' }, 0],
    ['Stabilizing', 9 * MINUTE, undefined, 0],
  ] as const)('of what others apply, in %s at %i ms with %j, the target is read %i times', async (phase, atMs, components, times) => {
    const { reader, asked } = reading({ assessment: anAssessment({ phase, ...(components && { components }) }, { config }) });
    await observe(KEY, reader, seenAt(at(atMs)));
    expect(asked).toHaveLength(times);
  });

  test('what is gone is gone', async () => expect(await observe(KEY, reading({}).reader, seenAt(at(0)))).toBeUndefined());

  test('each pass rests on the settings of its own time', async () => {
    let settings = DEFAULT_SETTINGS;
    const controller = createEffectivenessController(() => settings);
    const { reader } = reading({ assessment: anAssessment({ phase: 'Stabilizing' }) });
    settings = { ...DEFAULT_SETTINGS, validityMs: MINUTE };
    expect((await controller.observe(KEY, reader, at(0)))?.settings).toBe(settings);
  });

  test('the controller follows the assessments of our namespace, and their requests', () => {
    const { watches } = createEffectivenessController(() => DEFAULT_SETTINGS);
    expect(watches.map(({ resource, namespace }) => [resource.kind, namespace])).toEqual([
      ['EffectivenessAssessment', 'sickbay-system'],
      ['RemediationRequest', 'sickbay-system'],
    ]);
    expect(
      watches[0]?.keys(
        anAssessment(),
        () => [],
        () => [],
      ),
    ).toEqual([KEY]);
  });
});

/** Both servers, as far as one look asks them. */
function monitored(alerts: Listed<FiringAlert> = { kind: 'value', value: [] }, samples: Listed<Sample> = { kind: 'value', value: [] }) {
  const asked: string[] = [];
  const windows: RangeQuery[] = [];
  const monitoring: Monitoring = {
    alertmanager: {
      firing: (labels) => {
        asked.push(JSON.stringify(labels));
        return Promise.resolve(alerts);
      },
    },
    prometheus: {
      range: (query) => {
        windows.push(query);
        return Promise.resolve(samples);
      },
    },
  };
  return { asked, windows, monitoring };
}

describe('whom a look asks', () => {
  const look = async (assessment: KubeObject, monitoring: Monitoring, atMs = 6 * MINUTE) =>
    observe(KEY, reading({ assessment }).reader, { ...seenAt(at(atMs)), monitoring });

  test('[EM-055, EM-144, EM-169] Alertmanager for the signal, Prometheus for each metric since the lookback, on the grid', async () => {
    const { asked, windows, monitoring } = monitored();
    const seen = await look(assessing(), monitoring, 6 * MINUTE + 7_000);
    expect(asked).toEqual(['{"alertname":"KubePodCrashLooping","namespace":"shop"}']);
    expect(windows).toHaveLength(4);
    for (const { from, to, stepMs } of windows) expect([from, to, stepMs]).toEqual([at(-30 * MINUTE), at(6 * MINUTE), MINUTE]);
    expect(seen).toMatchObject({ alerts: { kind: 'value' }, metrics: { kind: 'value' } });
  });

  test('the last scrape before the run is asked for, however long the run took', async () => {
    const { windows, monitoring } = monitored();
    await look(anAssessment({ phase: 'Assessing' }, { executionStartedAt: time(-50 * MINUTE) }), monitoring);
    expect(windows.map(({ from }) => from)).toEqual(windows.map(() => at(-51 * MINUTE)));
  });

  test('Prometheus is asked for what the fault is about', async () => {
    const { windows, monitoring } = monitored();
    await look(anAssessment({ phase: 'Assessing' }, { cause: 'OOMKilled: killed at its memory limit' }), monitoring);
    expect(windows.map(({ query }) => query).filter((query) => query.includes('memory_working_set'))).toHaveLength(1);
  });

  test('[EM-118, EM-119] no server, where none is configured', async () =>
    expect(await look(assessing(), {})).toMatchObject({ alerts: { kind: 'off' }, metrics: { kind: 'off' } }));

  test('no server, where there is nothing to ask for', async () => {
    const { asked, windows, monitoring } = monitored();
    const service = { kind: 'Service', name: 'checkout', namespace: 'shop' };
    const assessment = anAssessment({ phase: 'Assessing' }, { signalName: '', remediationTarget: service });
    expect(await look(assessment, monitoring)).toMatchObject({ alerts: { kind: 'off' }, metrics: { kind: 'off' } });
    expect([...asked, ...windows]).toEqual([]);
  });

  test.each<[string, EffectivenessAssessment['status'], number, readonly [number, number]]>([
    ['[EM-168] a millisecond before metrics may be judged', { prometheusCheckAfter: time(6 * MINUTE) }, 6 * MINUTE - 1, [1, 0]],
    ['[EM-146] a millisecond before the alert may be judged', { alertManagerCheckAfter: time(6 * MINUTE) }, 6 * MINUTE - 1, [0, 4]],
    ['at the very time', { alertManagerCheckAfter: time(6 * MINUTE), prometheusCheckAfter: time(6 * MINUTE) }, 6 * MINUTE, [1, 4]],
    ['[EM-123] the alert judged', { components: { alertAssessed: true } }, 6 * MINUTE, [0, 4]],
    ['[EM-123] metrics judged', { components: { metricsAssessed: true } }, 6 * MINUTE, [1, 0]],
    ['[EM-113] at the deadline', {}, 30 * MINUTE, [0, 0]],
  ])('%s', async (_, status, atMs, want) => {
    const { asked, windows, monitoring } = monitored();
    await look(anAssessment({ phase: 'Assessing', ...status }), monitoring, atMs);
    expect([asked.length, windows.length]).toEqual(want);
  });

  test('one metric that cannot be read leaves all of them unknown', async () => {
    const { monitoring } = monitored(UNREADABLE, UNREADABLE);
    expect(await look(assessing(), monitoring)).toMatchObject({ alerts: UNREADABLE, metrics: UNREADABLE });
  });

  test('assessments of one workload at one time ask the same', async () => {
    const { windows, monitoring } = monitored();
    await look(assessing(), monitoring, 6 * MINUTE + 1_000);
    await look(assessing(), monitoring, 6 * MINUTE + 59_000);
    expect(windows.slice(4)).toEqual(windows.slice(0, 4));
  });

  test.each([
    ['Failed', { failureDetails: { wasExecutionFailure: false } }, true],
    ['Failed', { failureDetails: { wasExecutionFailure: true } }, false],
    ['Failed', {}, false],
    ['Verifying', { failureDetails: { wasExecutionFailure: false } }, false],
  ] as const)(
    '[EM-070] a request that is %s with an execution of status %j never ran: %s',
    async (remediationRequestPhase, status, want) => {
      const assessment = anAssessment({ phase: 'Assessing' }, { remediationRequestPhase });
      const { reader, asked } = reading({ assessment, target: { kind: 'value', value: { ...aDeployment(), status } } });
      const seen = await observe(KEY, reader, seenAt(at(6 * MINUTE)));
      expect(seen && endsWithoutExecution(seen)).toBe(want);
      expect(asked.includes('WorkflowExecution sickbay-system/we-rr')).toBe(remediationRequestPhase === 'Failed');
    },
  );

  test.each([ABSENT, UNREADABLE])('an execution that is %j counts as one that ran', async (target) => {
    const assessment = anAssessment({ phase: 'Assessing' }, { remediationRequestPhase: 'Failed' });
    const seen = await observe(KEY, reading({ assessment, target }).reader, seenAt(at(6 * MINUTE)));
    expect(seen?.execution).toEqual(target);
    expect(seen && endsWithoutExecution(seen)).toBe(false);
  });

  test('[EM-064] the run of a failed request is looked at like any other, where it ran', async () => {
    const assessment = anAssessment({ phase: 'Assessing' }, { remediationRequestPhase: 'Failed' });
    const { asked, windows, monitoring } = monitored();
    expect(await look(assessment, monitoring)).toMatchObject({ target: { kind: 'value' }, pods: { kind: 'value' } });
    expect([asked.length, windows.length]).toEqual([1, 4]);
  });
});

describe('a request', () => {
  const wakes = (status: RemediationRequest['status']) => {
    const [, watch] = createEffectivenessController(() => DEFAULT_SETTINGS).watches;
    const metadata = { name: 'rr', namespace: 'sickbay-system' };
    return watch?.keys(
      { metadata, status } as unknown as RemediationRequest,
      () => [],
      () => [],
    );
  };
  const alert = { name: 'X', instance: '1', lastSeenAt: time(0) };

  test.each<[string, RemediationRequest['status'], boolean]>([
    [
      'whose alert is reported resolved',
      { overallPhase: 'Verifying', deduplication: { alerts: [{ ...alert, resolvedAt: time(1) }] } },
      true,
    ],
    ['whose alert fires', { overallPhase: 'Verifying', deduplication: { alerts: [alert] } }, false],
    [
      'one of whose alerts is reported resolved',
      { overallPhase: 'Verifying', deduplication: { alerts: [alert, { ...alert, resolvedAt: time(1) }] } },
      true,
    ],
    ['without alerts', { overallPhase: 'Verifying', deduplication: {} }, false],
    ['without a count', { overallPhase: 'Verifying' }, false],
    ['that is not verified', { overallPhase: 'Executing', deduplication: { alerts: [{ ...alert, resolvedAt: time(1) }] } }, false],
    ['of which nothing is known', undefined, false],
  ])('%s wakes its assessment: %s', (_, status, want) => expect(wakes(status)).toEqual(want ? [KEY] : []));
});
