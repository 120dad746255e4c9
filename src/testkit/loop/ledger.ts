import { Job } from '../../api/builtin/index.ts';
import { LABELS } from '../../api/well-known.ts';
import type { Invariant, Simulation } from '../../simulation/index.ts';

/** What really happened to the targets: the world's own record, which no controller can write. */
export class Ledger {
  /** WorkflowExecution UID → the Jobs that were released for it. From its release a Job may act, however soon it is deleted. */
  readonly letGo = new Map<string, Set<string>>();
  /** RemediationRequest name → WorkflowExecutions that were released for it. */
  readonly ofRequest = new Map<string, Set<string>>();
  /** Pod UID → target, while its workflow runs. */
  readonly running = new Map<string, string>();
  /** Workflows that ran to their end, with exit codes. */
  readonly ended: number[] = [];

  constructor(simulation: Simulation) {
    simulation.mirror.onChange(({ resource, after }) => {
      if (resource === Job && after) this.#note(after as Job);
    });
  }

  #note(job: Job): void {
    if (job.spec.suspend === true) return;
    const labels = job.metadata.labels ?? {};
    const execution = labels[LABELS.workflowExecutionUid] ?? 'nobody';
    add(this.letGo, execution, job.metadata.uid);
    add(this.ofRequest, (labels[LABELS.workflowExecution] ?? 'nobody').replace(/^we-/, ''), execution);
  }

  /** What must hold after every step. */
  invariants(): readonly Invariant[] {
    return [
      { name: 'at most one run per execution', check: () => moreThanOne(this.letGo) },
      { name: 'at most one execution per request', check: () => moreThanOne(this.ofRequest) },
      { name: 'at most one execution per target at any time', check: () => firstTwice([...this.running.values()]) },
    ];
  }
}

function add(sets: Map<string, Set<string>>, key: string, value: string): void {
  sets.set(key, (sets.get(key) ?? new Set()).add(value));
}

function moreThanOne(sets: ReadonlyMap<string, ReadonlySet<string>>): string | undefined {
  for (const [key, values] of sets) if (values.size > 1) return `${key}: ${[...values].join(', ')}`;
  return undefined;
}

const firstTwice = (values: readonly string[]): string | undefined => values.find((value, i) => values.indexOf(value) !== i);
