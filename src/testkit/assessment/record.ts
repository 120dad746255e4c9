import { EffectivenessAssessment } from '../../api/effectiveness-assessment/effectiveness-assessment.ts';
import { assessmentPhases } from '../../api/effectiveness-assessment/phases.ts';
import { isTerminal } from '../../api/phases.ts';
import type { Invariant, MirrorChange, Simulation } from '../../simulation/index.ts';
import { objectionToCourse } from './judge-transition.ts';
import type { Facts } from './workload-facts.ts';
import { objectionTo } from './judge-verdict.ts';
import { requestName, type Order, type Plot, type Workload } from './plot.ts';
import { clockError, dueOf, Unrest, type Due } from './timing.ts';
import { assessmentName } from './world.ts';

interface Expected {
  readonly workload: Workload;
  readonly order: Order;
}

/** What is written on assessments, change by change, held against what may be and against the truth. */
export class AssessmentRecord {
  readonly #simulation: Simulation;
  readonly #plot: Plot;
  readonly #facts: Facts;
  readonly #unrest: Unrest;
  readonly #expected = new Map<string, Expected>();
  readonly #wrong: string[] = [];

  constructor(simulation: Simulation, plot: Plot, facts: Facts) {
    this.#simulation = simulation;
    this.#plot = plot;
    this.#facts = facts;
    this.#unrest = new Unrest(simulation);
    for (const workload of plot.workloads)
      for (const [index, order] of workload.orders.entries())
        this.#expected.set(assessmentName(requestName(workload, index)), { workload, order });
    simulation.mirror.onChange((change) => {
      if (change.resource.kind === EffectivenessAssessment.kind && change.after) this.#note(change);
    });
  }

  /** How many assessments there will be. */
  get size(): number {
    return this.#expected.size;
  }

  invariants(): readonly Invariant[] {
    return [
      { name: 'what is written fits the truth and stays', check: () => this.#wrong.shift() },
      { name: 'every assessment ends in time', check: () => this.#overdue() },
    ];
  }

  #overdue(): string | undefined {
    this.#unrest.follow();
    const { mirror, time } = this.#simulation;
    const late = mirror.all(EffectivenessAssessment).find((assessment) => {
      const due = this.#dueOf(assessment);
      return due && !hasEnded(assessment) && time.now() > this.#unrest.overdueFrom(due);
    });
    return late && `${late.metadata.name} is ${late.status?.phase ?? 'untouched'} past its deadline`;
  }

  #dueOf(assessment: EffectivenessAssessment): Due | undefined {
    const expected = this.#expected.get(assessment.metadata.name);
    return expected && dueOf(assessment, expected.order);
  }

  #note({ before, after }: MirrorChange): void {
    const assessment = after as EffectivenessAssessment;
    const expected = this.#expected.get(assessment.metadata.name);
    const due = this.#dueOf(assessment);
    if (!expected || !due) return;
    const wrong = objectionToCourse({
      before: (before as EffectivenessAssessment | undefined)?.status ?? {},
      now: assessment.status ?? {},
      due,
      at: this.#simulation.time.now(),
      isClockRight: clockError(this.#simulation) === 0,
    });
    const found = wrong ?? (hasEnded(assessment) ? this.#judge(assessment, expected, due) : undefined);
    if (found !== undefined) this.#wrong.push(`${assessment.metadata.name}: ${found}`);
  }

  #judge(assessment: EffectivenessAssessment, { workload, order }: Expected, due: Due): string | undefined {
    this.#unrest.follow();
    const lookedFrom = this.#unrest.oldestLook();
    const facts = this.#facts.of(workload);
    return objectionTo({ simulation: this.#simulation, plot: this.#plot, workload, order, due, facts, assessment, lookedFrom });
  }
}

const hasEnded = ({ status }: EffectivenessAssessment): boolean => isTerminal(assessmentPhases, status?.phase);
