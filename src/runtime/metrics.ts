import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { PlatformError } from '../base/index.ts';
import type { LoopMetrics } from './loop/loop-metrics.ts';
import type { Outcome } from './reconcile/reconcile-once.ts';

/** What the process reports about itself. */
export interface Metrics extends LoopMetrics {
  /** One call to the API: `code` is what the server answered, or `none` when it did not. */
  called(call: { readonly method: string; readonly code: string; readonly seconds: number }): void;
}

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** Registers our metrics with a registry that is handed in; one set per registry. */
export function createMetrics(registry: Registry): Metrics {
  const passes = passMetrics(registry);
  const queues = queueMetrics(registry);
  const registers = [registry];
  const leader = new Gauge({ name: 'sickbay_leader', help: '1 while this process holds the lease.', labelNames: ['lease'], registers });
  const calls = new Histogram({
    name: 'sickbay_api_request_duration_seconds',
    help: 'Calls to the Kubernetes API, by method and answer.',
    labelNames: ['method', 'code'],
    buckets: SECONDS,
    registers,
  });
  return {
    ...passes,
    ...queues,
    leading: (lease, isLeading) => leader.set({ lease }, isLeading ? 1 : 0),
    called: ({ method, code, seconds }) => calls.observe({ method, code }, seconds),
  };
}

function passMetrics(registry: Registry): Pick<LoopMetrics, 'passed'> {
  const labelNames = ['controller'] as const;
  const registers = [registry];
  const durations = new Histogram({
    name: 'sickbay_reconcile_duration_seconds',
    help: 'How long passes took.',
    labelNames,
    buckets: SECONDS,
    registers,
  });
  const totals = new Counter({
    name: 'sickbay_reconcile_total',
    help: 'Passes by how they ended.',
    labelNames: ['controller', 'result'],
    registers,
  });
  const errors = new Counter({
    name: 'sickbay_reconcile_errors_total',
    help: 'Passes that failed, by step and reason. A failure in the step decide is a bug.',
    labelNames: ['controller', 'step', 'code'],
    registers,
  });
  const skips = new Counter({
    name: 'sickbay_stale_sync_skips_total',
    help: 'Passes put off because the cache did not show our own last write yet.',
    labelNames,
    registers,
  });
  return {
    passed(controller, outcome, seconds) {
      durations.observe({ controller }, seconds);
      totals.inc({ controller, result: outcome.kind });
      if (outcome.kind === 'behind') skips.inc({ controller });
      if (outcome.kind === 'failed') errors.inc({ controller, step: outcome.step, code: codeOf(outcome) });
    },
  };
}

const codeOf = ({ error }: Extract<Outcome, { kind: 'failed' }>): string => (error instanceof PlatformError ? error.code : 'Unforeseen');

function queueMetrics(registry: Registry): Pick<LoopMetrics, 'queueHooks' | 'followQueue'> {
  const labelNames = ['controller'] as const;
  const registers = [registry];
  const depths = new Map<string, () => number>();
  const adds = new Counter({ name: 'sickbay_queue_adds_total', help: 'Keys that became ready.', labelNames, registers });
  const retries = new Counter({ name: 'sickbay_queue_retries_total', help: 'Keys sent back with a backoff.', labelNames, registers });
  const latencies = new Histogram({
    name: 'sickbay_queue_latency_seconds',
    help: 'How long ready keys waited for a worker.',
    labelNames,
    buckets: SECONDS,
    registers,
  });
  new Gauge({
    name: 'sickbay_queue_depth',
    help: 'Keys that are ready and not being worked on.',
    labelNames,
    registers,
    collect() {
      for (const [controller, depth] of depths) this.set({ controller }, depth());
    },
  });
  return {
    queueHooks(controller) {
      const [added, retried, waited] = [adds.labels(controller), retries.labels(controller), latencies.labels(controller)];
      return { added: () => added.inc(), retried: () => retried.inc(), taken: (ms) => waited.observe(ms / 1_000) };
    },
    followQueue: (controller, depth) => void depths.set(controller, depth),
  };
}

/** Measures how late the event loop is; the figures count from the previous look. Returns how to stop. */
export function watchEventLoop(registry: Registry): () => void {
  const delays = monitorEventLoopDelay({ resolution: 10 });
  delays.enable();
  new Gauge({
    name: 'sickbay_event_loop_delay_p99_seconds',
    help: '99th percentile of the event loop’s delay since the last look.',
    registers: [registry],
    collect() {
      this.set(delays.count === 0 ? 0 : delays.percentile(99) / 1e9);
      delays.reset();
    },
  });
  return () => void delays.disable();
}
