import { Pod } from '../../../api/builtin/index.ts';
import type { KubeObject } from '../../../api/meta.ts';
import { readRun } from '../../../runtime/reconcile/two-step-start.ts';
import { readBudget } from '../budget/read-budget.ts';
import { observeLaunched } from '../engines/awx/observe-awx-job.ts';
import { readRunEvents } from '../engines/evidence/run-events.ts';
import { engineOf } from '../engines/index.ts';
import { jobEngine } from '../engines/job/job-engine.ts';
import { NOT_READ, type ExecutionContext, type RunningAwxExecution, type RunningExecution } from '../observed-execution.ts';
import { readPods, recordedEngine } from '../run/read-run.ts';
import { BY_EXECUTION } from '../run/run-finished.ts';
import { hasWaited, isSuspended, needsPods } from './choose-reads.ts';
import { readRequest, readTargetOf } from './read-request.ts';

/** Reads the recorded run and what a decision about it needs. */
export async function observeRunning(context: ExecutionContext): Promise<RunningExecution> {
  const { object, reader, key, settings } = context;
  const { uid: recordedUid = '', kind } = object.status?.executionRef ?? {};
  const { resource } = recordedEngine(kind) ?? jobEngine;
  // A run that the cache has as suspended may have been released since: to fail it as never started would be final.
  const isLate = hasWaited(context) || isSuspended(reader.get(resource, key));
  const run = await readRun(reader, { resource, key, recordedUid, isLate });
  const observed = { stage: 'running', object, settings, run } as const;
  if (run.kind !== 'value') return { ...observed, request: NOT_READ, budget: NOT_READ, target: NOT_READ, ...NO_EVIDENCE };
  const request = await readRequest(context, isSuspended(run));
  const budget = isSuspended(run) ? await readBudget(context) : NOT_READ;
  const cachedPods = () => reader.list(Pod, { index: BY_EXECUTION, value: object.metadata.uid });
  const evidence = needsPods(context, run.value, { request, cachedPods }) ? await readEvidence(context, run.value) : NO_EVIDENCE;
  return { ...observed, request, budget, ...evidence, target: await readTargetOf(request, isSuspended(run), reader) };
}

const NO_EVIDENCE = { pods: NOT_READ, events: NOT_READ } as const;

/** What the pods of the run and their Events report. */
async function readEvidence({ reader, key, now }: ExecutionContext, run: KubeObject): Promise<Pick<RunningExecution, 'pods' | 'events'>> {
  const pods = await readPods(reader, key, run);
  if (pods.kind === 'unreadable') return { pods, events: NOT_READ };
  return { pods, events: await readRunEvents(reader, { run, pods: pods.value, endedAt: engineOf(run).endOf(run)?.at, now }) };
}

/** Reads the job in AWX, which has no object in the cluster. */
export async function observeRunningInAwx(context: ExecutionContext): Promise<RunningAwxExecution> {
  const { object, settings } = context;
  const request = await readRequest(context, false);
  return { stage: 'running-in-awx', object, settings, request, awx: await observeLaunched(context) };
}
