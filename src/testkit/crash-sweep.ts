import { SchemaLibrary } from '../apiserver/index.ts';
import { PlatformError, sameJson } from '../base/index.ts';
import { faultText, noFaults, requestPointName, watchPointName, type Fault, type FaultSource, type Injected } from '../simulation/index.ts';
import { plannedFaults } from './faults/planned-faults.ts';
import { runScenario, type RunResult, type Scenario } from './scenario.ts';
import { withoutStacks } from './without-stacks.ts';

/** Faults at every write of the reference run. The freeze lasts longer than a lease and the work of the next leader. */
const WRITE_FAULTS: readonly Fault[] = [
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

/** Faults at every batch of events of the reference run. */
const EVENT_FAULTS: readonly Fault[] = [
  { kind: 'LateEvents', ms: 30_000 },
  { kind: 'HiddenEvents', ms: 10_000 },
  { kind: 'DroppedEvents' },
  { kind: 'Disconnect' },
];

/** Faults at each kind of point: a write, a read that counts as a step (see Scenario), a batch of events. */
export type SweptFaults = Readonly<Record<'write' | 'step' | 'events', readonly Fault[]>>;

/** All faults. Only a write can meet a conflict. */
export const CRASHES: SweptFaults = {
  write: WRITE_FAULTS,
  step: WRITE_FAULTS.filter((fault) => fault.kind !== 'Refuse' || fault.code !== 409),
  events: EVENT_FAULTS,
};

/** A process freezes before the step: until another process has taken over, until that is in the middle of the work, until the work has finished. */
const FREEZE_LENGTHS: readonly Fault[] = [25_000, 45_000, 150_000].map((ms) => ({ kind: 'Freeze', ms }));
export const FREEZES: SweptFaults = { write: FREEZE_LENGTHS, step: FREEZE_LENGTHS, events: [] };

export interface SweepOptions {
  readonly seed?: number;
  /** All faults when absent. */
  readonly faults?: SweptFaults;
  /** One plan in this many, evenly over the run; all plans when absent. */
  readonly oneOf?: number;
}

/** By default, tests run one plan in this many. A prime number: it divides no list of faults, so every fault occurs at some points. */
const DEFAULT_TEST_SWEEP = 13;

/**
 * One plan in how many a test runs: `SICKBAY_SIM_SWEEP` (1 for all of them), but never more than one in `least`. `npm run sim` runs all plans.
 * @param least for a scenario that takes too long to run every plan in any test
 */
export const testSweepOneOf = (least = 1): number => Math.max(least, Number(process.env.SICKBAY_SIM_SWEEP ?? DEFAULT_TEST_SWEEP));

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
 * Runs once without faults, then once for every step and every batch of events of that run with each fault that is
 * possible there. Besides the invariants, each end must equal the end of the reference run (see `Scenario.endMayDiffer`).
 */
export const crashSweep = (scenario: Scenario, options: SweepOptions = {}): Promise<SweepReport> =>
  withoutStacks(() => sweep(scenario, options));

async function sweep(scenario: Scenario, options: SweepOptions): Promise<SweepReport> {
  const { seed = 1, oneOf = 1 } = options;
  const schemas = new SchemaLibrary();
  const passed: Passed[] = [];
  const reference = await runScenario(scenario, { seed, schemas, faults: passing(scenario, passed) });
  if (reference.violations.length > 0)
    throw new PlatformError('Invalid', `the reference run is violated: ${reference.violations.join('; ')}`);
  const endMayDiffer = scenario.endMayDiffer ?? (() => false);
  const all = passed.flatMap(({ point, kind }) => (options.faults ?? CRASHES)[kind].map((fault) => ({ point, fault })));
  const plans = all.filter((_, i) => i % oneOf === 0);
  const failures: SweepFailure[] = [];
  for (const plan of plans) {
    const run = await runScenario(scenario, { seed, schemas, faults: plannedFaults([plan]) });
    const result = endMayDiffer(plan) ? run : withEndCompared(run, reference);
    if (result.violations.length > 0) failures.push({ plan, result });
  }
  return { points: new Set(plans.map((plan) => plan.point)).size, plans: plans.length, failures };
}

/** What a test prints of a failed plan. */
export const sweptText = ({ plan, result }: SweepFailure): string =>
  `${plan.point} ${faultText(plan.fault)}: ${result.violations.join('; ')}`;

interface Passed {
  readonly point: string;
  readonly kind: keyof SweptFaults;
}

/** Injects no fault, and records every point where one is possible. */
const passing = ({ isStep = () => false }: Scenario, passed: Passed[]): FaultSource => ({
  ...noFaults,
  onRequest(point) {
    const kind = point.verb === 'write' ? 'write' : point.verb === 'read' && isStep(point) ? 'step' : undefined;
    if (kind) passed.push({ point: requestPointName(point), kind });
    return undefined;
  },
  onEvents(point) {
    passed.push({ point: watchPointName(point), kind: 'events' });
    return undefined;
  },
});

function withEndCompared(run: RunResult, reference: RunResult): RunResult {
  if (run.violations.length > 0 || sameJson(run.endState, reference.endState)) return run;
  const difference = `the end differs from that of the reference run: ${JSON.stringify(run.endState)} instead of ${JSON.stringify(reference.endState)}`;
  return { ...run, violations: [difference] };
}
