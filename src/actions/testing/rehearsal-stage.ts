import { aCrashingPod, aDeployment, aPod, aReplicaSet, NOW } from '../../analyst/testing/a-deployment.ts';
import { aWorkflow } from '../../analyst/testing/a-workflow.ts';
import { ourRights } from '../../admission/index.ts';
import { Deployment, Namespace, Pod, ReplicaSet, Role, RoleBinding } from '../../api/builtin/index.ts';
import { keyOf, type KubeObject } from '../../api/meta.ts';
import { EffectivenessAssessment } from '../../api/effectiveness-assessment/effectiveness-assessment.ts';
import { RemediationRequest } from '../../api/remediation-request/remediation-request.ts';
import { RemediationWorkflow } from '../../api/remediation-workflow/remediation-workflow.ts';
import type { Resource } from '../../api/resource.ts';
import { LABELS } from '../../api/well-known.ts';
import { WorkflowExecution } from '../../api/workflow-execution/workflow-execution.ts';
import { createMemoryApi, newSigningKey } from '../../apiserver/index.ts';
import { seededRandom } from '../../base/index.ts';
import { createClient, type ApiRequest, type ApiResponse, type KubeClient, type Transport } from '../../kube/index.ts';
import { ManualClock } from '../../testkit/manual-clock.ts';
import { installKind } from '../../testkit/try-bad-value.ts';

const INSTALLED = [RemediationRequest, RemediationWorkflow, WorkflowExecution, EffectivenessAssessment];

const owner = ({ apiVersion, kind, metadata: { name, uid } }: KubeObject) => ({
  ownerReferences: [{ apiVersion, kind, name, uid, controller: true }],
});

const MANAGED = { [LABELS.managed]: 'true', [LABELS.environment]: 'staging' };

interface OpenOptions {
  readonly installed?: boolean;
  /** Of the namespace shop. */
  readonly labels?: Readonly<Record<string, string>>;
}

interface ShopState {
  /** What the kubelet says of a container that waits. */
  readonly says: string;
  readonly crashes: boolean;
  /** Whether there is a revision before. */
  readonly earlier: boolean;
  readonly starting: boolean;
}

const CRASHING: ShopState = { says: 'CrashLoopBackOff', crashes: true, earlier: true, starting: false };

/** A cluster without controllers: tests create the states, and see every request that a rehearsal sends. */
export class RehearsalStage {
  readonly clock = new ManualClock(NOW);
  readonly #api = createMemoryApi({
    clock: this.clock,
    random: seededRandom(1),
    rights: { tokens: [], signingKey: newSigningKey(), ...ourRights() },
  });
  readonly admin = createClient(this.#api);
  /** What the clients of `as` and `reader` sent. */
  readonly sent: ApiRequest[] = [];
  /** Answers instead of the server, where it returns something. */
  intercept: (request: ApiRequest) => ApiResponse | undefined = () => undefined;
  readonly reader = createClient(this.#counted(this.#api));
  /** The workflows of the package. */
  readonly packaged = [aWorkflow('rollback-deployment')];

  /** With the namespace shop; with Sickbay's kinds where it is installed. */
  async open({ installed = false, labels = MANAGED }: OpenOptions = {}): Promise<this> {
    await this.admin.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop', labels } });
    if (!installed) return this;
    for (const kind of INSTALLED) await installKind(this.#api, kind);
    await this.admin.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'sickbay-system' } });
    return this;
  }

  close(): void {
    this.#api.close();
  }

  /** Creates the object and then, as the cluster's controllers do, writes its status. */
  async put<T extends KubeObject & { readonly status?: unknown }>(resource: Resource<T>, object: T): Promise<T> {
    const { uid: _, resourceVersion: __, creationTimestamp: ___, ...metadata } = object.metadata;
    const created = await this.admin.create(resource, { ...object, metadata });
    if (object.status === undefined) return created;
    return this.admin.patchStatus(resource, keyOf(object), { type: 'merge', body: { status: object.status } });
  }

  /** A Deployment whose revision 2 has just been replaced by one that crashes, or that runs well. */
  async shop(options: Partial<ShopState> = {}): Promise<Deployment> {
    const { says, crashes, earlier, starting } = { ...CRASHING, ...options };
    const template = { ...aReplicaSet(3).spec.template!, metadata: { labels: { app: 'checkout' } } };
    const deployment = await this.put(Deployment, aDeployment({ template }));
    for (const revision of earlier ? [2, 3] : [3]) {
      const set = aReplicaSet(revision);
      const labelled = { ...set, spec: { ...set.spec, selector: { matchLabels: { app: 'checkout' } } } };
      const stored = await this.put(ReplicaSet, { ...labelled, metadata: { ...set.metadata, ...owner(deployment) } });
      if (revision !== 3) continue;
      for (const name of ['c1', 'c2'])
        await this.#putPod(crashes ? waitingFor(aCrashingPod(name), says) : aPod(name, { ready: !starting }), stored);
    }
    return deployment;
  }

  #putPod(pod: Pod, set: ReplicaSet): Promise<Pod> {
    return this.put(Pod, {
      ...pod,
      metadata: { ...pod.metadata, ...owner(set) },
      spec: { containers: [{ name: 'app', image: 'shop:3' }] },
    });
  }

  /** A user who may read no more than these kinds, all of them in the namespace shop. */
  async guest(rules: readonly { readonly apiGroups: readonly string[]; readonly resources: readonly string[] }[]): Promise<KubeClient> {
    const metadata = { name: 'guest', namespace: 'shop' };
    const apiVersion = 'rbac.authorization.k8s.io/v1';
    await this.admin.create(Role, {
      apiVersion,
      kind: 'Role',
      metadata,
      rules: rules.map((rule) => ({ ...rule, verbs: ['get', 'list'] })),
    });
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'guest' } as const;
    const subjects = [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'guest' }] as const;
    await this.admin.create(RoleBinding, { apiVersion, kind: 'RoleBinding', metadata, roleRef, subjects });
    const user = { username: 'guest', groups: ['system:authenticated'] };
    return createClient(
      this.#counted({
        request: (request) => this.#api.gate.admit(user, request).request(request),
        watch: (request, signal) => this.#api.watch(request, signal),
      }),
    );
  }

  #counted(to: Transport): Transport {
    return {
      request: async (request, signal) => {
        this.sent.push(request);
        return this.intercept(request) ?? to.request(request, signal);
      },
      watch: (request, signal) => {
        this.sent.push(request);
        return to.watch(request, signal);
      },
    };
  }
}

function waitingFor(pod: Pod, message: string): Pod {
  const containerStatuses = pod.status?.containerStatuses?.map((status) => ({
    ...status,
    state: { waiting: { reason: 'CrashLoopBackOff', message } },
  }));
  return { ...pod, status: { ...pod.status, ...(containerStatuses && { containerStatuses }) } };
}
