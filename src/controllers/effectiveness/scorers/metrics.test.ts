import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { instant } from '../../../base/index.ts';
import type { Target } from '../../target/index.ts';
import { metricsOf, type Fault } from './metric-queries.ts';
import { improvementOf, scoreMetrics, type Measured, type MetricsFinding } from './metrics.ts';

const SPAN = { faultFrom: instant(0), faultTo: instant(1_000), from: instant(2_000) };

const of = (isBetter: 'lower' | 'higher', ...samples: readonly (readonly [at: number, value: number])[]): Measured => ({
  metric: { name: 'CPU', query: 'cpu', isBetter },
  samples: samples.map(([at, value]) => ({ at: instant(at), value })),
});
const scoreOf = (finding: MetricsFinding) => (finding.kind === 'compared' ? finding.score : finding.kind);

describe('improvement', () => {
  test.each<{ name: string; pre: number; post: number; isBetter: 'lower' | 'higher'; want: number | undefined }>([
    { name: '[EM-159] less of what should be less', pre: 200, post: 50, isBetter: 'lower', want: 0.75 },
    { name: '[EM-160] more of what should be more', pre: 100, post: 150, isBetter: 'higher', want: 0.5 },
    { name: '[EM-161] more of what should be less', pre: 50, post: 200, isBetter: 'lower', want: 0 },
    { name: 'less of what should be more', pre: 100, post: 50, isBetter: 'higher', want: 0 },
    { name: '[EM-162] far more of what should be more', pre: 10, post: 100, isBetter: 'higher', want: 1 },
    { name: 'all of it gone', pre: 7, post: 0, isBetter: 'lower', want: 1 },
    { name: '[EM-164] unchanged', pre: 5, post: 5, isBetter: 'lower', want: 0 },
    { name: 'unchanged, higher is better', pre: 5, post: 5, isBetter: 'higher', want: 0 },
    { name: '[EM-165] zero before and after', pre: 0, post: 0, isBetter: 'lower', want: undefined },
    { name: 'zero before and after, higher is better', pre: 0, post: 0, isBetter: 'higher', want: undefined },
    { name: '[EM-166] from zero to some, lower is better', pre: 0, post: 3, isBetter: 'lower', want: 0 },
    { name: '[EM-166] from zero to some, higher is better', pre: 0, post: 3, isBetter: 'higher', want: 1 },
    { name: 'from zero to below, lower is better', pre: 0, post: -3, isBetter: 'lower', want: 1 },
    { name: 'from below, lower is better', pre: -10, post: -15, isBetter: 'lower', want: 0.5 },
  ])('$name', ({ pre, post, isBetter, want }) => expect(improvementOf(pre, post, isBetter)).toBe(want));

  const number = fc.double({ noNaN: true, noDefaultInfinity: true });
  test('is within 0 and 1, or unknown, whatever was measured', () =>
    fc.assert(
      fc.property(number, number, fc.constantFrom('lower', 'higher'), (pre, post, isBetter) => {
        const improvement = improvementOf(pre, post, isBetter) ?? 0;
        expect(improvement).toBeGreaterThanOrEqual(0);
        expect(improvement).toBeLessThanOrEqual(1);
      }),
    ));
});

describe('metrics', () => {
  test.each<[string, readonly Measured[], number | undefined | 'missing']>([
    [
      '[EM-157] the mean of the fault is held against the mean after it, whatever was measured between',
      [of('lower', [0, 6], [999, 10], [1_000, 100], [1_500, 100], [1_999, 100], [2_000, 1], [3_000, 3])],
      0.75,
    ],
    ['the healthy time before the fault does not count (ruling 133)', [of('lower', [-2, 0], [-1, 0], [500, 8], [2_000, 2])], 0.75],
    ['nothing from the fault itself', [of('lower', [-1, 4], [2_000, 2])], 'missing'],
    [
      '[EM-163] the plain average',
      [of('lower', [0, 4], [2_000, 0]), of('higher', [0, 100], [2_000, 150]), of('lower', [0, 1], [2_000, 2])],
      0.5,
    ],
    ['one without samples does not count', [of('lower', [0, 4], [2_000, 2]), of('lower')], 0.5],
    ['[EM-165] one that is zero throughout does not count', [of('lower', [0, 4], [2_000, 2]), of('lower', [0, 0], [2_000, 0])], 0.5],
    ['[EM-165] all of them zero: compared, without a score', [of('lower', [0, 0], [2_000, 0])], undefined],
    ['[EM-167] nothing measured at all', [of('lower'), of('lower')], 'missing'],
    ['nothing asked for', [], 'missing'],
    ['nothing from before', [of('lower', [1_000, 4], [2_000, 2])], 'missing'],
    ['nothing from after', [of('lower', [999, 4], [1_999, 2])], 'missing'],
  ])('%s', (_, measured, want) => expect(scoreOf(scoreMetrics(measured, SPAN))).toBe(want));

  test('without a known start the whole time before the run is the fault', () =>
    expect(scoreOf(scoreMetrics([of('lower', [-9_000, 4], [0, 4], [2_000, 1])], { ...SPAN, faultFrom: undefined }))).toBe(0.75));

  test('zero before and after is said to say nothing', () =>
    expect(scoreMetrics([of('lower', [0, 0], [2_000, 0])], SPAN)).toEqual({
      kind: 'compared',
      message: 'its metrics say nothing: CPU zero as before',
    }));

  describe('a metric that the fault is not known to be about counts only where it changed clearly (ruling 133)', () => {
    const unsure = (...samples: readonly (readonly [at: number, value: number])[]): Measured => {
      const { metric, samples: all } = of('lower', ...samples);
      return { metric: { ...metric, name: 'latency', onlyIfChanged: true }, samples: all };
    };
    const fixed = of('lower', [0, 4], [2_000, 0]);
    test.each<[string, Measured, number | undefined]>([
      ['as before', unsure([0, 100], [2_000, 100]), 1],
      ['a little better', unsure([0, 100], [2_000, 81]), 1],
      ['a little worse', unsure([0, 100], [2_000, 119]), 1],
      ['clearly better', unsure([0, 100], [2_000, 50]), 0.75],
      ['clearly worse', unsure([0, 100], [2_000, 121]), 0.5],
      ['there only since', unsure([0, 0], [2_000, 1]), 0.5],
    ])('%s', (_, one, want) => expect(scoreOf(scoreMetrics([fixed, one], SPAN))).toBe(want));
    test('alone and as before: compared, without a score', () =>
      expect(scoreMetrics([unsure([0, 100], [2_000, 100])], SPAN)).toEqual({
        kind: 'compared',
        message: 'its metrics say nothing: latency as before',
      }));
  });

  test.each([
    [Number.NaN, 1],
    [1, Number.NaN],
    [Number.POSITIVE_INFINITY, 1],
    [1, Number.NEGATIVE_INFINITY],
    [Number.NaN, Number.NaN],
  ])('from %d to %d says nothing', (pre, post) => expect(improvementOf(pre, post, 'lower')).toBeUndefined());

  test('it is said what improved by how much', () => {
    const finding = scoreMetrics([of('lower', [0, 4], [2_000, 3]), of('lower', [0, 0], [2_000, 0])], SPAN);
    expect(finding).toMatchObject({ message: 'improvement of its metrics: CPU 25 %, CPU zero as before' });
  });

  test.each([
    [[of('lower')], 'Prometheus has no metrics of it', true],
    [[of('lower', [2_000, 1])], 'Prometheus has no metrics of it from the time of the fault', true],
    [[of('lower', [1_000, 1]), of('lower')], 'Prometheus has no metrics of it from the time of the fault', true],
    [[of('lower', [-1, 1], [2_000, 1])], 'Prometheus has no metrics of it from the time of the fault', true],
    [[of('lower', [500, 1])], 'Prometheus has no metrics of it since the run', false],
    [[of('lower', [2_000, 1]), of('higher', [999, 1])], 'Prometheus has no metrics of it since the run', false],
  ])('it is said what is missing, and whether it can still come: %#', (measured, reason, isForGood) =>
    expect(scoreMetrics(measured, SPAN)).toEqual({ kind: 'missing', reason, isForGood }),
  );
});

const CLAIM =
  '* on (namespace, persistentvolumeclaim) group_left () max by (namespace, persistentvolumeclaim) ' +
  '(kube_persistentvolumeclaim_info{volumename="pv-1"})';

describe('what is measured', () => {
  const names = (kind: string, namespace?: string, fault: Fault = {}) =>
    metricsOf({ kind, name: 'checkout', ...(namespace !== undefined && { namespace }) }, fault).map(({ name }) => name);
  const ALWAYS = ['restarts', 'pods that are not ready', 'errors', 'latency'];

  test.each(['Pod', 'Deployment', 'ReplicaSet', 'DaemonSet', 'StatefulSet'])('of a %s: its pods', (kind) =>
    expect(names(kind, 'shop')).toEqual(ALWAYS),
  );
  test('of a Node: its conditions', () => expect(names('Node')).toEqual(['not ready', 'memory pressure', 'disk pressure']));
  test('of a PersistentVolume: its phase and how full it is', () =>
    expect(names('PersistentVolume')).toEqual(['failed', 'pending', 'nearly full']));
  test.each(['Service', 'ConfigMap', 'Rollout'])('of a %s: nothing', (kind) => expect(names(kind, 'shop')).toEqual([]));

  test.each<[string, Fault, readonly string[]]>([
    ['none that is named', { signalName: 'KubePodCrashLooping', cause: 'CrashLoopAfterRollout: exits with code 1' }, []],
    ['CPU by the alert', { signalName: 'CPUThrottlingHigh' }, ['CPU throttling']],
    ['CPU by the cause', { signalName: 'PodDown', cause: 'CpuLimitTooLow: throttled' }, ['CPU throttling']],
    ['memory by the alert', { signalName: 'KubeContainerOOMKilled' }, ['memory near its limit']],
    ['memory by the cause', { signalName: 'KubePodCrashLooping', cause: 'x: killed at its memory limit' }, ['memory near its limit']],
  ])('CPU and memory only where the fault is about them: %s', (_, fault, more) =>
    expect(names('Deployment', 'shop', fault)).toEqual([...ALWAYS, ...more]),
  );

  test.each<[string, readonly string[]]>([
    ['KubePodCrashLooping', ['errors', 'latency']],
    ['HighErrorRate', ['latency']],
    ['RequestLatencyHigh', ['errors']],
    ['CheckoutSLOBurn', []],
    ['ErrorBudgetBurn', []],
    ['SlowRequests', ['errors']],
    ['SlotsExhausted', ['errors', 'latency']],
  ])('of the alert %s only what changed counts of: %j', (signalName, want) =>
    expect(
      metricsOf({ kind: 'Pod', name: 'a', namespace: 'b' }, { signalName }).flatMap(({ name, onlyIfChanged }) =>
        onlyIfChanged === true ? [name] : [],
      ),
    ).toEqual(want),
  );

  const podsOf = (kind: string, name = 'checkout'): RegExp => {
    const [, pattern = ''] = /pod=~("(?:[^"\\]|\\.)*")/.exec(metricsOf({ kind, name, namespace: 'shop' })[0]?.query ?? '') ?? [];
    return new RegExp(`^(?:${JSON.parse(pattern) as string})$`);
  };

  test.each<[string, string, string, boolean]>([
    ['Deployment', 'checkout', 'checkout-7c5ddbdf54-x2x4z', true],
    ['Deployment', 'checkout', 'checkout-api-7c5ddbdf54-x2x4z', false],
    ['Deployment', 'checkout', 'checkout-db-x2x4z', false],
    ['Deployment', 'checkout', 'checkout', false],
    ['ReplicaSet', 'checkout-7c5ddbdf54', 'checkout-7c5ddbdf54-x2x4z', true],
    ['DaemonSet', 'agent', 'agent-x2x4z', true],
    ['DaemonSet', 'agent', 'agent-7c5ddbdf54-x2x4z', false],
    ['StatefulSet', 'db', 'db-0', true],
    ['StatefulSet', 'db', 'db-12', true],
    ['StatefulSet', 'db', 'db-x2x4z', false],
    ['Pod', 'a.b', 'a.b', true],
    ['Pod', 'a.b', 'axb', false],
  ])('[EM-158] the pods of %s %s: is %s one? %s', (kind, name, pod, want) => expect(podsOf(kind, name).test(pod)).toBe(want));

  test('[EM-158] every query names the namespace and the pods', () => {
    for (const { query } of metricsOf(
      { kind: 'Deployment', name: 'checkout', namespace: 'shop' },
      { signalName: 'CPUThrottlingHigh', cause: 'OOMKilled' },
    ))
      for (const selector of query.match(/\{[^}]*namespace[^}]*/g) ?? ['none'])
        expect(selector).toMatch(/namespace="shop",pod=~"checkout-/);
  });

  /** The questions as Prometheus gets them: a slip in one would be silence. */
  test.each<[string, Target, readonly string[]]>([
    [
      'a StatefulSet',
      { kind: 'StatefulSet', name: 'db', namespace: 'shop' },
      [
        'restarts, lower: sum(increase(kube_pod_container_status_restarts_total{namespace="shop",pod=~"db-[0-9]+"}[5m]))',
        'pods that are not ready, lower: sum(kube_pod_status_ready{namespace="shop",pod=~"db-[0-9]+",condition=~"false|unknown"} unless on (namespace, pod) (kube_pod_status_phase{namespace="shop",pod=~"db-[0-9]+",phase=~"Failed|Succeeded"} == 1))',
        'errors, lower: sum(rate(http_requests_total{namespace="shop",pod=~"db-[0-9]+",code=~"5.."}[5m])) / sum(rate(http_requests_total{namespace="shop",pod=~"db-[0-9]+"}[5m]))',
        'latency, lower: histogram_quantile(0.95, sum by (le) (rate(http_request_duration_seconds_bucket{namespace="shop",pod=~"db-[0-9]+"}[5m]))) * 1000',
        'CPU throttling, lower: sum(rate(container_cpu_cfs_throttled_periods_total{namespace="shop",pod=~"db-[0-9]+",container!=""}[5m])) / sum(rate(container_cpu_cfs_periods_total{namespace="shop",pod=~"db-[0-9]+",container!=""}[5m]))',
        'memory near its limit, lower: avg((container_memory_working_set_bytes{namespace="shop",pod=~"db-[0-9]+",container!=""} / (container_spec_memory_limit_bytes{namespace="shop",pod=~"db-[0-9]+",container!=""} > 0)) > bool 0.9)',
      ],
    ],
    [
      'a Node',
      { kind: 'Node', name: 'worker-1' },
      [
        'not ready, lower: max(kube_node_status_condition{node="worker-1",condition="Ready",status=~"false|unknown"})',
        'memory pressure, lower: max(kube_node_status_condition{node="worker-1",condition="MemoryPressure",status="true"})',
        'disk pressure, lower: max(kube_node_status_condition{node="worker-1",condition="DiskPressure",status="true"})',
      ],
    ],
    [
      'a PersistentVolume',
      { kind: 'PersistentVolume', name: 'pv-1' },
      [
        'failed, lower: max(kube_persistentvolume_status_phase{persistentvolume="pv-1",phase="Failed"})',
        'pending, lower: max(kube_persistentvolume_status_phase{persistentvolume="pv-1",phase="Pending"})',
        `nearly full, lower: max(kubelet_volume_stats_used_bytes ${CLAIM}) / max(kubelet_volume_stats_capacity_bytes ${CLAIM}) > bool 0.85`,
      ],
    ],
  ])('of %s, word by word', (_, target, want) =>
    expect(
      metricsOf(target, { signalName: 'CPUThrottlingHigh', cause: 'OOMKilled' }).map(
        ({ name, isBetter, query }) => `${name}, ${isBetter}: ${query}`,
      ),
    ).toEqual(want),
  );

  test('of a workload without a namespace: nothing', () => expect(names('Deployment')).toEqual([]));
});
