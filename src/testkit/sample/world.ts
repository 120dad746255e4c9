import { ConfigMap, CustomResourceDefinition, Job } from '../../api/builtin/index.ts';
import { crdOf } from '../../api/crd-of.ts';
import { keyOf, keyText, type KubeObject } from '../../api/meta.ts';
import { deepFreeze, hasCode, toTime } from '../../base/index.ts';
import type { Invariant, MirrorChange, Simulation } from '../../simulation/index.ts';
import { Errand, ERRAND_LABEL, errandTransitions, reportName, type ErrandPhase } from './errand.ts';

/** What really happened to the targets: the world's own record, which no controller can write. */
export interface Ledger {
  /** Errand UID → the Jobs that were released for it. From that moment a Job may act, however soon it is deleted again. */
  readonly acts: Map<string, Set<string>>;
  /** Job UID → target, while it runs. */
  readonly running: Map<string, string>;
  /** Errand UIDs whose run went through to its end. */
  readonly completed: Set<string>;
}

/** Plays the cluster's part: a Job that is not held really acts on its target, takes a while, and completes. */
export function runJobs(simulation: Simulation): Ledger {
  const ledger: Ledger = { acts: new Map(), running: new Map(), completed: new Set() };
  simulation.mirror.onChange((change) => {
    if (change.resource !== Job) return;
    const job = change.after as Job | undefined;
    if (!job) return void ledger.running.delete(change.before?.metadata.uid ?? '');
    if (job.spec.suspend === true || job.status?.startTime !== undefined || job.metadata.deletionTimestamp !== undefined) return;
    noteLetGo(ledger, job);
    simulation.later(100 + simulation.random.int(2_000), 'kubelet', () => startJob(simulation, ledger, job));
  });
  return ledger;
}

const errandOf = (job: Job): string => job.metadata.labels?.[ERRAND_LABEL] ?? '';

function noteLetGo(ledger: Ledger, job: Job): void {
  const runs = ledger.acts.get(errandOf(job)) ?? new Set();
  ledger.acts.set(errandOf(job), runs.add(job.metadata.uid));
}

async function startJob(simulation: Simulation, ledger: Ledger, seen: Job): Promise<void> {
  const job = simulation.mirror.get(Job, keyOf(seen));
  if (job?.metadata.uid !== seen.metadata.uid || ledger.running.has(job.metadata.uid) || job.status?.startTime !== undefined) return;
  ledger.running.set(job.metadata.uid, job.metadata.name);
  simulation.journal.note('node', () => `runs ${keyText(keyOf(job))} for errand ${errandOf(job)}`);
  simulation.later(1_000 + simulation.random.int(20_000), 'kubelet', () => endJob(simulation, ledger, job));
  await writeStatus(simulation, job, { active: 1, startTime: toTime(simulation.time.now()) });
}

async function endJob(simulation: Simulation, ledger: Ledger, seen: Job): Promise<void> {
  if (!ledger.running.delete(seen.metadata.uid)) return;
  ledger.completed.add(errandOf(seen));
  const now = toTime(simulation.time.now());
  const condition = { type: 'Complete', status: 'True', reason: 'CompletionsReached', message: '', lastTransitionTime: now };
  await writeStatus(simulation, seen, { active: 0, succeeded: 1, completionTime: now, conditions: [condition] });
}

async function writeStatus(simulation: Simulation, job: Job, status: object): Promise<void> {
  try {
    await simulation.admin.patchStatus(Job, keyOf(job), { type: 'merge', body: { metadata: { uid: job.metadata.uid }, status } });
  } catch (error) {
    // The Job was deleted, and perhaps another took its name: no object is left to record it on.
    if (!hasCode(error, 'NotFound') && !hasCode(error, 'Conflict')) throw error;
  }
}

/** What must hold after every step, whatever went wrong. */
export function errandInvariants(ledger: Ledger, changes: MirrorChange[]): readonly Invariant[] {
  return [
    {
      name: 'each errand acts at most once',
      check: () => firstOf(ledger.acts, ([uid, runs]) => (runs.size > 1 ? `errand ${uid} acted ${runs.size} times` : undefined)),
    },
    {
      name: 'one run per target at any time',
      check() {
        const targets = [...ledger.running.values()].map((name) => name.split('-').slice(0, 2).join('-'));
        return targets.find((target, i) => targets.indexOf(target) !== i);
      },
    },
    {
      name: 'phases move along the table, and terminal is terminal',
      check: () => firstOf(changes.splice(0), illegalMove),
    },
  ];
}

function illegalMove({ resource, before, after }: MirrorChange): string | undefined {
  if (resource !== Errand || !before || !after || before.metadata.uid !== after.metadata.uid) return undefined;
  const from = phaseOf(before);
  const to = phaseOf(after);
  if (from === to || to === '') return from === to ? undefined : `${after.metadata.name}: ${from} → none`;
  const allowed: readonly ErrandPhase[] = errandTransitions[from];
  return allowed.includes(to) ? undefined : `${after.metadata.name}: ${from} → ${to}`;
}

const phaseOf = (errand: KubeObject): ErrandPhase | '' => (errand as Errand).status?.phase ?? '';

function firstOf<T>(items: Iterable<T>, judge: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const wrong = judge(item);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

/** All errands are done with, their runs are cleared away, and each has its report. */
export const errandsSettled = (simulation: Simulation, expected: number): boolean => {
  const errands = simulation.mirror.all(Errand);
  if (errands.length < expected || simulation.mirror.all(Job).length > 0) return false;
  return errands.every(
    (errand) => isOver(errand) && simulation.mirror.get(ConfigMap, { namespace: 'default', name: reportName(errand) }) !== undefined,
  );
};

const isOver = (errand: Errand): boolean => errand.status?.phase === 'Succeeded' || errand.status?.phase === 'Failed';

/** What is wrong with the end: success without an act, or a run that was called lost although it went through. */
export function errandVerdict(simulation: Simulation, ledger: Ledger): readonly string[] {
  return simulation.mirror.all(Errand).flatMap((errand) => {
    const { uid, name } = errand.metadata;
    if (errand.status?.phase === 'Succeeded' && !ledger.completed.has(uid)) return [`${name} succeeded, but its run never went through`];
    if (errand.status?.reason === 'RunLost') return [`${name} was called lost, although its run was not deleted`];
    return [];
  });
}

/** Frozen, so that many simulations can share what a server makes of it. */
const ERRAND_CRD = deepFreeze(crdOf(Errand));

/** Installs the sample kind and follows all that it touches. */
export async function prepareErrands(simulation: Simulation): Promise<void> {
  await simulation.admin.create(CustomResourceDefinition, ERRAND_CRD);
  for (const resource of [Errand, Job, ConfigMap]) await simulation.follow(resource);
}

/** A person asks for an errand. */
export async function askFor(simulation: Simulation, name: string, target: string): Promise<void> {
  await simulation.admin.create(Errand, {
    apiVersion: 'test.sickbay.dev/v1',
    kind: 'Errand',
    metadata: { name, namespace: 'default' },
    spec: { target },
  });
}
