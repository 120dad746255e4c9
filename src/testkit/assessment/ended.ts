import type { EffectivenessAssessment } from '../../api/effectiveness-assessment/effectiveness-assessment.ts';
import type { Instant } from '../../base/index.ts';
import type { Simulation } from '../../simulation/index.ts';
import type { WorkloadFacts } from './workload-facts.ts';
import type { Order, Plot, Workload } from './plot.ts';
import type { Due } from './timing.ts';

export type Status = NonNullable<EffectivenessAssessment['status']>;
export type Components = NonNullable<Status['components']>;

/** An assessment that has just ended, and what was so meanwhile. */
export interface Ended {
  readonly simulation: Simulation;
  readonly plot: Plot;
  readonly workload: Workload;
  readonly order: Order;
  readonly due: Due;
  readonly facts: WorkloadFacts;
  readonly assessment: EffectivenessAssessment;
  /** The oldest look that may have led to it. */
  readonly lookedFrom: Instant;
}

/** Says what is wrong. */
export type Check = (ended: Ended, status: Status, components: Components) => string | undefined;
