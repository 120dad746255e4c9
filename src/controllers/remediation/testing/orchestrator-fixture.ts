import { AIAnalysis } from '../../../api/ai-analysis/ai-analysis.ts';
import { Deployment, Namespace } from '../../../api/builtin/index.ts';
import { EffectivenessAssessment } from '../../../api/effectiveness-assessment/effectiveness-assessment.ts';
import type { KubeObject } from '../../../api/meta.ts';
import { NotificationRequest } from '../../../api/notification-request/notification-request.ts';
import { RemediationApprovalRequest } from '../../../api/remediation-approval-request/remediation-approval-request.ts';
import { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import { RemediationWorkflow } from '../../../api/remediation-workflow/remediation-workflow.ts';
import type { Resource } from '../../../api/resource.ts';
import { SignalProcessing } from '../../../api/signal-processing/signal-processing.ts';
import { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import type { Controller } from '../../../runtime/index.ts';
import { DEFAULT_SETTINGS } from '../../default-settings.ts';
import type { Settings } from '../../settings.ts';
import { specHash } from '../../target/index.ts';
import { Stage } from '../../testing/stage.ts';
import { createRemediationController } from '../index.ts';
import type { RemediationStatus } from '../status.ts';
import { aRequest, WORKFLOW } from './builders.ts';

export const SYSTEM = DEFAULT_SETTINGS.namespace;
/** The kinds of children, in the order in which they come. */
export const CHILDREN = [
  SignalProcessing,
  AIAnalysis,
  RemediationApprovalRequest,
  WorkflowExecution,
  EffectivenessAssessment,
  NotificationRequest,
] as const;

const TEMPLATE = {
  metadata: { labels: { app: 'checkout' } },
  spec: { containers: [{ name: 'checkout', image: 'sickbay.test/busybox:1' }] },
};

const CHECKOUT = { namespace: 'shop', name: 'checkout' };

export const orchestrator = (settings: Settings = DEFAULT_SETTINGS): Controller =>
  createRemediationController({ settings: () => settings, identityIsChecked: () => true, isAudited: () => true }) as Controller;

/** The orchestrator on a server in memory, with Deployment shop/checkout to remediate; the test plays every controller that is not among `controllers`. */
export class OrchestratorFixture {
  readonly stage: Stage;

  private constructor(stage: Stage) {
    this.stage = stage;
  }

  static async open(controllers: readonly Controller[] = [orchestrator()]): Promise<OrchestratorFixture> {
    const stage = await Stage.start({ kinds: [RemediationRequest, ...CHILDREN, RemediationWorkflow], controllers });
    const labels = { 'kubernaut.ai/managed': 'true' };
    await stage.admin.patch(Namespace, { namespace: '', name: 'shop' }, { type: 'merge', body: { metadata: { labels } } });
    const spec = { replicas: 2, selector: { matchLabels: { app: 'checkout' } }, template: TEMPLATE };
    await stage.admin.create(Deployment, {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: CHECKOUT,
      spec,
    });
    return new OrchestratorFixture(stage);
  }

  async signal(name = 'rr', change: Partial<RemediationRequest['spec']> = {}): Promise<void> {
    const { apiVersion, kind, spec } = aRequest();
    await this.stage.admin.create(RemediationRequest, {
      apiVersion,
      kind,
      metadata: { name, namespace: SYSTEM },
      spec: { ...spec, ...change },
    });
    await this.stage.settle();
  }

  get<T extends KubeObject>(resource: Resource<T>, name: string): Promise<T> {
    return this.stage.admin.get(resource, { namespace: SYSTEM, name });
  }

  async status(name = 'rr'): Promise<RemediationStatus> {
    return (await this.get(RemediationRequest, name)).status ?? {};
  }

  async all<T extends KubeObject>(resource: Resource<T>): Promise<readonly T[]> {
    return (await this.stage.admin.list(resource, { namespace: SYSTEM })).items;
  }

  async names(resource: Resource): Promise<readonly string[]> {
    return (await this.all(resource)).map(({ metadata }) => metadata.name);
  }

  /** Another controller comes to a result, and holds on to nothing any more. */
  async report(resource: Resource, name: string, status: object): Promise<void> {
    await this.stage.admin.patchStatus(resource, { namespace: SYSTEM, name }, { type: 'merge', body: { status } });
    if ('phase' in status && status.phase === 'Completed') await this.letGo(resource, name);
    await this.stage.settle();
  }

  /** Takes off what would keep the object when it is deleted. */
  async letGo(resource: Resource, name: string): Promise<void> {
    await this.stage.admin.patch(resource, { namespace: SYSTEM, name }, { type: 'merge', body: { metadata: { finalizers: null } } });
  }

  deployment(): Promise<Deployment> {
    return this.stage.admin.get(Deployment, CHECKOUT);
  }

  /** Another client edits the target. */
  async change(replicas: number): Promise<void> {
    await this.stage.admin.patch(Deployment, CHECKOUT, { type: 'merge', body: { spec: { replicas } } });
  }

  /** A plan as the analysis would leave it: pinned to what it saw. */
  async plan(change: object = {}): Promise<object> {
    const target = await this.deployment();
    const { uid, name, namespace } = target.metadata;
    const remediationTarget = { kind: 'Deployment', apiVersion: 'apps/v1', name, namespace, uid, specHash: specHash(target) };
    return {
      phase: 'Completed',
      reason: 'AnalysisCompleted',
      rootCauseAnalysis: { summary: 'revision 2 crashes', signalType: 'CrashLoop', remediationTarget },
      selectedWorkflow: WORKFLOW,
      needsHumanReview: false,
      approvalRequired: false,
      ...change,
    };
  }
}
