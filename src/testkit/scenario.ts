import { Simulation, type Boot, type Injected, type RequestPoint, type SimulationOptions } from '../simulation/index.ts';

/** One story that is told again and again with other faults. */
export interface Scenario {
  readonly name: string;
  /** Names of the processes that are started: one, or several that elect a leader. */
  readonly replicas: readonly string[];
  readonly boot: Boot;
  /** See SimulationOptions. */
  readonly raced?: readonly string[];
  /** Reads that a sweep takes for steps, as calls of another server are; every write is one. */
  readonly isStep?: (point: RequestPoint) => boolean;
  /** Installs kinds, follows them, plans what people and the cluster do, and demands the invariants. */
  prepare(simulation: Simulation): Promise<void>;
  /** True when there is nothing left to happen. */
  settled(simulation: Simulation): boolean;
  /** What is judged when the run is over, besides the invariants: what is wrong with the end. */
  verdict?(simulation: Simulation): readonly string[];
  /** The end without what differs from run to run (versions, times, UIDs). */
  endState(simulation: Simulation): unknown;
  /** True for a fault that may change the end; invariants and verdict hold all the same. Every end must equal that without faults when absent. */
  readonly endMayDiffer?: (plan: Injected) => boolean;
  /** For how long faults come, and how long it may take until all is settled. */
  readonly faultsForMs: number;
  readonly deadlineMs: number;
}

/** What a run was, and how it ended. */
export interface RunResult {
  readonly scenario: string;
  readonly seed: number;
  readonly violations: readonly string[];
  readonly injected: readonly Injected[];
  readonly steps: number;
  readonly virtualMs: number;
  /** Points passed, by name: `r1 write` → 12. */
  readonly points: ReadonlyMap<string, number>;
  /** How often each object was created. */
  readonly created: ReadonlyMap<string, number>;
  readonly endState: unknown;
  /** The step log, put into words. */
  journal(): readonly string[];
}

/** Runs the scenario once. The same seed and the same faults give the same run, step by step. */
export async function runScenario(scenario: Scenario, options: SimulationOptions): Promise<RunResult> {
  const simulation = new Simulation({ ...options, raced: scenario.raced ?? [] });
  await scenario.prepare(simulation);
  for (const name of scenario.replicas) simulation.addReplica(name, scenario.boot);
  const end = await simulation.run({
    settled: () => scenario.settled(simulation),
    faultsForMs: scenario.faultsForMs,
    deadlineMs: scenario.deadlineMs,
  });
  const violations = [...simulation.violations];
  if (violations.length === 0 && !end.settled) violations.push(`not settled after ${end.virtualMs / 1_000} s of virtual time`);
  if (violations.length === 0) violations.push(...(scenario.verdict?.(simulation) ?? []));
  const lines = simulation.journal;
  simulation.close();
  return {
    scenario: scenario.name,
    seed: options.seed,
    violations,
    injected: simulation.injected,
    steps: end.steps,
    virtualMs: end.virtualMs,
    points: simulation.counts,
    created: simulation.mirror.created,
    endState: scenario.endState(simulation),
    journal: () => lines.lines(),
  };
}
