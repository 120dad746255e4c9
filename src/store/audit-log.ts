import type { JsonObject } from '../base/index.ts';

/** Everything that is recorded about a remediation. */
export const AUDIT_TYPES = [
  'orchestrator.lifecycle.created',
  'orchestrator.lifecycle.started',
  'orchestrator.lifecycle.transitioned',
  'orchestrator.lifecycle.completed',
  'orchestrator.lifecycle.failed',
  'orchestrator.lifecycle.verifying_started',
  'orchestrator.lifecycle.verification_completed',
  'orchestrator.lifecycle.verification_timed_out',
  'orchestrator.phase.transitioned',
  'orchestrator.approval.requested',
  'orchestrator.approval.approved',
  'orchestrator.approval.rejected',
  'orchestrator.approval.expired',
  'orchestrator.routing.blocked',
  'orchestrator.routing.freeze_overridden',
  'orchestrator.ea.created',
  'orchestrator.remediation.manual_review',
  'workflowexecution.selection.completed',
  'workflowexecution.execution.started',
  'workflowexecution.workflow.started',
  'workflowexecution.workflow.completed',
  'workflowexecution.workflow.failed',
  'workflowexecution.block.cleared',
  'effectiveness.assessment.scheduled',
  'effectiveness.hash.computed',
  'effectiveness.health.assessed',
  'effectiveness.alert.assessed',
  'effectiveness.metrics.assessed',
  'effectiveness.alert_decay.detected',
  'effectiveness.assessment.completed',
] as const;
export type AuditType = (typeof AUDIT_TYPES)[number];

/** The object that an event is about. */
export interface AuditSubject {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

/** One thing that happened, as it is kept. */
export interface AuditEvent {
  /** Made of the object's UID, the type, and what tells two of one type apart; never of names, which come back after a deletion. */
  readonly id: string;
  readonly type: AuditType;
  /** The name of the RemediationRequest that all of it belongs to. */
  readonly correlationId: string;
  readonly subject: AuditSubject;
  /** When it happened, as the object's status says. */
  readonly at: string;
  readonly data: JsonObject;
}

/** Members of the data that events are found by, however many others there are. */
export const FOUND_BY = ['target', 'root', 'pre', 'post', 'rootPost'] as const;
export type FoundBy = (typeof FOUND_BY)[number];

/** What is looked for: everything that all of these fit. */
export interface AuditQuery {
  readonly correlationId?: string;
  /** Any of them, where there are several. */
  readonly type?: AuditType | readonly AuditType[];
  /** One of these members of the data says it. */
  readonly says?: { readonly in: readonly [FoundBy, ...FoundBy[]]; readonly value: string };
  /** Not what happened before; in whole seconds, as `toTime` writes it. */
  readonly since?: string;
  /** At most so many, the newest; 1,000 when absent. */
  readonly limit?: number;
}

/** Where events are kept; nothing is ever changed or removed. */
export interface AuditLog {
  /**
   * Resolves when all of them are durable; rejects when none of them is known to be. An event whose id is there already is left as it was.
   * Without events it only proves that the store can be written.
   */
  append(events: readonly AuditEvent[]): Promise<void>;
  /** In the order in which they were recorded. */
  find(query: AuditQuery): Promise<readonly AuditEvent[]>;
  /** Ends after what was asked for; safe to call twice. */
  close(): Promise<void>;
}

export const MOST_FOUND = 1_000;
