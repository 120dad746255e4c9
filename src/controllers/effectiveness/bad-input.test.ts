import { describe, expect, test } from 'vitest';
import type { KubeObject } from '../../api/meta.ts';
import { MINUTE, PlatformError, SECOND, type Instant } from '../../base/index.ts';
import { getCondition } from '../../kube/objects/conditions.ts';
import { createAlertmanager, createPrometheus, type Monitoring } from '../../monitoring/index.ts';
import { matrix, ok, scriptedSource, type Reply } from '../../monitoring/testing/scripted-source.ts';
import type { Read, Reader } from '../../runtime/reconcile/controller.ts';
import { ManualClock } from '../../testkit/manual-clock.ts';
import { DEFAULT_SETTINGS } from '../default-settings.ts';
import { decide } from './decide.ts';
import { observe } from './observe.ts';
import type { AssessmentStatus } from './status.ts';
import { ABSENT, aDeployment, ALERT, anAssessment, aPod, at, UNREADABLE } from './testing/builders.ts';

const TIMEOUT_MS = 10 * SECOND;
const pods = { kind: 'value', value: [aPod('a'), aPod('b')] } as const;
const series = (...values: readonly (readonly [ms: number, value: string])[]) =>
  matrix(values.map(([ms, value]) => [at(ms) / SECOND, value] as const));
const MEASURED = series([-MINUTE, '4'], [5 * MINUTE, '1']);
const TOO_MUCH = new PlatformError('Unsupported', 'the answer is larger than 10 MB', { retry: 'never' });

interface World {
  readonly prometheus?: Reply;
  readonly alertmanager?: Reply;
  readonly target?: Read<KubeObject>;
  readonly remediationTarget?: { readonly kind: string; readonly name: string; readonly namespace: string; readonly apiVersion: string };
}

/** Looks once, and lets as much time pass as those who are asked take. */
async function look(world: World, status: AssessmentStatus, now: Instant) {
  const object = anAssessment(status, world.remediationTarget && { remediationTarget: world.remediationTarget });
  const reader = {
    get: () => ({ kind: 'value', value: object }),
    fetch: () => Promise.resolve(world.target ?? { kind: 'value', value: aDeployment() }),
    fetchList: () => Promise.resolve(pods),
  } as unknown as Reader;
  const steady = new ManualClock();
  const limits = { steady, timeoutMs: TIMEOUT_MS };
  const monitoring: Monitoring = {
    prometheus: createPrometheus(scriptedSource(world.prometheus ?? MEASURED), limits),
    alertmanager: createAlertmanager(scriptedSource(world.alertmanager ?? ok([])), limits),
  };
  const seeing = observe({ namespace: 'sickbay-system', name: 'ea-rr' }, reader, { now, settings: DEFAULT_SETTINGS, monitoring });
  await steady.advance(TIMEOUT_MS);
  const seen = await seeing;
  if (!seen) throw new Error('nothing to look at');
  const decision = decide(seen, now);
  return { status: decision.status as AssessmentStatus, wakeAt: decision.wakeAt };
}

/** Looks in time, and then at the deadline. */
async function life(world: World) {
  const first = await look(world, { phase: 'Assessing' }, at(6 * MINUTE));
  const isOver = first.wakeAt === undefined;
  if (!isOver) expect(first.wakeAt).toBeLessThanOrEqual(at(30 * MINUTE));
  const last = isOver ? first : await look(world, first.status, at(30 * MINUTE));
  expect(last.wakeAt).toBeUndefined();
  return { waits: getCondition(first.status.conditions, 'AssessmentComplete')?.message ?? '', end: last.status };
}

const html = { code: 200, text: '<html>sign in</html>' };
const redirect = { code: 302, text: '' };

describe('what Prometheus says is not believed blindly: metrics are unknown, with a reason, and it ends in time', () => {
  test.each<[string, Reply, string]>([
    ['malformed JSON', { code: 200, text: '{"status":' }, 'the answer is not JSON'],
    ['a page', html, 'the answer is not JSON'],
    ['a redirect that leads to itself', redirect, 'redirects are not followed'],
    ['10 MB', TOO_MUCH, 'the answer is larger than 10 MB'],
    ['times in another unit', matrix([[at(0), '4']]), 'a value is outside the queried window'],
    ['a vector', ok({ status: 'success', data: { resultType: 'vector', result: [] } }), 'not a matrix'],
    ['no number', matrix([[at(-MINUTE) / SECOND, 'many']]), 'a value is "many"'],
    ['silence', 'silence', 'no answer within 10 s'],
    ['an error', { code: 500, text: 'out of memory' }, 'it answered 500: "out of memory"'],
  ])('%s', async (_, prometheus, why) => {
    const { waits, end } = await life({ prometheus });
    expect(waits).toContain(why);
    expect(end).toMatchObject({ phase: 'Completed', assessmentReason: 'MetricsTimedOut', components: { healthScore: 1, alertScore: 1 } });
    expect(end.components).not.toHaveProperty('metricsScore');
    expect(end.message).toContain(why);
  });

  test.each<[string, Reply]>([
    ['NaN alone', series([-MINUTE, 'NaN'], [5 * MINUTE, 'NaN'])],
    ['infinities alone', series([-MINUTE, '+Inf'], [5 * MINUTE, '-Inf'])],
    ['no series', matrix()],
    ['a series without samples', matrix([])],
  ])('%s is nothing measured: nothing is waited for that cannot come', async (_, prometheus) => {
    const { end } = await life({ prometheus });
    expect(end).toMatchObject({ phase: 'Completed', assessmentReason: 'Partial' });
    expect(end.components).not.toHaveProperty('metricsScore');
    expect(end.message).toContain('Prometheus has no metrics of it');
  });

  test('NaN between numbers is left out', async () => {
    const { end } = await life({ prometheus: series([-2 * MINUTE, 'NaN'], [-MINUTE, '4'], [5 * MINUTE, '1'], [6 * MINUTE, '+Inf']) });
    expect(end).toMatchObject({ assessmentReason: 'Full' });
    expect(end.components?.metricsScore).toBe(0.75);
  });
});

describe('what Alertmanager says is not believed blindly: the alert is unknown, with a reason, and it ends in time', () => {
  test.each<[string, Reply, string]>([
    ['malformed JSON', { code: 200, text: '[{' }, 'the answer is not JSON'],
    ['a redirect that leads to itself', redirect, 'redirects are not followed'],
    ['10 MB', TOO_MUCH, 'the answer is larger than 10 MB'],
    ['alerts without labels', ok([{ status: { state: 'active' } }]), 'an alert has no labels'],
    ['no list', ok({ data: [] }), 'it is not a list of alerts'],
    ['silence', 'silence', 'no answer within 10 s'],
  ])('%s', async (_, alertmanager, why) => {
    const { waits, end } = await life({ alertmanager });
    expect(waits).toContain(why);
    expect(end).toMatchObject({ phase: 'Completed', assessmentReason: 'Partial', components: { healthScore: 1 } });
    expect(end.components).not.toHaveProperty('alertAssessed');
    expect(end.components).not.toHaveProperty('alertScore');
    expect(end.message).toContain(why);
  });

  test('an alert of no state fires', async () => {
    const labels = { alertname: ALERT, namespace: 'shop' };
    const { end } = await life({ alertmanager: ok([{ labels }]) });
    expect(end).toMatchObject({ assessmentReason: 'AlertDecayTimeout', components: { alertScore: 0 } });
  });
});

describe('targets that are not what they were', () => {
  test('of an unknown kind cannot be read: the assessment ends in time, and says why', async () => {
    const { waits, end } = await life({
      remediationTarget: { kind: 'Rollout', name: 'checkout', namespace: 'shop', apiVersion: 'argoproj.io/v1alpha1' },
      prometheus: 'silence',
      alertmanager: 'silence',
    });
    expect(waits).toContain('Rollout is not a kind that can be read');
    expect(end).toMatchObject({ phase: 'Failed', assessmentReason: 'Unrecoverable' });
    expect(end.message).toContain('Rollout is not a kind that can be read');
  });

  test('deleted half-way end it at once', async () =>
    expect((await life({ target: ABSENT })).end).toMatchObject({
      phase: 'Failed',
      assessmentReason: 'Unrecoverable',
      components: { healthScore: 0 },
    }));

  test('that cannot be read are not gone', async () => {
    const { end } = await life({ target: UNREADABLE });
    expect(end).toMatchObject({ phase: 'Completed', assessmentReason: 'Partial', components: { alertScore: 1 } });
    expect(end.components).not.toHaveProperty('healthScore');
  });
});
