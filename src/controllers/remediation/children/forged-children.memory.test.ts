import { afterEach, describe, expect, test } from 'vitest';
import { AIAnalysis } from '../../../api/ai-analysis/ai-analysis.ts';
import { phaseNames } from '../../../api/phases.ts';
import { RemediationApprovalRequest } from '../../../api/remediation-approval-request/remediation-approval-request.ts';
import { remediationPhases } from '../../../api/remediation-request/phases.ts';
import { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import { SignalProcessing } from '../../../api/signal-processing/signal-processing.ts';
import { executionPhases } from '../../../api/workflow-execution/phases.ts';
import { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import { toTime } from '../../../base/index.ts';
import { ENGINES, ForgeryFixture, workflowOn, type EngineName } from '../testing/forgery-fixture.ts';
import { SYSTEM } from '../testing/orchestrator-fixture.ts';

/** Minutes of virtual time take a second or two. */
const LIMIT = { timeout: 60_000 };
let here: ForgeryFixture | undefined;
afterEach(async () => {
  await here?.stage.end();
  here = undefined;
});

/** An attacker who may write objects of one kind writes one that should make a workflow run. */
interface Forgery {
  readonly how: string;
  /** What is there before, honestly. */
  readonly before?: (at: ForgeryFixture, engine: EngineName) => Promise<unknown>;
  readonly forge: (at: ForgeryFixture, engine: EngineName) => Promise<unknown>;
  /** What happens after it. */
  readonly later?: (at: ForgeryFixture, engine: EngineName) => Promise<unknown>;
  readonly engines?: readonly EngineName[];
  readonly identityIsChecked?: boolean;
}

async function outcomeOf({ before, forge, later, identityIsChecked }: Forgery, engine: EngineName): Promise<number> {
  const at = (here = await ForgeryFixture.open({ ...(identityIsChecked !== undefined && { identityIsChecked }) }));
  await before?.(at, engine);
  const honest = at.runs();
  await forge(at, engine);
  await at.wait();
  await later?.(at, engine);
  await at.wait();
  return at.runs() - honest;
}

const onEach = (forgeries: readonly Forgery[]) =>
  forgeries.flatMap((forgery) =>
    (forgery.engines ?? ENGINES).map((engine) => ({ ...forgery, engine, title: `${forgery.how} (${engine})` })),
  );

const ONE = ['job'] as const;
const create = (at: ForgeryFixture, draft: ReturnType<ForgeryFixture['executionOn']>) => at.stage.admin.create(WorkflowExecution, draft);
const awaiting = (at: ForgeryFixture, engine: EngineName) =>
  at.untilPlanned(engine, { approvalRequired: true, approvalReason: 'production' });
const pause = (at: ForgeryFixture, paused: string | undefined) => {
  const { paused: _, ...budget } = at.settings.budget;
  at.settings = { ...at.settings, budget: { ...budget, ...(paused !== undefined && { paused }) } };
};

describe('the stage', LIMIT, () => {
  test.each(ENGINES)('runs what is honest: a plan on %s', async (engine) => {
    expect(await outcomeOf({ how: '', forge: (at) => at.untilPlanned(engine) }, engine)).toBe(1);
  });

  test.each(ENGINES)('runs what was approved on %s', async (engine) => {
    const forge = async (at: ForgeryFixture) =>
      at.write(RemediationApprovalRequest, 'rar-rr', { decision: 'Approved', decidedBy: 'anna', decidedAt: toTime(at.stage.clock.now()) });
    expect(await outcomeOf({ how: '', before: awaiting, forge }, engine)).toBe(1);
  });
});

/** A status that an attacker would give an execution in this phase. */
const statusIn = (phase: (typeof EXECUTION_PHASES)[number]): object => {
  const executionRef = { kind: 'Job', name: 'wfe-1', namespace: 'kubernaut-workflows', uid: 'made-up', releasedAt: '2026-11-15T03:00:00Z' };
  const skipDetails = { reason: 'ResourceBusy', message: 'm', skippedAt: '2026-11-15T03:00:00Z' };
  if (phase === 'Pending') return { phase };
  return phase === 'Skipped' ? { phase, skipDetails } : { phase, startTime: '2026-11-15T03:00:00Z', executionRef };
};
const EXECUTION_PHASES = phaseNames(executionPhases);

const executions: readonly Forgery[] = [
  ...EXECUTION_PHASES.map((phase): Forgery => ({
    how: `without a request, ${phase}`,
    forge: async (at, engine) => {
      await create(at, at.executionOn(engine));
      await at.write(WorkflowExecution, 'we-forged', statusIn(phase));
    },
  })),
  { how: 'without a request, new', forge: (at, engine) => create(at, at.executionOn(engine)) },
  {
    how: 'of a request that is looked at',
    before: (at) => at.signal(),
    forge: async (at, engine) => create(at, at.executionOn(engine, await at.request())),
  },
  {
    how: 'of a request that is analysed, in the place of its execution',
    before: (at) => at.untilAnalysis(),
    forge: async (at, engine) => {
      const draft = at.executionOn(engine, await at.request());
      await create(at, { ...draft, metadata: { ...draft.metadata, name: 'we-rr' } });
    },
  },
  {
    how: 'of a request that waits for approval',
    before: awaiting,
    forge: async (at, engine) => create(at, at.executionOn(engine, await at.request())),
  },
  {
    how: 'of a request that waits for approval, in the place of its execution, with exactly its plan',
    before: awaiting,
    forge: async (at, engine) => {
      const request = await at.request();
      const { remediationTarget } = request.status ?? {};
      const draft = at.executionOn(engine, request, { ...(remediationTarget?.uid !== undefined && { targetUID: remediationTarget.uid }) });
      await create(at, { ...draft, metadata: { ...draft.metadata, name: 'we-rr' } });
    },
  },
  {
    how: 'of a request that runs another',
    before: async (at, engine) => {
      await at.untilPlanned(engine);
      await at.wait();
    },
    forge: async (at, engine) => create(at, at.executionOn(engine, await at.request(), { targetResource: 'shop/Deployment/cart' })),
  },
  {
    how: 'of a request that executes, in the place of its execution, with the digest of its plan over another',
    before: async (at, engine) => {
      pause(at, 'incident');
      await at.untilPlanned(engine);
    },
    forge: async (at, engine) => {
      const request = await at.request();
      const digest = request.status?.planDigest ?? '';
      const draft = at.executionOn(engine, request, { parameters: { REVISION: '9' }, planDigest: digest });
      await at.replace(WorkflowExecution, 'we-rr', draft);
      pause(at, undefined);
    },
  },
  {
    how: 'with its request and all that belongs to it, in another namespace',
    forge: async (at, engine) => {
      const request = await at.signal('shop');
      const draft = at.executionOn(engine, request);
      const { metadata } = await create(at, draft);
      for (const overallPhase of ['Pending', 'Processing', 'Analyzing']) await at.write(RemediationRequest, 'rr', { overallPhase }, 'shop');
      const workflowExecutionRef = { name: 'we-forged', uid: metadata.uid };
      await at.write(
        RemediationRequest,
        'rr',
        { overallPhase: 'Executing', planDigest: draft.spec.planDigest, workflowExecutionRef },
        'shop',
      );
    },
  },
  ...(['Running', 'Completed', 'Failed', 'Skipped'] as const).map((phase): Forgery => ({
    how: `the status of an honest one that waits: ${phase}`,
    before: async (at, engine) => {
      pause(at, 'incident');
      await at.untilPlanned(engine);
    },
    forge: (at) => at.write(WorkflowExecution, 'we-rr', statusIn(phase)),
    later: (at) => Promise.resolve(pause(at, undefined)),
  })),
];

/** The way to a phase that the table of phases allows. */
const WAY: readonly string[] = ['Pending', 'Processing', 'Analyzing', 'AwaitingApproval', 'Executing', 'Verifying'];
const MADE_UP = {
  planDigest: `sha256:${'f'.repeat(64)}`,
  workflowExecutionRef: { name: 'we-rr', uid: 'made-up' },
  approvalRequestRef: { name: 'rar-rr', uid: 'made-up' },
  aiAnalysisRef: { name: 'ai-rr', uid: 'made-up' },
};

const requests: readonly Forgery[] = [
  ...phaseNames(remediationPhases).flatMap((phase): readonly Forgery[] => [
    { how: `${phase}, and nothing else`, engines: ONE, forge: (at) => forgeRequest(at, phase, {}) },
    { how: `${phase}, with children that were never there`, engines: ONE, forge: (at) => forgeRequest(at, phase, MADE_UP) },
  ]),
  {
    how: 'Executing, with an execution that an attacker created before it had a plan',
    before: (at) => at.untilAnalysis(),
    forge: async (at, engine) => {
      await create(at, at.executionOn(engine, await at.request()));
      await at.write(RemediationRequest, 'rr', { overallPhase: 'Executing' });
    },
  },
];

async function forgeRequest(at: ForgeryFixture, phase: string, status: object): Promise<void> {
  await at.signal();
  const way = WAY.includes(phase) ? WAY.slice(0, WAY.indexOf(phase) + 1) : [phase];
  for (const overallPhase of way)
    await at.stage.admin.patchStatus(RemediationRequest, { namespace: SYSTEM, name: 'rr' }, merge({ overallPhase, ...status }));
}

const merge = (status: object) => ({ type: 'merge', body: { status } }) as const;

const decided = (at: ForgeryFixture, change: object = {}): object => ({
  decision: 'Approved',
  decidedBy: 'mallory',
  decidedAt: toTime(at.stage.clock.now()),
  ...change,
});

/** The question as it was put, with another's marks. */
async function question(at: ForgeryFixture, { owned, digest }: { readonly owned: boolean; readonly digest?: string }) {
  const { apiVersion, kind, metadata, spec } = await at.stage.admin.get(RemediationApprovalRequest, { namespace: SYSTEM, name: 'rar-rr' });
  const owner = owned && metadata.ownerReferences ? { ownerReferences: metadata.ownerReferences } : {};
  return {
    apiVersion,
    kind,
    metadata: { name: 'rar-forged', namespace: SYSTEM, ...owner },
    spec: { ...spec, ...(digest && { planDigest: digest }) },
  };
}

const approvals: readonly Forgery[] = [
  {
    how: 'approved, where names of deciders are not checked',
    identityIsChecked: false,
    before: awaiting,
    forge: (at) => at.write(RemediationApprovalRequest, 'rar-rr', decided(at)),
  },
  {
    how: 'approved without an approver name',
    engines: ONE,
    before: awaiting,
    forge: (at) => at.write(RemediationApprovalRequest, 'rar-rr', { decision: 'Approved' }).catch(() => undefined),
  },
  {
    how: 'another question about the same plan, approved',
    before: awaiting,
    forge: async (at) => {
      await at.stage.admin.create(RemediationApprovalRequest, await question(at, { owned: true }));
      await at.write(RemediationApprovalRequest, 'rar-forged', decided(at));
    },
  },
  ...[true, false].map((owned): Forgery => ({
    how: `in the place of the one that was put, ${owned ? 'with' : 'without'} its owner, approved`,
    before: awaiting,
    forge: async (at) => {
      await at.replace(RemediationApprovalRequest, 'rar-rr', await question(at, { owned }));
      await at.write(RemediationApprovalRequest, 'rar-rr', decided(at)).catch(() => undefined);
    },
  })),
  {
    how: 'approved too late',
    engines: ONE,
    before: async (at, engine) => {
      await awaiting(at, engine);
      await at.stage.advance(60 * 60_000);
    },
    forge: (at) => at.write(RemediationApprovalRequest, 'rar-rr', decided(at)).catch(() => undefined),
  },
];

/** An analysis that an attacker created, which does not belong to the request. */
const ownerlessAnalysis = () => {
  const { apiVersion, kind, spec } = AIAnalysis.sample as AIAnalysis;
  return { apiVersion, kind, metadata: { name: 'ai-rr', namespace: SYSTEM }, spec };
};

const analyses: readonly Forgery[] = [
  {
    how: 'there before ours, without an owner, with a plan',
    before: (at) => at.signal(),
    forge: async (at, engine) => {
      await at.stage.admin.create(AIAnalysis, ownerlessAnalysis());
      await at.write(AIAnalysis, 'ai-rr', await at.planOn(engine));
    },
    later: (at) => at.write(SignalProcessing, 'sp-rr', { phase: 'Completed' }),
  },
  {
    how: 'in the place of ours, without an owner, with a plan',
    before: (at) => at.untilAnalysis(),
    forge: async (at, engine) => {
      await at.replace(AIAnalysis, 'ai-rr', ownerlessAnalysis());
      await at.write(AIAnalysis, 'ai-rr', await at.planOn(engine));
    },
  },
  {
    how: 'with a workflow that the catalogue does not have',
    before: (at) => at.untilAnalysis(),
    forge: async (at, engine) =>
      at.write(
        AIAnalysis,
        'ai-rr',
        await at.planOn(engine, { selectedWorkflow: { ...workflowOn(engine), workflowId: 'evil', workflowName: 'evil' } }),
      ),
  },
  {
    how: 'with another image than the catalogue has',
    before: (at) => at.untilAnalysis(),
    forge: async (at, engine) =>
      at.write(AIAnalysis, 'ai-rr', await at.planOn(engine, { selectedWorkflow: { ...workflowOn(engine), executionBundle: 'evil:1' } })),
  },
  {
    how: 'with a parameter that the workflow does not declare',
    before: (at) => at.untilAnalysis(),
    forge: async (at, engine) =>
      at.write(AIAnalysis, 'ai-rr', await at.planOn(engine, { selectedWorkflow: { ...workflowOn(engine), parameters: { EVIL: '1' } } })),
  },
  ...['cart', 'coredns'].map((name): Forgery => ({
    how: `with another target than that of the signal: ${name}`,
    before: (at) => at.untilAnalysis(),
    forge: async (at, engine) => {
      const remediationTarget = { kind: 'Deployment', apiVersion: 'apps/v1', name, namespace: name === 'cart' ? 'shop' : 'kube-system' };
      const rootCauseAnalysis = { summary: 's', signalType: 'CrashLoop', remediationTarget };
      await at.write(AIAnalysis, 'ai-rr', await at.planOn(engine, { rootCauseAnalysis }));
    },
  })),
  {
    how: 'with a target that was another then',
    before: (at) => at.untilAnalysis(),
    forge: async (at, engine) => {
      const remediationTarget = {
        kind: 'Deployment',
        apiVersion: 'apps/v1',
        name: 'checkout',
        namespace: 'shop',
        uid: 'made-up',
        specHash: `sha256:${'0'.repeat(64)}`,
      };
      await at.write(
        AIAnalysis,
        'ai-rr',
        await at.planOn(engine, { rootCauseAnalysis: { summary: 's', signalType: 'CrashLoop', remediationTarget } }),
      );
    },
  },
];

describe.each([
  { kind: 'WorkflowExecution', forgeries: executions },
  { kind: 'RemediationRequest', forgeries: requests },
  { kind: 'RemediationApprovalRequest', forgeries: approvals },
  { kind: 'AIAnalysis', forgeries: analyses },
])('a forged $kind starts nothing', LIMIT, ({ forgeries }) => {
  test.each(onEach(forgeries))('$title', async ({ engine, ...forgery }) => {
    expect(await outcomeOf(forgery, engine)).toBe(0);
  });
});
