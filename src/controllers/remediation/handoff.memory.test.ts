import { afterEach, describe, expect, test } from 'vitest';
import { AIAnalysis } from '../../api/ai-analysis/ai-analysis.ts';
import { Job, Namespace, ServiceAccount } from '../../api/builtin/index.ts';
import { keyOf } from '../../api/meta.ts';
import { SignalProcessing } from '../../api/signal-processing/signal-processing.ts';
import { executionPhases } from '../../api/workflow-execution/phases.ts';
import { phaseNames } from '../../api/phases.ts';
import { WorkflowExecution } from '../../api/workflow-execution/workflow-execution.ts';
import { HOUR, toTime } from '../../base/index.ts';
import type { Controller } from '../../runtime/index.ts';
import { createExecutionController } from '../execution/index.ts';
import { offer } from '../execution/testing/offer.ts';
import { DEFAULT_SETTINGS } from '../settings.ts';
import { decide } from './decide.ts';
import { onlyRequest } from './observe.ts';
import { ABSENT, aDeployment, ago, anAssessment, anExecution, aRequest, at, executing, value, WORKFLOW } from './testing/builders.ts';
import { orchestrator, Ward } from './testing/ward.ts';

const { executionNamespace } = DEFAULT_SETTINGS;
let ward: Ward | undefined;
afterEach(() => ward?.stage.end());

/** The orchestrator and the controller that runs workflows, together, up to the moment that a plan is to be run. */
async function planned(selectedWorkflow: object = WORKFLOW): Promise<Ward> {
  const here = await Ward.open([orchestrator(), createExecutionController(() => DEFAULT_SETTINGS) as Controller]);
  ward = here;
  await here.stage.admin.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: executionNamespace } });
  const account = { name: WORKFLOW.serviceAccountName ?? '', namespace: executionNamespace };
  await here.stage.admin.create(ServiceAccount, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: account });
  await offer(here.stage.admin, { workflowRef: WORKFLOW, parameters: WORKFLOW.parameters ?? {} });
  await here.signal();
  await here.report(SignalProcessing, 'sp-rr', { phase: 'Completed' });
  await here.report(AIAnalysis, 'ai-rr', await here.plan({ selectedWorkflow }));
  await here.stage.settle();
  return here;
}

const jobs = async ({ stage }: Ward): Promise<readonly Job[]> => (await stage.admin.list(Job, { namespace: executionNamespace })).items;

async function endJob(here: Ward, type: 'Complete' | 'Failed'): Promise<void> {
  const [job] = await jobs(here);
  if (!job) throw new Error('there is no Job');
  const condition = { type, status: 'True', reason: 'Ended', message: 'it ended', lastTransitionTime: toTime(here.stage.clock.now()) };
  await here.stage.admin.patchStatus(Job, keyOf(job), { type: 'merge', body: { status: { conditions: [condition] } } });
  await here.stage.settle();
}

describe('the orchestrator and the controller that runs workflows', () => {
  test('a plan becomes a run that nobody else has to start', async () => {
    const here = await planned();
    expect(await here.status()).toMatchObject({ overallPhase: 'Executing', workflowExecutionRef: { name: 'we-rr' } });
    expect((await here.get(WorkflowExecution, 'we-rr')).status?.phase).toBe('Running');
    const [job, ...others] = await jobs(here);
    expect([job?.spec.suspend, others]).toEqual([false, []]);
    expect(here.stage.troubles).toEqual([]);
  });

  test('[RR-255] Completed leads to Verifying', async () => {
    const here = await planned();
    await endJob(here, 'Complete');
    expect((await here.get(WorkflowExecution, 'we-rr')).status?.phase).toBe('Completed');
    expect((await here.status()).overallPhase).toBe('Verifying');
  });

  test('[RR-255] Failed leads to Failed', async () => {
    const here = await planned();
    await endJob(here, 'Failed');
    expect((await here.get(WorkflowExecution, 'we-rr')).status?.phase).toBe('Failed');
    expect(await here.status()).toMatchObject({ overallPhase: 'Failed', failurePhase: 'WorkflowExecution' });
  });

  test('[RR-255] Skipped leads to Skipped', async () => {
    const here = await Ward.open();
    ward = here;
    await here.signal();
    await here.report(SignalProcessing, 'sp-rr', { phase: 'Completed' });
    await here.report(AIAnalysis, 'ai-rr', await here.plan());
    const skipDetails = { reason: 'ResourceBusy', message: 'we-other holds the lock', skippedAt: toTime(here.stage.clock.now()) };
    await here.report(WorkflowExecution, 'we-rr', { phase: 'Skipped', skipDetails });
    expect(await here.status()).toMatchObject({ overallPhase: 'Skipped', skipReason: 'ResourceBusy' });
  });

  test('what cannot be run fails before anything is created, and so does the request', async () => {
    const here = await planned({ ...WORKFLOW, parameters: { UNDECLARED: '1' } });
    expect(await jobs(here)).toEqual([]);
    expect((await here.get(WorkflowExecution, 'we-rr')).status?.failureDetails).toMatchObject({ reason: 'ConfigurationError' });
    expect(await here.status()).toMatchObject({ overallPhase: 'Failed', failurePhase: 'WorkflowExecution' });
  });
});

const ENGINES = ['job', 'tekton', 'ansible'] as const;
const details = { reason: 'TaskFailed', message: 'exit 1', naturalLanguageSummary: 'it broke', failedAt: ago(0) } as const;

describe('the engine of a run', () => {
  /** The decision about a request whose run by this engine stands so. */
  const decided = (executionEngine: (typeof ENGINES)[number], status: WorkflowExecution['status'], ms: number) => {
    const run = anExecution(status);
    const execution = { ...run, spec: { ...run.spec, workflowRef: { ...run.spec.workflowRef, executionEngine } } };
    const seen = { execution: value(execution), assessment: value(anAssessment()), target: value(aDeployment()), analysis: ABSENT };
    return decide({ ...onlyRequest(aRequest(executing), DEFAULT_SETTINGS), ...seen }, at(ms));
  };

  const standings: readonly NonNullable<WorkflowExecution['status']>[] = [
    {},
    ...phaseNames(executionPhases).map((phase) => ({ phase })),
    ...[true, false].map((wasExecutionFailure) => ({
      phase: 'Failed' as const,
      failureDetails: { ...details, failedTaskName: 'workflow', failedTaskIndex: 0, wasExecutionFailure },
    })),
    { phase: 'Skipped', skipDetails: { reason: 'ResourceBusy', message: 'busy', skippedAt: ago(0) } },
  ];

  test.each(standings.flatMap((status) => [0, HOUR].map((ms) => ({ status, ms }))))(
    '[RR-257] makes no difference to what follows from $status after $ms ms',
    ({ status, ms }) => {
      const [byJob, ...others] = ENGINES.map((engine) => decided(engine, status, ms));
      for (const other of others) expect(other).toEqual(byJob);
    },
  );

  test('[RR-257] and yet the phases differ from each other', () => {
    const phases = standings.map((status) => (decided('tekton', status, 0).status as { readonly overallPhase: string }).overallPhase);
    expect(new Set(phases)).toEqual(new Set(['Executing', 'Verifying', 'Failed', 'Skipped']));
  });
});
