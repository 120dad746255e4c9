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
  /** Only what lives here is told of. */
  readonly namespace: string;
  readonly events: EventRecorder;
  readonly audit: AuditLog;
  /** A clock that nobody can set, for delays. */
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
    this.#events = new EventOutbox({ events, dropped: () => metrics.dropped() });
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
      this.#requests.onChange((change) => this.#tell(() => this.#requestChanged(change, signal))),
      this.#approvals.onChange((change) => this.#tell(() => this.#approvalChanged(change, signal))),
      this.#executions.onChange((change) => this.#tell(() => this.#executionChanged(change, signal))),
      this.#assessments.onChange((change) => this.#tell(() => this.#assessmentChanged(change, signal))),
    ];
    this.#isLeading = true;
    // Old news are no Events; but whether the trail has them nobody knows.
    for (const request of this.#requests.list()) this.#tell(() => this.#record(undefined, request));
    for (const execution of this.#executions.list()) if (!this.#requestOf(execution)) this.#tell(() => this.#recordRun(execution));
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
      // It rejects only when it is told to stop.
    }
    return !signal.aborted;
  }

  /** Whoever tells is told of changes by the watch itself, which must go on whatever an object looks like. */
  #tell(story: () => void): void {
    try {
      story();
    } catch (error) {
      this.#log.error('telling what happened', { error: messageOf(error) });
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
    // A request that is not there yet is looked at with all its approvals when it comes.
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

  /** One that no request owns was not ordered by us, and is no part of any story. */
  #assessmentChanged(change: Change<EffectivenessAssessment>, signal: AbortSignal): void {
    if (change.kind === 'gone') return;
    const { before, object } = change;
    const request = this.#requestOf(object);
    if (request && !this.#audit.add(request.metadata.uid, assessmentEventsOf(object))) this.#owe(request);
    this.#metrics.count(assessmentMetricsOf(before, object));
    this.#metrics.scored(scoresOf(before, object));
    this.#events.add(object, assessmentNotesOf(before, object), signal);
  }

  /** All of it belongs to the request, as long as there is one: it is not deleted before its runs are on record. */
  #recordRun(execution: WorkflowExecution): void {
    const request = this.#requestOf(execution);
    if (!this.#audit.add(request?.metadata.uid ?? execution.metadata.uid, executionEventsOf(execution)) && request) this.#owe(request);
  }

  #requestOf(child: KubeObject): RemediationRequest | undefined {
    const owner = controllerOf(child);
    const found = owner && this.#requests.get({ namespace: child.metadata.namespace ?? '', name: owner.name });
    return found?.metadata.uid === owner?.uid ? found : undefined;
  }

  /** Where the state before was looked at, only what is new is taken: the rest is on record, or waits. */
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

  /** All that its state implies then is taken when there is room. */
  #owe(request: RemediationRequest): void {
    this.#looked.delete(request.metadata.uid);
    this.#owed.set(request.metadata.uid, keyOf(request));
  }

  #payOwed(): void {
    for (const [uid, key] of this.#owed) {
      const request = this.#requests.get(key);
      this.#owed.delete(uid);
      if (request?.metadata.uid === uid) this.#tell(() => this.#record(undefined, request));
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
      this.#log.error('a request was deleted before its events could be kept', { request: metadata.name, uid: metadata.uid });
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
