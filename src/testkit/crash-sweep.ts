import { SchemaLibrary } from '../apiserver/index.ts';
import { PlatformError, sameJson } from '../base/index.ts';
import { noFaults, type Fault, type Injected } from '../simulation/index.ts';
import { plannedFaults } from './faults/planned-faults.ts';
import { runScenario, type RunResult, type Scenario } from './scenario.ts';

/** What is done at every write of the reference run. The freeze outlasts a lease and what the next leader does in its place. */
export const WRITE_FAULTS: readonly Fault[] = [
  { kind: 'CrashBefore' },
  { kind: 'CrashAfter' },
  { kind: 'LostReply' },
  { kind: 'LostRequest' },
  { kind: 'Refuse', code: 409 },
  { kind: 'Refuse', code: 429 },
  { kind: 'Refuse', code: 500 },
  { kind: 'Delay', ms: 20_000 },
  { kind: 'Freeze', ms: 90_000 },
];

/** What is done to every batch of events of the reference run. */
export const EVENT_FAULTS: readonly Fault[] = [
  { kind: 'LateEvents', ms: 30_000 },
  { kind: 'HiddenEvents', ms: 10_000 },
  { kind: 'DroppedEvents' },
  { kind: 'Disconnect' },
];

export interface SweepOptions {
  readonly seed?: number;
  /** False where a fault may rightly change the outcome; invariants and verdict still hold. Every end must be the same when absent. */
  readonly sameEnd?: (plan: Injected) => boolean;
}

/** One plan per point and fault. */
export interface SweepReport {
  readonly points: number;
  readonly plans: number;
  readonly failures: readonly SweepFailure[];
}

export interface SweepFailure {
  readonly plan: Injected;
  readonly result: RunResult;
}

/**
 * Runs once without faults, then once more for every write and every batch of events of that run with each thing that
 * can happen there. Besides the invariants, each end must equal the end of the reference run.
 */
export async function crashSweep(scenario: Scenario, options: SweepOptions = {}): Promise<SweepReport> {
  const seed = options.seed ?? 1;
  const schemas = new SchemaLibrary();
  const reference = await runScenario(scenario, { seed, schemas, faults: noFaults });
  if (reference.violations.length > 0)
    throw new PlatformError('Invalid', `the reference run is violated: ${reference.violations.join('; ')}`);
  const sameEnd = options.sameEnd ?? (() => true);
  const plans = [...sweepPlans(reference)];
  const failures: SweepFailure[] = [];
  for (const plan of plans) {
    const run = await runScenario(scenario, { seed, schemas, faults: plannedFaults([plan]) });
    const result = sameEnd(plan) ? withEndCompared(run, reference) : run;
    if (result.violations.length > 0) failures.push({ plan, result });
  }
  return { points: new Set(plans.map((plan) => plan.point)).size, plans: plans.length, failures };
}

function* sweepPlans(reference: RunResult): Generator<Injected> {
  for (const [name, count] of reference.points) {
    const faults = name.endsWith(' write') ? WRITE_FAULTS : name.endsWith(' events') ? EVENT_FAULTS : [];
    for (let index = 1; index <= count; index++) for (const fault of faults) yield { point: `${name} ${index}`, fault };
  }
}

function withEndCompared(run: RunResult, reference: RunResult): RunResult {
  if (run.violations.length > 0 || sameJson(run.endState, reference.endState)) return run;
  const difference = `ends otherwise than the reference run: ${JSON.stringify(run.endState)} instead of ${JSON.stringify(reference.endState)}`;
  return { ...run, violations: [difference] };
}
