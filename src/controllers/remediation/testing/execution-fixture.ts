import { AIAnalysis } from '../../../api/ai-analysis/ai-analysis.ts';
import { Job, Lease, Namespace, ServiceAccount } from '../../../api/builtin/index.ts';
import { keyOf } from '../../../api/meta.ts';
import { NotificationRequest } from '../../../api/notification-request/notification-request.ts';
import { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import { SignalProcessing } from '../../../api/signal-processing/signal-processing.ts';
import { toTime } from '../../../base/index.ts';
import type { Controller } from '../../../runtime/index.ts';
import { createExecutionController, runName } from '../../execution/index.ts';
import { offer } from '../../execution/testing/offer.ts';
import { DEFAULT_SETTINGS } from '../../default-settings.ts';
import type { SelectedWorkflow } from '../../plan/remediation-plan.ts';
import { aRequest, WORKFLOW } from './builders.ts';
import { orchestrator, SYSTEM, OrchestratorFixture } from './orchestrator-fixture.ts';

const { executionNamespace } = DEFAULT_SETTINGS;

/** The orchestrator and the controller that runs workflows, together; the test plays analysis, nodes and people. */
export class ExecutionFixture {
  readonly ward: OrchestratorFixture;
  #signals = 0;

  private constructor(ward: OrchestratorFixture) {
    this.ward = ward;
  }

  static async open(): Promise<ExecutionFixture> {
    const ward = await OrchestratorFixture.open([orchestrator(), createExecutionController(() => DEFAULT_SETTINGS) as Controller]);
    await ward.stage.admin.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: executionNamespace } });
    const metadata = { name: WORKFLOW.serviceAccountName ?? '', namespace: executionNamespace };
    await ward.stage.admin.create(ServiceAccount, { apiVersion: 'v1', kind: 'ServiceAccount', metadata });
    await offer(ward.stage.admin, { workflowRef: WORKFLOW, parameters: WORKFLOW.parameters ?? {} });
    return new ExecutionFixture(ward);
  }

  /** A signal of its own about the one Deployment, as far as the plan for it; `workflow` is what differs in that. */
  async remediate(name: string, workflow: Partial<SelectedWorkflow> = {}): Promise<void> {
    const { apiVersion, kind, spec } = aRequest();
    const signalFingerprint = String(this.#signals++).padStart(64, '0');
    const metadata = { name, namespace: SYSTEM };
    await this.ward.stage.admin.create(RemediationRequest, { apiVersion, kind, metadata, spec: { ...spec, signalFingerprint } });
    await this.ward.stage.settle();
    await this.ward.report(SignalProcessing, `sp-${name}`, { phase: 'Completed' });
    await this.ward.report(AIAnalysis, `ai-${name}`, await this.ward.plan({ selectedWorkflow: { ...WORKFLOW, ...workflow } }));
    await this.ward.stage.settle();
  }

  /** Jobs that were released and have not finished. */
  async atWork(): Promise<readonly Job[]> {
    const { items } = await this.ward.stage.admin.list(Job, { namespace: executionNamespace });
    return items.filter(({ spec, status }) => spec.suspend !== true && !status?.conditions?.length);
  }

  async endJob(type: 'Complete' | 'Failed'): Promise<void> {
    const [job] = await this.atWork();
    if (!job) throw new Error('there is no Job at work');
    const condition = {
      type,
      status: 'True',
      reason: 'Ended',
      message: 'it ended',
      lastTransitionTime: toTime(this.ward.stage.clock.now()),
    };
    await this.ward.stage.admin.patchStatus(Job, keyOf(job), { type: 'merge', body: { status: { conditions: [condition] } } });
    await this.ward.stage.settle();
  }

  /** What people were told about a request: type and priority of each message. */
  async told(name: string): Promise<readonly string[]> {
    const { items } = await this.ward.stage.admin.list(NotificationRequest, { namespace: SYSTEM });
    return items.filter(({ metadata }) => metadata.name.endsWith(`-${name}`)).map(({ spec }) => `${spec.type} ${spec.priority}`);
  }

  /** The lock of the one Deployment, which may keep a block. */
  async lock(): Promise<Lease> {
    return this.ward.stage.admin.get(Lease, {
      namespace: executionNamespace,
      name: runName({ targetResource: 'shop/Deployment/checkout' }),
    });
  }
}
