import { AIAnalysis } from '../../../src/api/ai-analysis/ai-analysis.ts';
import { Deployment } from '../../../src/api/builtin/index.ts';
import { keyOf, type KubeObject, type ObjectKey } from '../../../src/api/meta.ts';
import { NotificationRequest } from '../../../src/api/notification-request/notification-request.ts';
import { RemediationApprovalRequest } from '../../../src/api/remediation-approval-request/remediation-approval-request.ts';
import type { RemediationPhase } from '../../../src/api/remediation-request/phases.ts';
import { RemediationRequest } from '../../../src/api/remediation-request/remediation-request.ts';
import type { Resource } from '../../../src/api/resource.ts';
import { WorkflowExecution } from '../../../src/api/workflow-execution/workflow-execution.ts';
import { ANNOTATIONS } from '../../../src/api/well-known.ts';
import { systemClock } from '../../../src/base/index.ts';
import { decideApproval, type Answer } from '../../../src/actions/decide-approval.ts';
import { childNames } from '../../../src/controllers/child-names.ts';
import type { RemediationStatus } from '../../../src/controllers/remediation/status.ts';
import { analysisEnd, executionEnd, LEAVES } from '../../../src/testkit/orchestrator/child-results.ts';
import { CHILDREN, type AnalysisEnd } from '../../../src/testkit/orchestrator/index.ts';
import type { Stage } from './fixture.ts';

/** A message as people get it. */
export interface Told {
  readonly name: string;
  readonly type: string;
  readonly priority: string;
  readonly subject: string;
  readonly body: string;
}

/** One request on a stage, seen through what is written about it. */
export class Remediation {
  readonly name: string;
  readonly target: ObjectKey;
  readonly children: ReturnType<typeof childNames>;
  readonly #stage: Stage;

  constructor(stage: Stage, name: string, target: ObjectKey) {
    this.#stage = stage;
    this.name = name;
    this.target = target;
    this.children = childNames(name);
  }

  get key(): ObjectKey {
    return { namespace: this.#stage.system, name: this.name };
  }

  /** The phases so far, in the order in which they were entered. */
  get phases(): readonly string[] {
    return this.#stage.record.phases(this.name);
  }

  /** The phase of every version since the first look: one write per phase is right, and one for the messages that were delivered. */
  get writes(): readonly string[] {
    return this.#stage.record.versions(this.name).flatMap(({ status }) => status?.overallPhase ?? []);
  }

  /** The status as it was when the phase was entered, and whatever else is asked for held. */
  async reaches(phase: RemediationPhase, also: (status: RemediationStatus) => boolean = () => true): Promise<RemediationStatus> {
    const fits = ({ status = {} }: RemediationRequest): boolean => status.overallPhase === phase && also(status);
    return (await this.#stage.record.first(this.name, `reached ${phase}`, fits)).status ?? {};
  }

  /** Waits until people were told of the end, and gives the end and all messages of the request. */
  async ends(): Promise<{ readonly status: RemediationStatus; readonly told: readonly Told[] }> {
    const isOver = ({ status = {} }: RemediationRequest): boolean =>
      status.completedAt !== undefined && status.overallPhase !== 'Blocked' && status.notificationStatus !== 'Pending';
    const { status = {} } = await this.#stage.record.first(this.name, 'came to its end', isOver);
    return { status, told: await this.messages() };
  }

  async messages(): Promise<readonly Told[]> {
    const { items } = await this.#stage.admin.list(NotificationRequest, { namespace: this.#stage.system });
    return items
      .filter(({ spec }) => spec.remediationRequestRef?.name === this.name)
      .map(({ metadata, spec }) => ({
        name: metadata.name,
        type: spec.type,
        priority: spec.priority,
        subject: spec.subject,
        body: spec.body,
      }));
  }

  /** One child, as soon as it is there. */
  child<T extends KubeObject>(resource: Resource<T>, name: string): Promise<T> {
    return this.#stage.until(`${this.name} has ${name}`, () => this.#stage.find(resource, name));
  }

  /** Every child that is there, by name, without messages. */
  async childNames(): Promise<readonly string[]> {
    const kinds = CHILDREN.filter((kind) => kind !== NotificationRequest) as readonly Resource[];
    const lists = await Promise.all(kinds.map((kind) => this.#stage.admin.list(kind, { namespace: this.#stage.system })));
    const isOurs = ({ metadata }: KubeObject): boolean => (metadata.ownerReferences ?? []).some(({ name }) => name === this.name);
    return lists.flatMap(({ items }) => items.filter(isOurs)).map(({ metadata }) => metadata.name);
  }

  /** An operator cancels it. */
  async cancel(by: string, reason: string): Promise<void> {
    const annotations = { [ANNOTATIONS.cancel]: reason, [ANNOTATIONS.cancelBy]: by };
    await this.#stage.person(by).patch(RemediationRequest, this.key, { type: 'merge', body: { metadata: { annotations } } });
  }

  /** A person decides about a question, with the command that people have for it. */
  async decide(by: string, answer: Pick<Answer, 'decision' | 'reason'>, attempt = 1): Promise<void> {
    const name = this.children.approval(attempt);
    const { spec } = await this.child(RemediationApprovalRequest, name);
    const { metadata } = await this.#stage.admin.get(RemediationRequest, this.key);
    if (answer.decision === 'Approved')
      this.#stage.ledger.noteYes({ requestUid: metadata.uid, planDigest: spec.planDigest ?? '', isInTime: true });
    await decideApproval(this.#stage.person(by), systemClock, { ...answer, namespace: this.#stage.system, name });
  }

  /** Another client writes the status of the request. */
  async write(status: Partial<RemediationStatus>): Promise<void> {
    await this.#stage.admin.patchStatus(RemediationRequest, this.key, { type: 'merge', body: { status } });
  }

  /** The analysis comes to its end, about the target as it is, or as it was. */
  async conclude(end: AnalysisEnd, seen?: Deployment): Promise<void> {
    const { admin, ledger } = this.#stage;
    const analysis = await this.child(AIAnalysis, this.children.analysis());
    const found = seen ?? (await admin.get(Deployment, this.target));
    ledger.noteAnalysis(analysis.metadata.uid, LEAVES[end]);
    const target = analysis.spec.analysisRequest.signalContext.targetResource;
    const status = analysisEnd(end, target, { found, now: systemClock.now() });
    await admin.patchStatus(AIAnalysis, keyOf(analysis), { type: 'merge', body: { status } });
  }

  /** The run ends before it did anything, as far as it knows. */
  async stopRun(): Promise<void> {
    const status = executionEnd('FailedBefore', systemClock.now());
    const key = { namespace: this.#stage.system, name: this.children.execution };
    await this.#stage.admin.patchStatus(WorkflowExecution, key, { type: 'merge', body: { status } });
  }

  /** Another client changes the target. */
  async edit(replicas: number): Promise<void> {
    await this.#stage.admin.patch(Deployment, this.target, { type: 'merge', body: { spec: { replicas } } });
  }
}
