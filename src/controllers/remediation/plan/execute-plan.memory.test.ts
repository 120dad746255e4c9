import { afterEach, describe, expect, test } from 'vitest';
import { AIAnalysis } from '../../../api/ai-analysis/ai-analysis.ts';
import { Job, Namespace, Secret, ServiceAccount } from '../../../api/builtin/index.ts';
import { EffectivenessAssessment } from '../../../api/effectiveness-assessment/effectiveness-assessment.ts';
import { keyOf } from '../../../api/meta.ts';
import { NotificationRequest } from '../../../api/notification-request/notification-request.ts';
import { SignalProcessing } from '../../../api/signal-processing/signal-processing.ts';
import { executionPhases } from '../../../api/workflow-execution/phases.ts';
import { phaseNames } from '../../../api/phases.ts';
import { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import { HOUR, SECOND, toTime } from '../../../base/index.ts';
import type { ApiRequest } from '../../../kube/client/transport.ts';
import type { Controller } from '../../../runtime/index.ts';
import { createExecutionController } from '../../execution/index.ts';
import { offer } from '../../execution/testing/offer.ts';
import { DEFAULT_SETTINGS } from '../../default-settings.ts';
import type { Stage } from '../../testing/stage.ts';
import { decide } from '../decide.ts';
import { onlyRequest } from '../observe.ts';
import { ABSENT, aDeployment, ago, anAssessment, anExecution, aRequest, at, executing, value, WORKFLOW } from '../testing/builders.ts';
import { orchestrator, OrchestratorFixture } from '../testing/orchestrator-fixture.ts';

const { executionNamespace } = DEFAULT_SETTINGS;
let ward: OrchestratorFixture | undefined;
afterEach(() => ward?.stage.end());

/** The orchestrator and the controller that runs workflows, together, up to the moment that a plan is to be run. */
async function planned(selectedWorkflow: object = WORKFLOW, intercept?: Stage['intercept']): Promise<OrchestratorFixture> {
  const here = await OrchestratorFixture.open([orchestrator(), createExecutionController(() => DEFAULT_SETTINGS) as Controller]);
  ward = here;
  await here.stage.admin.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: executionNamespace } });
  const account = { name: WORKFLOW.serviceAccountName ?? '', namespace: executionNamespace };
  await here.stage.admin.create(ServiceAccount, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: account });
  await offer(here.stage.admin, { workflowRef: WORKFLOW, parameters: WORKFLOW.parameters ?? {} });
  await here.signal();
  const token = { name: 'token', namespace: executionNamespace };
  await here.stage.admin.create(Secret, { apiVersion: 'v1', kind: 'Secret', metadata: token });
  if (intercept) here.stage.intercept = intercept;
  await here.report(SignalProcessing, 'sp-rr', { phase: 'Completed' });
  await here.report(AIAnalysis, 'ai-rr', await here.plan({ selectedWorkflow }));
  await here.stage.settle();
  return here;
}

const jobs = async ({ stage }: OrchestratorFixture): Promise<readonly Job[]> =>
  (await stage.admin.list(Job, { namespace: executionNamespace })).items;

const messages = async ({ stage }: OrchestratorFixture): Promise<readonly string[]> =>
  (await stage.admin.list(NotificationRequest, { namespace: DEFAULT_SETTINGS.namespace })).items.map(({ spec }) => spec.type);

async function endJob(here: OrchestratorFixture, type: 'Complete' | 'Failed'): Promise<void> {
  const [job] = await jobs(here);
  if (!job) throw new Error('there is no Job');
  const condition = { type, status: 'True', reason: 'Ended', message: 'it ended', lastTransitionTime: toTime(here.stage.clock.now()) };
  await here.stage.admin.patchStatus(Job, keyOf(job), { type: 'merge', body: { status: { conditions: [condition] } } });
  await here.stage.settle();
}

describe('the orchestrator and the controller that runs workflows', () => {
  test('a plan becomes a run without any further trigger', async () => {
    const here = await planned();
    expect(await here.status()).toMatchObject({ overallPhase: 'Executing', workflowExecutionRef: { name: 'we-rr' } });
    expect((await here.get(WorkflowExecution, 'we-rr')).status?.phase).toBe('Running');
    const [job, ...others] = await jobs(here);
    expect([job?.spec.suspend, others]).toEqual([false, []]);
    expect(here.stage.troubles).toEqual([]);
  });

  test('[RR-255] [WE-001] [WE-104] [WE-205] [EM-004] Completed leads to an assessment and to Verifying, while the Job is still there', async () => {
    const here = await planned();
    await endJob(here, 'Complete');
    expect((await here.get(WorkflowExecution, 'we-rr')).status?.phase).toBe('Completed');
    const { uid } = (await here.get(EffectivenessAssessment, 'ea-rr')).metadata;
    expect(await here.status()).toMatchObject({ overallPhase: 'Verifying', effectivenessAssessmentRef: { uid } });
    expect(await jobs(here)).toHaveLength(1);
  });

  test('[RR-255] [WE-206] [WE-207] [WE-208] [BO-011] [EM-005] Failed leads to Failed at once, to an assessment, and to a message', async () => {
    const here = await planned();
    await endJob(here, 'Failed');
    expect((await here.get(WorkflowExecution, 'we-rr')).status?.phase).toBe('Failed');
    expect(await here.status()).toMatchObject({ overallPhase: 'Failed', failurePhase: 'WorkflowExecution' });
    const assessment = await here.get(EffectivenessAssessment, 'ea-rr');
    expect([assessment.spec.remediationRequestPhase, assessment.status?.phase ?? 'Pending']).toEqual(['Failed', 'Pending']);
    expect(await messages(here)).toEqual(['ManualReview']);
  });

  test('[RR-255] [WE-162] [WE-209] Skipped leads to Skipped', async () => {
    const here = await OrchestratorFixture.open();
    ward = here;
    await here.signal();
    await here.report(SignalProcessing, 'sp-rr', { phase: 'Completed' });
    await here.report(AIAnalysis, 'ai-rr', await here.plan());
    const skipDetails = { reason: 'ResourceBusy', message: 'we-other holds the lock', skippedAt: toTime(here.stage.clock.now()) };
    await here.report(WorkflowExecution, 'we-rr', { phase: 'Skipped', skipDetails });
    expect(await here.status()).toMatchObject({ overallPhase: 'Skipped', skipReason: 'ResourceBusy' });
  });

  test('[BO-137] skipped, because all retries are used up: a person is asked to step in', async () => {
    const here = await OrchestratorFixture.open();
    ward = here;
    await here.signal();
    await here.report(SignalProcessing, 'sp-rr', { phase: 'Completed' });
    await here.report(AIAnalysis, 'ai-rr', await here.plan());
    const skipDetails = { reason: 'ExhaustedRetries', message: 'clear it', skippedAt: toTime(here.stage.clock.now()) };
    await here.report(WorkflowExecution, 'we-rr', { phase: 'Skipped', skipDetails });
    expect(await here.status()).toMatchObject({ overallPhase: 'Skipped', requiresManualReview: true });
    expect(await messages(here)).toEqual(['ManualReview']);
  });

  test('what cannot be run fails before anything is created, and so does the request', async () => {
    const here = await planned({ ...WORKFLOW, parameters: { UNDECLARED: '1' } });
    expect(await jobs(here)).toEqual([]);
    expect((await here.get(WorkflowExecution, 'we-rr')).status?.failureDetails).toMatchObject({ reason: 'ConfigurationError' });
    expect(await here.status()).toMatchObject({ overallPhase: 'Failed', failurePhase: 'WorkflowExecution' });
  });
});

/** What reaches the server on the way from a plan to its end, in the words of the story. */
const STEPS: readonly (readonly [string, (request: ApiRequest) => boolean])[] = [
  ['execution created', ({ method, path }) => method === 'POST' && path.endsWith('/workflowexecutions')],
  ['dependency asked for', ({ method, path }) => method === 'GET' && path.endsWith('/secrets/token')],
  ['run created', ({ method, path }) => method === 'POST' && path.endsWith('/jobs')],
  ['status reported', ({ path, body }) => path.endsWith('/workflowexecutions/we-rr/status') && JSON.stringify(body).includes('"Running"')],
  ['request moved on', ({ path, body }) => path.endsWith('/remediationrequests/rr/status') && JSON.stringify(body).includes('"Verifying"')],
];

const stepOf = (request: ApiRequest): string | undefined => STEPS.find(([, isIt]) => isIt(request))?.[0];
const NEEDY = { ...WORKFLOW, dependencies: { secrets: [{ name: 'token' }] } };
const refusal = (message: string) => ({
  code: 403,
  body: { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'Forbidden', message, code: 403 },
});

describe('from the plan to its end', () => {
  test('[RR-254] once it is named, dependencies and run need nothing more of the orchestrator', async () => {
    const here = await planned(NEEDY, (request) => (stepOf(request) === 'dependency asked for' ? refusal('not now') : undefined));
    expect((await here.get(WorkflowExecution, 'we-rr')).status?.conditions?.find(({ type }) => type === 'Ready')?.reason).toBe(
      'WaitingForDependencies',
    );
    here.stage.intercept = ({ method, path }) => (method !== 'GET' && path.includes('/remediationrequests') ? refusal('gone') : undefined);
    await here.stage.advance(10 * SECOND);
    expect((await here.get(WorkflowExecution, 'we-rr')).status?.phase).toBe('Running');
    expect((await jobs(here)).map(({ spec }) => spec.suspend)).toEqual([false]);
  });

  test('[RR-256] one step follows the other', async () => {
    const steps: string[] = [];
    const noting = (request: ApiRequest): undefined => {
      const step = stepOf(request);
      if (step !== undefined && !steps.includes(step)) steps.push(step);
    };
    const here = await planned(NEEDY, noting);
    await endJob(here, 'Complete');
    expect(steps).toEqual(STEPS.map(([step]) => step));
  });

  test.each(STEPS.slice(0, -1).map(([step], at) => ({ step, at })))(
    '[RR-256] where the $step fails, nothing after it happens',
    async ({ step, at }) => {
      const steps: string[] = [];
      const here = await planned(NEEDY, (request) => {
        const met = stepOf(request);
        if (met !== undefined) steps.push(met);
        return met === step ? refusal('not allowed') : undefined;
      });
      await here.stage.advance(30 * SECOND);
      const later = STEPS.slice(at + 1).map(([name]) => name);
      expect(steps).toContain(step);
      expect(steps.filter((name) => later.includes(name))).toEqual([]);
    },
  );

  test('[RR-256] a spec that is not valid prevents all that follows but the end of the request', async () => {
    const asked: string[] = [];
    const here = await planned({ ...NEEDY, executionBundle: '' }, (request) => void asked.push(stepOf(request) ?? ''));
    expect(asked.filter((step) => ['dependency asked for', 'run created', 'request moved on'].includes(step))).toEqual([]);
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
