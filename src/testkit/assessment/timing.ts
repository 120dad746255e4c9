import type { EffectivenessAssessment } from '../../api/effectiveness-assessment/effectiveness-assessment.ts';
import { after, instant, parseTime, SECOND, type Instant } from '../../base/index.ts';
import { SIMULATION_START, type Simulation } from '../../simulation/index.ts';
import type { Order } from './plot.ts';
import { SETTINGS } from './world.ts';

/** For how long faults come. */
export const FAULTS_MS = 90 * SECOND;
/** So long after a fault what it did is over: a lease has to run out, a process to start again. */
const AFTERMATH_MS = 40 * SECOND;
/** Under faults: a standstill, and what follows. */
const LONGEST_MS = 150 * SECOND;
/** The cache lists again after a quarter of an hour at the latest, when its watch ends: only then does it find a change whose event was never sent. */
const LISTED_AGAIN_MS = 30 * 60 * SECOND;
/** Two passes at a time, each of which may wait ten seconds for a server that never answers. */
const QUEUE_MS = 60 * SECOND;
/** From the look at the target to the write that follows from it; one of the servers may take ten seconds meanwhile. */
const PASS_MS = 12 * SECOND;

/** When an assessment may look and when it has to end, by the formulas of the specification. */
export interface Due {
  readonly settles: Instant;
  readonly check: Instant;
  readonly alert: Instant;
  readonly deadline: Instant;
}

export function dueOf({ metadata }: EffectivenessAssessment, order: Order): Due {
  const created = parseTime(metadata.creationTimestamp) ?? instant(0);
  const { settles, check, alert, deadline } = spansOf(order);
  return {
    settles: after(created, settles),
    check: after(created, check),
    alert: after(created, alert),
    deadline: after(created, deadline),
  };
}

/** The same, in milliseconds from its creation on. */
export function spansOf({ propagateMs, stabilizeMs, alertDelayMs }: Order): Readonly<Record<keyof Due, number>> {
  const check = propagateMs + stabilizeMs;
  const alert = check + alertDelayMs;
  const isPlain = propagateMs === 0 && alert < SETTINGS.validityMs;
  return { settles: propagateMs, check, alert, deadline: (isPlain ? 0 : alert) + SETTINGS.validityMs };
}

/** How far a clock may be off. */
export const clockError = ({ injected }: Simulation): number =>
  injected.reduce((sum, { fault }) => sum + (fault.kind === 'ClockJump' ? Math.abs(fault.ms) : 0), 0);

/** Follows the faults of a run: until when what they did is felt. */
export class Unrest {
  readonly #simulation: Simulation;
  #noted = 0;
  #until: Instant = SIMULATION_START;
  #isUnsent = false;

  constructor(simulation: Simulation) {
    this.#simulation = simulation;
  }

  /** To be called after every step. */
  follow(): void {
    const { injected, time } = this.#simulation;
    for (const { fault } of injected.slice(this.#noted)) {
      const lastsMs = 'ms' in fault && fault.kind !== 'ClockJump' ? fault.ms : 0;
      this.#until = instant(Math.max(this.#until, time.now() + lastsMs + AFTERMATH_MS));
      this.#isUnsent ||= fault.kind === 'DroppedEvents';
    }
    this.#noted = injected.length;
  }

  /** Past this moment an assessment should have ended. */
  overdueFrom({ deadline }: Due): Instant {
    return after(
      instant(Math.max(deadline, this.#until)),
      QUEUE_MS + (this.#isUnsent ? LISTED_AGAIN_MS : 0) + clockError(this.#simulation),
    );
  }

  /** The oldest look that may have led to what is written now. */
  oldestLook(): Instant {
    const now = this.#simulation.time.now();
    return now < this.#until ? after(now, -LONGEST_MS) : after(now, -PASS_MS);
  }
}
