import type { Event, Lease, Pod } from '../../api/builtin/index.ts';
import type { KubeObject, ObjectKey } from '../../api/meta.ts';
import type { RemediationRequest } from '../../api/remediation-request/remediation-request.ts';
import type { RemediationWorkflow } from '../../api/remediation-workflow/remediation-workflow.ts';
import type { WorkflowExecution } from '../../api/workflow-execution/workflow-execution.ts';
import { assertNever, type Instant } from '../../base/index.ts';
import type { Listed, Read, Reader } from '../../runtime/reconcile/controller.ts';
import type { SeenBudget } from '../budget/index.ts';
import type { Settings } from '../settings.ts';
import type { SeenTarget } from '../target/index.ts';
import type { SeenDependency } from './catalogue/index.ts';
import type { AwxConnection } from './engines/awx/awx-connection.ts';
import { AWX_JOB } from './engines/awx/awx-names.ts';
import type { ObservedAwx } from './engines/awx/observed-awx.ts';
import { isBeingDeleted } from './phases/execution-finalizer.ts';

/** What this pass did not read because it did not need it: neither absent nor unreadable. */
export interface NotRead {
  readonly kind: 'not-read';
}

export const NOT_READ: NotRead = { kind: 'not-read' };

/**
 * A read that a decision needs. Where the pass did not make it, the decision must wait as it does for a read that failed, and never take the
 * object for absent.
 */
export const needed = <T extends { readonly kind: string }>(read: T | NotRead): T | Unreadable =>
  isRead(read) ? read : { kind: 'unreadable', reason: 'it was not read in this pass' };

const isRead = <T extends { readonly kind: string }>(read: T | NotRead): read is T => read.kind !== 'not-read';

interface Unreadable {
  readonly kind: 'unreadable';
  readonly reason: string;
}

/**
 * What was read about an execution, by the stage that it is in: each stage needs other objects. Members that may be `NotRead` are read only
 * where what was read before them asks for it; see `phases/choose-reads.ts`.
 */
export type ObservedExecution =
  NewExecution | PendingExecution | RunningExecution | RunningAwxExecution | FinishedExecution | DeletedExecution;

interface Observed {
  readonly object: WorkflowExecution;
  readonly settings: Settings;
}

/** No phase yet: nothing else is read. */
export interface NewExecution extends Observed {
  readonly stage: 'new';
}

/** Pending: it waits for its request, its target, the catalogue, the lock and the budget, or its run is created but not recorded yet. */
export interface PendingExecution extends Observed {
  readonly stage: 'pending';
  /** The owner; a live read once there is a run to release. */
  readonly request: Read<RemediationRequest>;
  readonly lock: Read<Lease>;
  /** The run of this target's name, of any engine. */
  readonly run: Read<KubeObject>;
  /** The other execution that has the lock or the run, from a live read; not read when there is none. */
  readonly holder: Read<WorkflowExecution> | NotRead;
  /** The other executions on the target; a live read where this one is about to start or to be skipped. */
  readonly history: Listed<WorkflowExecution>;
  /** The catalogue entries of its workflow; a live read where this one is about to start or to fail. */
  readonly catalogue: Listed<RemediationWorkflow>;
  /** Read under its own lock. */
  readonly budget: SeenBudget | NotRead;
  /** Pods of any run of this name; read where a lock is there and the run is not. */
  readonly pods: Listed<Pod> | NotRead;
  /** What the workflow needs, from live reads; read before its run is created. */
  readonly dependencies: Listed<SeenDependency> | NotRead;
  /** Whether its engine is installed, from a live read; read with the dependencies. */
  readonly installed: Read<true> | NotRead;
  /** The resource that the plan is for, from a live read; read where there is a run to release or a job to launch. */
  readonly target: Read<SeenTarget> | NotRead;
  /** What AWX has of it; read where it is about to be launched there. */
  readonly awx: ObservedAwx | NotRead;
}

/** Running as an object of the cluster. */
export interface RunningExecution extends Observed {
  readonly stage: 'running';
  readonly run: Read<KubeObject>;
  /** Not read where there is no run. */
  readonly request: Read<RemediationRequest> | NotRead;
  /** Read while the run is still suspended. */
  readonly budget: SeenBudget | NotRead;
  readonly target: Read<SeenTarget> | NotRead;
  /** Read where the pods can report what the run itself does not. */
  readonly pods: Listed<Pod> | NotRead;
  /** Read with the pods. */
  readonly events: Listed<Event> | NotRead;
}

/** Running as a job of AWX, which has no object in the cluster. */
export interface RunningAwxExecution extends Observed {
  readonly stage: 'running-in-awx';
  readonly request: Read<RemediationRequest>;
  readonly awx: ObservedAwx;
}

/** Completed, Failed or Skipped: its run and its lock are to be cleaned up. */
export interface FinishedExecution extends Observed {
  readonly stage: 'finished';
  readonly lock: Read<Lease>;
  readonly run: Read<KubeObject>;
  /** Read once the lock is to be deleted. */
  readonly pods: Listed<Pod> | NotRead;
  readonly awx: ObservedAwx | NotRead;
}

/** Finished and deleted: our finalizer keeps it until everything of it is gone. Every read is live: nothing can be re-read afterwards. */
export interface DeletedExecution extends Observed {
  readonly stage: 'deleted';
  readonly lock: Read<Lease>;
  readonly run: Read<KubeObject>;
  readonly pods: Listed<Pod>;
  readonly holder: Read<WorkflowExecution>;
  readonly history: Listed<WorkflowExecution>;
  readonly request: Read<RemediationRequest>;
  /** The namespace of the execution. */
  readonly namespace: Read<KubeObject>;
  readonly awx: ObservedAwx | NotRead;
}

/** What every read of one pass gets. */
export interface ReadContext {
  readonly object: WorkflowExecution;
  readonly reader: Reader;
  readonly now: Instant;
  readonly settings: Settings;
}

/** The same, with the name that both the run and the lock have, and the connection to AWX, where there is one. */
export interface ExecutionContext extends ReadContext {
  readonly key: ObjectKey;
  readonly door?: AwxConnection | undefined;
}

/** Which reads the execution needs: by its phase, its engine and whether it was deleted. */
export function stageOf(object: WorkflowExecution): ObservedExecution['stage'] {
  const phase = object.status?.phase;
  switch (phase) {
    case undefined:
      return 'new';
    case 'Pending':
      return 'pending';
    case 'Running':
      return isInAwx(object) ? 'running-in-awx' : 'running';
    case 'Completed':
    case 'Failed':
    case 'Skipped':
      return isBeingDeleted(object) ? 'deleted' : 'finished';
    default:
      return assertNever(phase);
  }
}

/** Whether the intent to launch it in AWX is recorded in status. */
export const isInAwx = ({ status }: WorkflowExecution): boolean => status?.executionRef?.kind === AWX_JOB;
