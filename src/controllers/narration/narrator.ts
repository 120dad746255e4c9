import { EffectivenessAssessment } from '../../api/effectiveness-assessment/effectiveness-assessment.ts';
import { keyOf, type KubeObject, type ObjectKey } from '../../api/meta.ts';
import { RemediationApprovalRequest } from '../../api/remediation-approval-request/remediation-approval-request.ts';
import { RemediationRequest } from '../../api/remediation-request/remediation-request.ts';
import { WorkflowExecution } from '../../api/workflow-execution/workflow-execution.ts';
import { messageOf, type Clock, type Logger } from '../../base/index.ts';
import type { Cache, Change, Store } from '../../kube/cache/cache.ts';
import type { EventRecorder } from '../../kube/objects/events.ts';
import { controllerOf, isOwnedBy } from '../../kube/objects/owner-references.ts';
import type { AuditEvent, AuditLog } from '../../store/audit-log.ts';
import { approvalEventsOf, auditEventsOf, requestEventsOf } from './audit/request-audit-events.ts';
import { approvalNotesOf } from './events/approval-events.ts';
import { assessmentEventsOf } from './audit/assessment-audit-events.ts';
import { assessmentMetricsOf, scoresOf } from './metrics/assessment-increments.ts';
import { assessmentNotesOf } from './events/assessment-events.ts';
import { AuditOutbox } from './audit/audit-outbox.ts';
import { EventOutbox } from './events/event-outbox.ts';
import { kubernetesEventsOf } from './events/request-events.ts';
import { executionEventsOf } from './audit/execution-audit-events.ts';
import { executionMetricsOf, failuresByTarget, runTimeOf } from './metrics/execution-increments.ts';
import { executionNotesOf } from './events/execution-events.ts';
import { approvalMetricsOf, metricsOf } from './metrics/request-increments.ts';
import { noNarrationMetrics, type NarrationMetrics } from './metrics/narration-metrics.ts';

export interface NarratorOptions {
  readonly cache: Cache;
  /** Only objects of this namespace are reported. */
  readonly namespace: string;
  readonly events: EventRecorder;
  readonly audit: AuditLog;
  /** A monotonic clock, for delays. */
  readonly steady: Clock;
  readonly log: Logger;
  readonly metrics?: NarrationMetrics;
}

/** Reports what happens to remediations, while this process leads. */
export interface Narrator {
  /** Whether the store has acknowledged every audit event that this state of the request implies. A request is not deleted before. */
  isRecorded(request: RemediationRequest): boolean;
  /** Follows the cache from its first sync until the signal aborts; then the audit trail gets what it lacks still. Never rejects. */
  run(signal: AbortSignal): Promise<void>;
  /** What keeps the audit trail from being complete; undefined while nothing does. */
  problem(): string | undefined;
}

/** Registers what is followed; make it before the cache runs. */
export const createNarrator = (options: NarratorOptions): Narrator => new CacheNarrator(options);

/** By UID; routing has indexes of its own on the same kinds, by name. */
const OF_REQUEST = 'owner-request';

class CacheNarrator implements Narrator {
  readonly #cache: Cache;
  readonly #requests: Store<RemediationRequest>;
  readonly #approvals: Store<RemediationApprovalRequest>;
  readonly #executions: Store<WorkflowExecution>;
  readonly #assessments: Store<EffectivenessAssessment>;
  readonly #audit: AuditOutbox;
  readonly #events: EventOutbox;
  readonly #metrics: NarrationMetrics;
  readonly #log: Logger;
  /** The version of each request, by UID, whose events were all taken. */
  readonly #looked = new Map<string, string>();
  /** Requests for whose events there was no room, by UID. */
  readonly #owed = new Map<string, ObjectKey>();
  #isLeading = false;

  constructor({ cache, namespace, events, audit, steady, log, metrics = noNarrationMetrics }: NarratorOptions) {
    this.#cache = cache;
    this.#requests = cache.store<RemediationRequest>({ resource: RemediationRequest, namespace });
    this.#approvals = cache.store<RemediationApprovalRequest>({
      resource: RemediationApprovalRequest,
      namespace,
      indexes: { [OF_REQUEST]: (approval) => [controllerOf(approval)?.uid ?? ''] },
    });
    this.#executions = cache.store<WorkflowExecution>({
      resource: WorkflowExecution,
      namespace,
      indexes: { [OF_REQUEST]: (execution) => [controllerOf(execution)?.uid ?? ''] },
    });
    this.#assessments = cache.store<EffectivenessAssessment>({
      resource: EffectivenessAssessment,
      namespace,
      indexes: { [OF_REQUEST]: (assessment) => [controllerOf(assessment)?.uid ?? ''] },
    });
    this.#audit = new AuditOutbox({ audit, steady, log });
    this.#events = new EventOutbox({ events, log, dropped: () => metrics.dropped() });
    this.#metrics = metrics;
    this.#log = log;
    metrics.follow({
      pendingEvents: () => this.#audit.size,
      blocked: () => this.#blocked(namespace),
      failures: () => (this.#isLeading ? failuresByTarget(this.#executions.list()) : new Map()),
    });
  }

  async run(signal: AbortSignal): Promise<void> {
    if (!(await this.#synced(signal))) return;
    const unsubscribe = [
      this.#requests.onChange((change) => this.#report(() => this.#requestChanged(change, signal))),
      this.#approvals.onChange((change) => this.#report(() => this.#approvalChanged(change, signal))),
      this.#executions.onChange((change) => this.#report(() => this.#executionChanged(change, signal))),
      this.#assessments.onChange((change) => this.#report(() => this.#assessmentChanged(change, signal))),
    ];
    this.#isLeading = true;
    // Earlier changes get no Events, but the audit trail may lack them.
    for (const request of this.#requests.list()) this.#report(() => this.#record(undefined, request));
    for (const execution of this.#executions.list()) if (!this.#requestOf(execution)) this.#report(() => this.#recordRun(execution));
    await this.#audit.run(signal, () => this.#payOwed());
    for (const stop of unsubscribe) stop();
    this.#isLeading = false;
    this.#looked.clear();
    this.#owed.clear();
  }

  isRecorded({ metadata }: RemediationRequest): boolean {
    return this.#looked.get(metadata.uid) === metadata.resourceVersion && this.#audit.isClear(metadata.uid);
  }

  problem(): string | undefined {
    return this.#audit.problem;
  }

  async #synced(signal: AbortSignal): Promise<boolean> {
    try {
      await this.#cache.synced(signal);
    } catch {
      // It rejects only when the signal aborts.
    }
    return !signal.aborted;
  }

  /** Called by the watch, which must continue even if an object cannot be understood. */
  #report(report: () => void): void {
    try {
      report();
    } catch (error) {
      this.#log.error('reporting a change failed', { error: messageOf(error) });
    }
  }

  #requestChanged(change: Change<RemediationRequest>, signal: AbortSignal): void {
    if (change.kind === 'gone') return this.#forget(change.object);
    const { before, object } = change;
    this.#record(before, object);
    this.#metrics.count(metricsOf(before, object));
    this.#events.add(object, kubernetesEventsOf(before, object), signal);
  }

  #approvalChanged(change: Change<RemediationApprovalRequest>, signal: AbortSignal): void {
    if (change.kind === 'gone') return;
    const { before, object } = change;
    const request = this.#requestOf(object);
    // A request that is not cached yet is recorded with all its approvals when it arrives.
    if (request && !this.#audit.add(request.metadata.uid, approvalEventsOf(request, object))) this.#owe(request);
    this.#metrics.count(approvalMetricsOf(before, object));
    this.#events.add(request ?? object, approvalNotesOf(before, object), signal);
  }

  #executionChanged(change: Change<WorkflowExecution>, signal: AbortSignal): void {
    if (change.kind === 'gone') return;
    const { before, object } = change;
    this.#recordRun(object);
    this.#metrics.count(executionMetricsOf(before, object));
    const took = runTimeOf(before, object);
    if (took) this.#metrics.took(took);
    this.#events.add(object, executionNotesOf(before, object), signal);
  }

  /** An assessment without an owning request was not requested by Sickbay, and is not recorded. */
  #assessmentChanged(change: Change<EffectivenessAssessment>, signal: AbortSignal): void {
    if (change.kind === 'gone') return;
    const { before, object } = change;
    const request = this.#requestOf(object);
    if (request && !this.#audit.add(request.metadata.uid, assessmentEventsOf(object))) this.#owe(request);
    this.#metrics.count(assessmentMetricsOf(before, object));
    this.#metrics.scored(scoresOf(before, object));
    this.#events.add(object, assessmentNotesOf(before, object), signal);
  }

  /** Events of a run belong to its request, if there is one: the request is not deleted before they are in the audit trail. */
  #recordRun(execution: WorkflowExecution): void {
    const request = this.#requestOf(execution);
    if (!this.#audit.add(request?.metadata.uid ?? execution.metadata.uid, executionEventsOf(execution)) && request) this.#owe(request);
  }

  #requestOf(child: KubeObject): RemediationRequest | undefined {
    const owner = controllerOf(child);
    const found = owner && this.#requests.get({ namespace: child.metadata.namespace ?? '', name: owner.name });
    return found?.metadata.uid === owner?.uid ? found : undefined;
  }

  /** If the previous state was recorded, only the new events are added: the others are stored, or wait in the outbox. */
  #record(before: RemediationRequest | undefined, request: RemediationRequest): void {
    const { uid } = request.metadata;
    const isFollowed = before !== undefined && this.#looked.get(uid) === before.metadata.resourceVersion;
    this.#take(request, isFollowed ? newEvents(before, request) : this.#allEventsOf(request));
  }

  #take(request: RemediationRequest, events: readonly AuditEvent[]): void {
    const { uid, resourceVersion } = request.metadata;
    if (!this.#audit.add(uid, events)) this.#owe(request);
    else if (!this.#owed.has(uid)) this.#looked.set(uid, resourceVersion);
  }

  /** Everything that its state implies is added once there is room. */
  #owe(request: RemediationRequest): void {
    this.#looked.delete(request.metadata.uid);
    this.#owed.set(request.metadata.uid, keyOf(request));
  }

  #payOwed(): void {
    for (const [uid, key] of this.#owed) {
      const request = this.#requests.get(key);
      this.#owed.delete(uid);
      if (request?.metadata.uid === uid) this.#report(() => this.#record(undefined, request));
      if (this.#owed.has(uid)) return;
    }
  }

  #allEventsOf(request: RemediationRequest): readonly AuditEvent[] {
    const { uid } = request.metadata;
    const executions = this.#executions.list({ index: OF_REQUEST, value: uid }).filter((execution) => isOwnedBy(execution, uid));
    const approvals = this.#approvals.list({ index: OF_REQUEST, value: uid });
    const assessments = this.#assessments.list({ index: OF_REQUEST, value: uid }).filter((assessment) => isOwnedBy(assessment, uid));
    return [...auditEventsOf(request, approvals), ...executions.flatMap(executionEventsOf), ...assessments.flatMap(assessmentEventsOf)];
  }

  #forget({ metadata }: RemediationRequest): void {
    this.#looked.delete(metadata.uid);
    if (this.#owed.delete(metadata.uid))
      this.#log.error('a request was deleted before its audit events were stored', { request: metadata.name, uid: metadata.uid });
  }

  #blocked(namespace: string): ReadonlyMap<string, number> {
    if (!this.#isLeading) return new Map();
    const count = this.#requests.list().filter(({ status }) => status?.overallPhase === 'Blocked').length;
    return new Map([[namespace, count]]);
  }
}

function newEvents(before: RemediationRequest, after: RemediationRequest): readonly AuditEvent[] {
  const known = new Set(requestEventsOf(before).map(({ id }) => id));
  return requestEventsOf(after).filter(({ id }) => !known.has(id));
}
