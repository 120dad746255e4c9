import { AIAnalysis } from '../../api/ai-analysis/ai-analysis.ts';
import { Deployment, Namespace, Role, RoleBinding } from '../../api/builtin/index.ts';
import type { KindDefinition } from '../../api/define-kind.ts';
import { EffectivenessAssessment } from '../../api/effectiveness-assessment/effectiveness-assessment.ts';
import type { Draft, KubeObject } from '../../api/meta.ts';
import { NotificationRequest } from '../../api/notification-request/notification-request.ts';
import { RemediationApprovalRequest } from '../../api/remediation-approval-request/remediation-approval-request.ts';
import { RemediationRequest } from '../../api/remediation-request/remediation-request.ts';
import { RemediationWorkflow } from '../../api/remediation-workflow/remediation-workflow.ts';
import type { Resource } from '../../api/resource.ts';
import { LABELS } from '../../api/well-known.ts';
import { WorkflowExecution } from '../../api/workflow-execution/workflow-execution.ts';
import { ourRights } from '../../admission/index.ts';
import { createMemoryApi, newSigningKey } from '../../apiserver/index.ts';
import { installKind } from '../../testkit/try-bad-value.ts';
import { after, MINUTE, seededRandom } from '../../base/index.ts';
import { approvalFor } from '../../controllers/approval/index.ts';
import { planOf, type RemediationPlan } from '../../controllers/plan/remediation-plan.ts';
import type { ExplainQuestion } from '../explain-request.ts';
import { aDeployment, anAnalysis, anExecution, aRequest } from '../../controllers/remediation/testing/builders.ts';
import { DEFAULT_SETTINGS } from '../../controllers/default-settings.ts';
import { specHash } from '../../controllers/target/index.ts';
import { createClient, type KubeClient } from '../../kube/index.ts';
import { ownerReference } from '../../kube/objects/owner-references.ts';
import { ManualClock } from '../../testkit/manual-clock.ts';
import { explainedText, explainRequest } from '../explain-request.ts';

type Status = NonNullable<RemediationRequest['status']>;

export const SYSTEM = DEFAULT_SETTINGS.namespace;
const KINDS: readonly KindDefinition[] = [
  NotificationRequest,
  RemediationRequest,
  AIAnalysis,
  RemediationApprovalRequest,
  WorkflowExecution,
  EffectivenessAssessment,
  RemediationWorkflow,
];

/** A server with the story's Deployment on it, and no controllers: tests create the states. */
export class ExplainStage {
  readonly clock = new ManualClock();
  readonly #api = createMemoryApi({
    clock: this.clock,
    random: seededRandom(1),
    rights: { tokens: [], signingKey: newSigningKey(), ...ourRights() },
  });
  readonly admin = createClient(this.#api);

  async open({ managed = 'true' }: { readonly managed?: string } = {}): Promise<this> {
    for (const kind of KINDS) await installKind(this.#api, kind);
    for (const name of [SYSTEM, 'shop'])
      await this.admin.create(Namespace, {
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: { name, labels: { [LABELS.managed]: managed } },
      });
    const { apiVersion, kind } = aDeployment();
    const labels = { app: 'checkout' };
    const template = { metadata: { labels }, spec: { containers: [{ name: 'checkout', image: 'busybox' }] } };
    const spec = { replicas: 2, selector: { matchLabels: labels }, template };
    await this.admin.create(Deployment, { apiVersion, kind, metadata: { name: 'checkout', namespace: 'shop' }, spec });
    return this;
  }

  /** A request in that state. */
  async request(status: Status, name = 'rr', spec: Partial<RemediationRequest['spec']> = {}): Promise<RemediationRequest> {
    const { apiVersion, kind, spec: usual } = aRequest();
    await this.admin.create(RemediationRequest, { apiVersion, kind, metadata: { name, namespace: SYSTEM }, spec: { ...usual, ...spec } });
    return this.admin.patchStatus(RemediationRequest, { namespace: SYSTEM, name }, { type: 'merge', body: { status } });
  }

  /** The analysis of the request, with a plan for the Deployment as it is. */
  async plan(request: RemediationRequest): Promise<{ readonly analysis: AIAnalysis; readonly plan: RemediationPlan }> {
    const found = await this.admin.get(Deployment, { namespace: 'shop', name: 'checkout' });
    const { uid } = found.metadata;
    const remediationTarget = {
      kind: 'Deployment',
      name: 'checkout',
      namespace: 'shop',
      apiVersion: 'apps/v1',
      uid,
      specHash: specHash(found),
    };
    const drafted = anAnalysis({ rootCauseAnalysis: { summary: 's', signalType: 'CrashLoop', remediationTarget } });
    const analysis = await this.#child(AIAnalysis, request, drafted);
    return { analysis, plan: planOf(analysis) as RemediationPlan };
  }

  /** The question about the plan, with whatever became of it. */
  async ask(request: RemediationRequest, status: RemediationApprovalRequest['status'] = {}): Promise<RemediationApprovalRequest> {
    const { analysis, plan } = await this.plan(request);
    const requiredBy = after(this.clock.now(), 15 * MINUTE);
    const draft = approvalFor(request, analysis, plan, { attempt: 1, requiredBy }) as unknown as RemediationApprovalRequest;
    return this.#child(RemediationApprovalRequest, request, { ...draft, status });
  }

  execute(request: RemediationRequest, status: WorkflowExecution['status']): Promise<WorkflowExecution> {
    const draft = anExecution(status);
    const spec = { ...draft.spec, targetResource: 'shop/Deployment/checkout' };
    return this.#child(WorkflowExecution, request, {
      ...draft,
      spec,
      metadata: { ...draft.metadata, name: `we-${request.metadata.name}` },
    });
  }

  async #child<T extends KubeObject & { readonly status?: unknown }>(
    resource: Resource<T>,
    request: RemediationRequest,
    object: T,
  ): Promise<T> {
    const { status, ...rest } = object;
    const key = { namespace: SYSTEM, name: object.metadata.name };
    const metadata = { ...key, ownerReferences: [ownerReference(request, { controller: true, blockOwnerDeletion: true })] };
    const made = await this.admin.create(resource, { ...rest, metadata } as unknown as Draft<T>);
    if (!status || Object.keys(status).length === 0) return made;
    return this.admin.patchStatus(resource, key, { type: 'merge', body: { status } });
  }

  /** A user with only that right in the system namespace. */
  async guest(resources: readonly string[], verbs: readonly string[] = ['get', 'list']): Promise<KubeClient> {
    const metadata = { name: 'guest', namespace: SYSTEM };
    const apiVersion = 'rbac.authorization.k8s.io/v1';
    const rules = [{ apiGroups: ['kubernaut.ai'], resources, verbs }];
    await this.admin.create(Role, { apiVersion, kind: 'Role', metadata, rules });
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'guest' } as const;
    const subjects = [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'guest' }] as const;
    await this.admin.create(RoleBinding, { apiVersion, kind: 'RoleBinding', metadata, roleRef, subjects });
    return this.as('guest');
  }

  /** The API as a user, with only that user's rights. */
  as(username: string): KubeClient {
    const user = { username, groups: ['system:authenticated'] };
    const api = this.#api;
    return createClient({
      request: (request) => api.gate.admit(user, request).request(request),
      watch: (request, signal) => api.watch(request, signal),
    });
  }

  explain(
    name = 'rr',
    { client = this.admin, settings = DEFAULT_SETTINGS, windowsAreUnknown = false }: Partial<Omit<ExplainQuestion, 'clock' | 'name'>> = {},
  ) {
    return explainRequest({ client, clock: this.clock, settings, name, windowsAreUnknown });
  }

  /** What `sickbay explain` prints. */
  async text(name = 'rr', form: 'text' | 'json' = 'text'): Promise<string> {
    return explainedText(await this.explain(name), form, this.clock.now());
  }
}
