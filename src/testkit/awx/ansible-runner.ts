import { WorkflowExecution } from '../../api/workflow-execution/workflow-execution.ts';
import { toTime } from '../../base/index.ts';
import type { Simulation } from '../../simulation/index.ts';
import type { FakeJob } from './awx-state.ts';
import type { FakeAwx } from './fake-awx.ts';

/** What really happened: the world's own record, which no controller can write. */
export interface AwxRecord {
  /** Execution UID → the jobs and Jobs that were started for it. */
  readonly started: Map<string, Set<string>>;
  /** Run → target, from the moment it can act until it has ended. */
  readonly open: Map<string, string>;
  /** Execution UID → whether its playbook ran, and how it ended. */
  readonly ran: Set<string>;
  readonly ended: Map<string, FakeJob['status']>;
  /** Target → the execution whose playbook failed there, or was stopped at work. */
  readonly harmed: Map<string, string>;
  /** Jobs that were launched on a target that was harmed. */
  readonly tooSoon: string[];
}

export const emptyRecord = (): AwxRecord => ({
  started: new Map(),
  open: new Map(),
  ran: new Set(),
  ended: new Map(),
  harmed: new Map(),
  tooSoon: [],
});

/** Every playbook on a target of this name ends badly, and says what it was told. */
export const BROKEN = 'shop/Deployment/broken';

/** Plays the part of AWX that runs playbooks: a job waits, runs and ends; one that is to stop takes a moment to. */
export function runPlaybooks(simulation: Simulation, awx: FakeAwx, record: AwxRecord): void {
  const soon = (most: number, action: () => void): void =>
    simulation.later(50 + simulation.random.int(most), 'awx', () => Promise.resolve(action()));
  awx.onLaunch = (job) => {
    const { uid, target } = executionOf(simulation, job);
    const run = `awx-job-${job.id}`;
    record.started.set(uid, (record.started.get(uid) ?? new Set()).add(run));
    record.open.set(run, target);
    if (record.harmed.has(target)) record.tooSoon.push(`${uid} on ${target}, after ${record.harmed.get(target)}`);
    soon(1_500, () => step(job, 'waiting'));
    soon(3_000, () => {
      if (!step(job, 'running')) return;
      job.started = toTime(simulation.time.now());
      record.ran.add(uid);
      soon(9_000, () => end(job, target === BROKEN || simulation.random.int(4) === 0 ? 'failed' : 'successful'));
    });
    const end = (ended: FakeJob, status: FakeJob['status']): void => {
      if (!step(ended, status)) return;
      ended.finished = toTime(simulation.time.now());
      ended.stdout = `TASK [mend] ${JSON.stringify(ended.environment)}`;
      record.open.delete(run);
      record.ended.set(uid, status);
      if (record.ran.has(uid) && status !== 'successful') record.harmed.set(target, uid);
    };
    awx.onCancel = (stopped) => soon(4_000, () => endOf.get(stopped)?.('canceled'));
    endOf.set(job, (status) => end(job, status));
  };
  const endOf = new Map<FakeJob, (status: FakeJob['status']) => void>();
}

const ORDER: readonly FakeJob['status'][] = ['pending', 'waiting', 'running'];

/** Moves a job on, unless it is past that. */
function step(job: FakeJob, status: FakeJob['status']): boolean {
  const [now, next] = [ORDER.indexOf(job.status), ORDER.indexOf(status)];
  if (now < 0 || (next >= 0 && next <= now)) return false;
  job.status = status;
  return true;
}

function executionOf({ mirror }: Simulation, { extra_vars: variables }: FakeJob): { readonly uid: string; readonly target: string } {
  const found = mirror.all(WorkflowExecution).find(({ metadata }) => metadata.name === variables['WFE_NAME']);
  return { uid: found?.metadata.uid ?? 'nobody', target: found?.spec.targetResource ?? '' };
}
