import { Registry } from 'prom-client';
import { describe, expect, test } from 'vitest';
import { instant, PlatformError, turn } from '../base/index.ts';
import type { Transport } from '../kube/client/transport.ts';
import { ManualClock } from '../testkit/manual-clock.ts';
import { StaleView } from './reconcile/effects.ts';
import { meteredTransport } from './metered-transport.ts';
import { createMetrics, watchEventLoop } from './metrics.ts';
import type { Outcome } from './reconcile/reconcile-once.ts';

/** The samples whose line starts with the name, without histogram buckets. */
async function samples(registry: Registry, name: string): Promise<readonly string[]> {
  const text = await registry.metrics();
  return text.split('\n').filter((line) => line.startsWith(name) && !line.includes('_bucket'));
}

describe('what is counted', () => {
  const outcomes: readonly { outcome: Outcome; want: readonly string[]; reason: string }[] = [
    { outcome: { kind: 'settled', late: false, writes: 1 }, want: [], reason: 'well' },
    {
      outcome: { kind: 'behind', lags: [] },
      want: ['sickbay_stale_sync_skips_total{controller="c"} 1'],
      reason: 'put off until our own write is seen',
    },
    { outcome: { kind: 'stale', error: new StaleView('x', undefined) }, want: [], reason: 'a conflict is no error' },
    {
      outcome: { kind: 'failed', step: 'act', error: new PlatformError('Forbidden', 'no'), retry: 'backoff' },
      want: ['sickbay_reconcile_errors_total{controller="c",step="act",code="Forbidden"} 1'],
      reason: 'a failure we foresaw',
    },
    {
      outcome: { kind: 'failed', step: 'decide', error: new TypeError('x'), retry: 'backoff' },
      want: ['sickbay_reconcile_errors_total{controller="c",step="decide",code="Unforeseen"} 1'],
      reason: 'a bug',
    },
  ];
  test.each(outcomes)('a pass that ends $outcome.kind: $reason', async ({ outcome, want }) => {
    const registry = new Registry();
    createMetrics(registry).passed('c', outcome, 0.25);
    expect(await samples(registry, 'sickbay_reconcile_total')).toEqual([
      `sickbay_reconcile_total{controller="c",result="${outcome.kind}"} 1`,
    ]);
    expect(await samples(registry, 'sickbay_reconcile_duration_seconds_sum')).toEqual([
      'sickbay_reconcile_duration_seconds_sum{controller="c"} 0.25',
    ]);
    const rest = [...(await samples(registry, 'sickbay_stale')), ...(await samples(registry, 'sickbay_reconcile_errors'))];
    expect(rest).toEqual(want);
  });

  test('the queue: adds, retries, waiting, and its depth when metrics are scraped', async () => {
    const registry = new Registry();
    const metrics = createMetrics(registry);
    let depth = 3;
    metrics.followQueue('c', () => depth);
    const hooks = metrics.queueHooks('c');
    hooks.added?.();
    hooks.added?.();
    hooks.retried?.();
    hooks.taken?.(1_500);
    depth = 5;
    expect(await samples(registry, 'sickbay_queue')).toEqual([
      'sickbay_queue_adds_total{controller="c"} 2',
      'sickbay_queue_retries_total{controller="c"} 1',
      'sickbay_queue_latency_seconds_sum{controller="c"} 1.5',
      'sickbay_queue_latency_seconds_count{controller="c"} 1',
      'sickbay_queue_depth{controller="c"} 5',
    ]);
  });

  test('which replica leads', async () => {
    const registry = new Registry();
    const metrics = createMetrics(registry);
    metrics.leading('sickbay/leader', true);
    expect(await samples(registry, 'sickbay_leader')).toEqual(['sickbay_leader{lease="sickbay/leader"} 1']);
    metrics.leading('sickbay/leader', false);
    expect(await samples(registry, 'sickbay_leader')).toEqual(['sickbay_leader{lease="sickbay/leader"} 0']);
  });

  test('two sets with two registries do not meet', async () => {
    const [one, two] = [new Registry(), new Registry()];
    createMetrics(one).leading('l', true);
    createMetrics(two);
    expect(await samples(two, 'sickbay_leader')).toEqual([]);
  });

  test('how late the event loop is', async () => {
    const registry = new Registry();
    const stop = watchEventLoop(registry);
    await turn();
    const [line = ''] = await samples(registry, 'sickbay_event_loop_delay_p99_seconds');
    expect(Number(line.split(' ')[1])).toBeGreaterThanOrEqual(0);
    stop();
  });
});

describe('a metered transport', () => {
  const clock = new ManualClock(0);
  const answering = (request: Transport['request']): { transport: Transport; calls: object[] } => {
    const calls: object[] = [];
    const inner: Transport = { request, watch: () => Promise.resolve({ code: 410, body: {} }) };
    return { transport: meteredTransport(inner, { clock, metrics: { called: (call) => void calls.push(call) } }), calls };
  };

  test('counts every call with its answer and how long it took', async () => {
    const { transport, calls } = answering(async () => {
      await clock.advance(250);
      return { code: 409, body: {} };
    });
    expect((await transport.request({ method: 'PATCH', path: '/x' })).code).toBe(409);
    await transport.watch({ method: 'GET', path: '/x' }, new AbortController().signal);
    expect(calls).toEqual([
      { method: 'PATCH', code: '409', seconds: 0.25 },
      { method: 'WATCH', code: '410', seconds: 0 },
    ]);
  });

  test('a call that broke has no answer, and stays broken', async () => {
    const { transport, calls } = answering(() => Promise.reject(new PlatformError('Unavailable', 'broke')));
    await expect(transport.request({ method: 'GET', path: '/x' })).rejects.toThrow('broke');
    expect(calls).toEqual([{ method: 'GET', code: 'none', seconds: 0 }]);
    expect(clock.now()).toBe(instant(250));
  });
});
