import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { ComponentScore } from './assessment-increments.ts';
import type { RunTime } from './execution-increments.ts';
import { COUNTERS, type CounterName, type Increment } from './counters.ts';

/** What the narrator provides on every scrape. */
export interface Gauges {
  /** Events that the audit trail lacks still. */
  pendingEvents(): number;
  /** Requests in Blocked, by namespace; nothing while another process leads. */
  blocked(): ReadonlyMap<string, number>;
  /** Failures in a row before anything ran, by target, where there are any; nothing while another process leads. */
  failures(): ReadonlyMap<string, number>;
}

/** Where counts go. */
export interface NarrationMetrics {
  count(increments: readonly Increment[]): void;
  /** A run finished. */
  took(run: RunTime): void;
  /** An assessment finished. */
  scored(scores: readonly ComponentScore[]): void;
  /** A Kubernetes Event was left out, because too many were waiting. */
  dropped(): void;
  follow(gauges: Gauges): void;
}

/** Counts nothing. */
export const noNarrationMetrics: NarrationMetrics = { count() {}, took() {}, scored() {}, dropped() {}, follow() {} };

/** Every score that health can have, and steps in between for metrics. */
const SCORES = [0, 0.1, 0.25, 0.5, 0.75, 0.9, 1];

/** From a second to half an hour. */
const RUN_SECONDS = [1, 2, 5, 10, 30, 60, 120, 300, 600, 1_800];

const PREFIX = 'kubernaut_remediationorchestrator_';

/** Registers the metrics with a registry that is handed in; one set per registry. */
export function createNarrationMetrics(registry: Registry): NarrationMetrics {
  const registers = [registry];
  const counters = new Map(
    (Object.keys(COUNTERS) as CounterName[]).map((counter) => {
      const { metric, help, labels } = COUNTERS[counter];
      return [counter, new Counter({ name: metric, help, labelNames: labels, registers })];
    }),
  );
  const duration = new Histogram({
    name: 'workflowexecution_reconciler_duration_seconds',
    help: 'How long runs of workflows took, by how they ended; where nothing ran, the time since the execution was created.',
    labelNames: ['outcome'],
    buckets: RUN_SECONDS,
    registers,
  });
  const scores = new Histogram({
    name: 'kubernaut_effectivenessmonitor_component_scores',
    help: 'Scores that assessments ended with, by component. What could not be judged has none.',
    labelNames: ['component'],
    buckets: SCORES,
    registers,
  });
  const dropped = new Counter({ name: 'sickbay_events_dropped_total', help: 'Kubernetes Events left out: too many waited.', registers });
  return {
    count(increments) {
      for (const { counter, labels } of increments) counters.get(counter)?.inc(labels);
    },
    took: ({ outcome, seconds }) => duration.observe({ outcome }, seconds),
    scored(ended) {
      for (const { component, score } of ended) scores.observe({ component }, score);
    },
    dropped: () => dropped.inc(),
    follow: (gauges) => followGauges(registry, gauges),
  };
}

function followGauges(registry: Registry, { pendingEvents, blocked, failures }: Gauges): void {
  const registers = [registry];
  new Gauge({
    name: 'sickbay_audit_pending_events',
    help: 'Events that the audit trail lacks still. Above 0 for long: the store cannot be written, and the log says why.',
    registers,
    collect() {
      this.set(pendingEvents());
    },
  });
  new Gauge({
    name: `${PREFIX}current_blocked`,
    help: 'Remediations that are blocked now; reported by the leader.',
    labelNames: ['namespace'],
    registers,
    collect() {
      this.reset();
      for (const [namespace, count] of blocked()) this.set({ namespace }, count);
    },
  });
  new Gauge({
    name: 'workflowexecution_consecutive_failures',
    help: 'Current consecutive failure count per target resource.',
    labelNames: ['target_resource'],
    registers,
    collect() {
      this.reset();
      for (const [target, count] of failures()) this.set({ target_resource: target }, count);
    },
  });
}
