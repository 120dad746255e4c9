import { AIAnalysis } from '../../../api/ai-analysis/ai-analysis.ts';
import { CustomResourceDefinition, Deployment, Namespace, Secret, ServiceAccount } from '../../../api/builtin/index.ts';
import type { Draft, KubeObject } from '../../../api/meta.ts';
import { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import { RemediationWorkflow } from '../../../api/remediation-workflow/remediation-workflow.ts';
import type { Resource } from '../../../api/resource.ts';
import { SignalProcessing } from '../../../api/signal-processing/signal-processing.ts';
import type { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import { after, HOUR, MINUTE, SECOND, toTime } from '../../../base/index.ts';
import { ownerReference } from '../../../kube/objects/owner-references.ts';
import type { Controller } from '../../../runtime/index.ts';
import { AWX_TOKEN, FakeAwx } from '../../../testkit/awx/fake-awx.ts';
import { TEKTON_KINDS } from '../../../testkit/rivals/tekton.ts';
import { AWX_CALL, AwxFailures, createAwxCalls, createExecutionController } from '../../execution/index.ts';
import { offer } from '../../execution/testing/offer.ts';
import { DEFAULT_SETTINGS } from '../../default-settings.ts';
import type { Settings } from '../../settings.ts';
import { planDigest, specHash } from '../../target/index.ts';
import { Stage } from '../../testing/stage.ts';
import { createRemediationController } from '../index.ts';
import type { SelectedWorkflow } from '../../plan/remediation-plan.ts';
import { aRequest, WORKFLOW } from './builders.ts';
import { CHILDREN, SYSTEM } from './orchestrator-fixture.ts';

export const ENGINES = ['job', 'tekton', 'ansible'] as const;
export type EngineName = (typeof ENGINES)[number];

const { executionNamespace } = DEFAULT_SETTINGS;
const CHECKOUT = { namespace: 'shop', name: 'checkout' };
const TYPE = { apiVersion: 'kubernaut.ai/v1alpha1' };

/** The workflow that each engine offers. */
export function workflowOn(engine: EngineName): SelectedWorkflow {
  const { engineConfig: _, ...rest } = WORKFLOW;
  const config = { job: WORKFLOW.engineConfig, tekton: undefined, ansible: { jobTemplateName: 'mend' } }[engine];
  const name = `mend-by-${engine}`;
  return { ...rest, workflowId: name, workflowName: name, executionEngine: engine, ...(config && { engineConfig: config }) };
}

/**
 * The orchestrator and the controller that runs workflows, with all three engines and a target to remediate. All other actors,
 * attackers included, are played by the test, which may write everything.
 */
export class ForgeryFixture {
  readonly stage: Stage;
  readonly awx: FakeAwx;
  /** What Sickbay runs with: the test may change it. */
  settings: Settings;
  /** Jobs and PipelineRuns that were ever created. */
  #created = 0;

  private constructor(parts: Pick<ForgeryFixture, 'stage' | 'awx' | 'settings'>) {
    this.stage = parts.stage;
    this.awx = parts.awx;
    this.settings = parts.settings;
  }

  static async open({ identityIsChecked = true }: { readonly identityIsChecked?: boolean } = {}): Promise<ForgeryFixture> {
    const awx = new FakeAwx();
    awx.state.addTemplate({ name: 'mend' });
    const usual: Settings = { ...DEFAULT_SETTINGS, ansible: { ...DEFAULT_SETTINGS.ansible, apiURL: 'https://awx.example.com' } };
    let settings = (): Settings => usual;
    const door = { send: (request: Parameters<FakeAwx['handle']>[0]) => Promise.resolve(awx.handle(request)), notes: new AwxFailures() };
    const given = { settings: () => settings(), identityIsChecked: () => identityIsChecked, isAudited: () => true };
    const stage = await Stage.start({
      kinds: [RemediationRequest, ...CHILDREN, RemediationWorkflow],
      controllers: [createRemediationController(given), createExecutionController(() => settings(), door)] as readonly Controller[],
      calls: (deps) => ({ [AWX_CALL]: createAwxCalls({ ...deps, door, settings: () => settings() }) }),
    });
    const here = new ForgeryFixture({ stage, awx, settings: usual });
    settings = () => here.settings;
    stage.intercept = ({ method, path }) => void (here.#created += method === 'POST' && /\/(jobs|pipelineruns)$/.test(path) ? 1 : 0);
    await here.#furnish();
    return here;
  }

  async #furnish(): Promise<void> {
    const { admin } = this.stage;
    for (const kind of TEKTON_KINDS) await admin.create(CustomResourceDefinition, kind);
    await admin.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: executionNamespace } });
    const labels = { 'kubernaut.ai/managed': 'true' };
    await admin.patch(Namespace, { namespace: '', name: 'shop' }, { type: 'merge', body: { metadata: { labels } } });
    const app = { app: 'checkout' };
    const template = { metadata: { labels: app }, spec: { containers: [{ name: 'checkout', image: 'sickbay.test/busybox:1' }] } };
    const spec = { replicas: 2, selector: { matchLabels: app }, template };
    await admin.create(Deployment, { apiVersion: 'apps/v1', kind: 'Deployment', metadata: CHECKOUT, spec });
    const account = { name: WORKFLOW.serviceAccountName ?? '', namespace: executionNamespace };
    await admin.create(ServiceAccount, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: account });
    const data = { token: Buffer.from(AWX_TOKEN).toString('base64') };
    await admin.create(Secret, { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'awx-token', namespace: SYSTEM }, data });
    for (const engine of ENGINES) await offer(admin, { workflowRef: workflowOn(engine), parameters: WORKFLOW.parameters ?? {} });
    await this.stage.advance(MINUTE);
  }

  /** How many runs there are or ever were, of whatever engine, held or not. */
  runs(): number {
    return this.#created + this.awx.state.jobs.size;
  }

  /** Long enough for everything that could happen by itself to begin. */
  async wait(): Promise<void> {
    for (let i = 0; i < 12; i++) await this.stage.advance(SECOND);
    for (let i = 0; i < 2; i++) await this.stage.advance(MINUTE);
  }

  /** A request of the story, as the gateway creates it. */
  async signal(namespace = SYSTEM): Promise<RemediationRequest> {
    const { apiVersion, kind, spec } = aRequest();
    const made = await this.stage.admin.create(RemediationRequest, { apiVersion, kind, metadata: { name: 'rr', namespace }, spec });
    await this.stage.settle();
    return made;
  }

  /** Writes a status over whatever is there. */
  async write(resource: Resource, name: string, status: object, namespace = SYSTEM): Promise<void> {
    await this.stage.admin.patchStatus(resource, { namespace, name }, { type: 'merge', body: { status } });
    await this.stage.settle();
  }

  async request(): Promise<RemediationRequest> {
    return this.stage.admin.get(RemediationRequest, { namespace: SYSTEM, name: 'rr' });
  }

  /** As far as the analysis, which has not come to a result. */
  async untilAnalysis(): Promise<RemediationRequest> {
    await this.signal();
    await this.write(SignalProcessing, 'sp-rr', { phase: 'Completed' });
    return this.request();
  }

  /** As far as a plan; what follows from it follows by itself. */
  async untilPlanned(engine: EngineName, change: object = {}): Promise<RemediationRequest> {
    await this.untilAnalysis();
    await this.write(AIAnalysis, 'ai-rr', await this.planOn(engine, change));
    return this.request();
  }

  /** The status of an analysis with a plan for the Deployment as it is. */
  async planOn(engine: EngineName, change: object = {}): Promise<object> {
    const found = await this.stage.admin.get(Deployment, CHECKOUT);
    const remediationTarget = {
      kind: 'Deployment',
      apiVersion: 'apps/v1',
      ...CHECKOUT,
      uid: found.metadata.uid,
      specHash: specHash(found),
    };
    return {
      phase: 'Completed',
      reason: 'AnalysisCompleted',
      rootCauseAnalysis: { summary: 'revision 2 crashes', signalType: 'CrashLoop', remediationTarget },
      selectedWorkflow: workflowOn(engine),
      needsHumanReview: false,
      approvalRequired: false,
      ...change,
    };
  }

  /** An execution that the orchestrator did not create; with a request it claims to belong to that. */
  executionOn(engine: EngineName, request?: RemediationRequest, change: Partial<WorkflowExecution['spec']> = {}): Draft<WorkflowExecution> {
    const { confidence: _, rationale: __, selectedAt: ___, parameters = {}, ...workflowRef } = workflowOn(engine);
    const plan = { targetResource: 'shop/Deployment/checkout', workflowRef, parameters, ...change };
    const { name, namespace = SYSTEM, uid } = request?.metadata ?? { name: 'rr', uid: 'none' };
    const remediationRequestRef = { name, namespace, uid };
    const timesOutAt = toTime(after(this.stage.clock.now(), HOUR));
    const owner = request && { ownerReferences: [ownerReference(request, { controller: true, blockOwnerDeletion: true })] };
    return {
      ...TYPE,
      kind: 'WorkflowExecution',
      metadata: { name: 'we-forged', namespace, ...owner },
      spec: { remediationRequestRef, planDigest: planDigest(plan), timesOutAt, ...plan },
    };
  }

  /** Takes an object away, whatever holds it, and puts another of its name in its place. */
  async replace<T extends KubeObject>(resource: Resource<T>, name: string, draft: Draft<T>): Promise<void> {
    const key = { namespace: SYSTEM, name };
    await this.stage.admin.patch(resource, key, { type: 'merge', body: { metadata: { finalizers: null } } });
    await this.stage.admin.delete(resource, key);
    await this.stage.admin.create(resource, { ...draft, metadata: { ...draft.metadata, ...key } });
    await this.stage.settle();
  }
}
