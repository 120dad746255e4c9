import { keyOf } from '../../api/meta.ts';
import { isTerminal } from '../../api/phases.ts';
import { remediationPhases } from '../../api/remediation-request/phases.ts';
import { RemediationRequest } from '../../api/remediation-request/remediation-request.ts';
import { WorkflowExecution } from '../../api/workflow-execution/workflow-execution.ts';
import { after, toTime, type Instant } from '../../base/index.ts';
import { admit } from '../../controllers/execution/admission/admit.ts';
import { controllerOf } from '../../kube/objects/owner-references.ts';
import { executionEnd } from './child-results.ts';
import { ends, type ExecutionEnd, type Fate, type Fates } from './scripted-results.ts';
import { followKind, type Place } from './watch-kind.ts';
import type { Ledger } from './ledger.ts';
import { remove, report, takeName, unlessOvertaken } from './fake-controller.ts';

/** What the executions need to know of the world. */
export interface ExecutionWorld extends Place {
  readonly fates: Fates;
  readonly ledger: Ledger;
}

/**
 * Plays the controller of executions, by the contract of the real one: nothing acts before its request is Executing, names it, and holds the
 * digest of its plan; one target is worked on by one at a time; what is at work stops when its request has ended.
 */
export class Executions {
  readonly #world: ExecutionWorld;
  readonly #signal: AbortSignal;
  readonly #waiting = new Map<string, WorkflowExecution>();
  readonly #running = new Map<string, WorkflowExecution>();
  readonly #met = new Set<string>();
  /** UIDs of the first of each name. */
  readonly #first = new Map<string, string>();
  readonly #requests = new Map<string, RemediationRequest>();

  constructor(world: ExecutionWorld, signal: AbortSignal) {
    this.#world = world;
    this.#signal = signal;
  }

  /** Follows executions and their requests until the signal. */
  async run(): Promise<void> {
    const executions = followKind(this.#world, WorkflowExecution, (object) => this.#meet(object), this.#signal);
    await Promise.all([executions, followKind(this.#world, RemediationRequest, (object) => this.#hear(object), this.#signal)]);
  }

  #meet(execution: WorkflowExecution): void {
    const { uid } = execution.metadata;
    const owner = controllerOf(execution);
    if (execution.metadata.deletionTimestamp !== undefined) return this.#after(0, () => this.#stop(execution));
    if (owner?.kind !== RemediationRequest.kind || this.#met.has(uid)) return;
    this.#met.add(uid);
    this.#waiting.set(uid, execution);
    const fate = this.#fateOf(owner.name, execution);
    if (fate.does === 'vanish' || fate.does === 'makeWay') this.#after(fate.afterMs, () => this.#takeAway(execution, fate.does));
    const request = this.#requests.get(owner.uid);
    if (request) this.#look(execution, request);
  }

  #hear(request: RemediationRequest): void {
    const { uid } = request.metadata;
    this.#requests.set(uid, request);
    const ofRequest = (execution: WorkflowExecution): boolean => controllerOf(execution)?.uid === uid;
    for (const execution of [...this.#waiting.values()].filter(ofRequest)) this.#look(execution, request);
    if (!isTerminal(remediationPhases, request.status?.overallPhase)) return;
    for (const execution of [...this.#running.values()].filter(ofRequest)) this.#after(0, () => this.#end(execution, 'FailedDuring'));
  }

  #look(execution: WorkflowExecution, request: RemediationRequest): void {
    const admission = admit(execution, { kind: 'value', value: request });
    if (admission.kind === 'Wait') return;
    this.#waiting.delete(execution.metadata.uid);
    if (admission.kind === 'Refuse') return this.#after(0, () => this.#report(execution, 'FailedBefore'));
    const fate = this.#fateOf(request.metadata.name, execution);
    if (fate.does !== 'end') return this.#start(execution, request);
    if (fate.end !== 'Completed' && fate.end !== 'FailedDuring') return this.#after(fate.afterMs, () => this.#report(execution, fate.end));
    this.#start(execution, request, { end: fate.end, afterMs: fate.afterMs });
  }

  /** The same object is not deleted repeatedly. */
  #fateOf(request: string, { metadata }: WorkflowExecution): Fate<ExecutionEnd> {
    const first = this.#first.get(metadata.name) ?? metadata.uid;
    this.#first.set(metadata.name, first);
    const fate = this.#world.fates.execution(request, metadata.name);
    return first !== metadata.uid && fate.does !== 'end' ? ends('Completed') : fate;
  }

  /** Without an end it continues until it is cancelled. */
  #start(execution: WorkflowExecution, request: RemediationRequest, run?: { readonly end: ExecutionEnd; readonly afterMs: number }): void {
    const { ledger } = this.#world;
    if (ledger.isBusy(execution.spec.targetResource)) {
      ledger.busy.push(execution.metadata.name);
      return this.#after(0, () => this.#report(execution, 'SkippedResourceBusy'));
    }
    ledger.start(execution, request, this.#now());
    this.#running.set(execution.metadata.uid, execution);
    if (run?.afterMs === 0) return this.#after(0, () => this.#end(execution, run.end));
    const running = { phase: 'Running', startTime: toTime(this.#now()) };
    this.#after(0, () => report(this.#world, WorkflowExecution, execution, running));
    if (run) this.#after(run.afterMs, () => this.#end(execution, run.end));
  }

  async #end(execution: WorkflowExecution, end: ExecutionEnd): Promise<void> {
    if (!this.#running.delete(execution.metadata.uid)) return;
    this.#world.ledger.end(execution.metadata.uid);
    await this.#report(execution, end);
  }

  async #takeAway(execution: WorkflowExecution, how: 'vanish' | 'makeWay'): Promise<void> {
    await this.#stop(execution);
    await remove(this.#world, WorkflowExecution, execution);
    if (how === 'makeWay') await takeName(this.#world, WorkflowExecution, execution);
  }

  async #stop(execution: WorkflowExecution): Promise<void> {
    this.#waiting.delete(execution.metadata.uid);
    if (this.#running.delete(execution.metadata.uid)) this.#world.ledger.end(execution.metadata.uid);
    await this.#letGo(execution);
  }

  async #report(execution: WorkflowExecution, end: ExecutionEnd): Promise<void> {
    await report(this.#world, WorkflowExecution, execution, executionEnd(end, this.#now()));
    await this.#letGo(execution);
  }

  /** Nothing of it is left that its finalizer would have to be there for. */
  #letGo(execution: WorkflowExecution): Promise<void> {
    const body = [
      { op: 'test', path: '/metadata/uid', value: execution.metadata.uid },
      { op: 'remove', path: '/metadata/finalizers' },
    ] as const;
    return unlessOvertaken(() => this.#world.client.patch(WorkflowExecution, keyOf(execution), { type: 'json', body }));
  }

  #now(): Instant {
    return this.#world.clock.now();
  }

  #after(ms: number, work: () => Promise<void>): void {
    const { clock } = this.#world;
    const due = ms > 0 ? clock.waitUntil(after(clock.now(), ms), this.#signal) : Promise.resolve();
    due.then(work).catch((error: unknown) => {
      if (!this.#signal.aborted) throw error;
    });
  }
}
