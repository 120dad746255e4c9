import { Lease } from '../../../api/builtin/index.ts';
import { keyOf, type Draft } from '../../../api/meta.ts';
import { ANNOTATIONS } from '../../../api/well-known.ts';
import type { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import { isObject, type Instant } from '../../../base/index.ts';
import type { Effect } from '../../../runtime/reconcile/controller.ts';
import { lockDraft } from '../lock/lock-draft.ts';

/** Why nothing runs on a target until a person says otherwise. */
export type TargetBlockReason = 'PreviousExecutionFailed' | 'ExhaustedRetries';

/** A failure that keeps workflows off its target, as it is told: the execution itself may be gone. */
export interface TargetBlock {
  readonly reason: TargetBlockReason;
  /** Name of the WorkflowExecution. */
  readonly name: string;
  readonly workflowId: string;
  readonly completedAt: string;
  /** Failures in a row before anything ran. */
  readonly failures: number;
  /** What happened, for people. */
  readonly why: string;
}

/** What a person said when they lifted a block. */
export interface Clearance {
  readonly by: string;
  readonly reason: string;
  readonly at: string;
}

/** A block that the target's lock keeps, because the execution that failed is gone; once cleared, it blocks no execution any more. */
export interface StoredBlock extends TargetBlock {
  readonly clearance?: Clearance;
}

const UNKNOWN = 'nothing more is known';

/** The failure of an execution as a block of its target. */
export function blockFrom({ metadata, spec, status }: WorkflowExecution, reason: TargetBlockReason): TargetBlock {
  const { failureDetails, consecutiveFailures = 0 } = status ?? {};
  return {
    reason,
    name: metadata.name,
    workflowId: spec.workflowRef.workflowId,
    completedAt: status?.completionTime ?? failureDetails?.failedAt ?? metadata.creationTimestamp,
    failures: consecutiveFailures,
    why: failureDetails?.naturalLanguageSummary ?? UNKNOWN,
  };
}

/** The block that a lock keeps; undefined where it is just a lock. A record that cannot be understood blocks as the graver one. */
export function storedBlock({ metadata }: Lease): StoredBlock | undefined {
  const text = metadata.annotations?.[ANNOTATIONS.block];
  if (text === undefined) return undefined;
  const clearance = clearanceOn(metadata.annotations ?? {});
  return { ...understood(parsed(text), metadata.creationTimestamp), ...(clearance && { clearance }) };
}

/** A clearance without a name is none. */
function clearanceOn(annotations: Readonly<Record<string, string>>): Clearance | undefined {
  const by = annotations[ANNOTATIONS.blockClearedBy] ?? '';
  const reason = annotations[ANNOTATIONS.blockClearReason] ?? '';
  return by === '' || reason === '' ? undefined : { by, reason, at: annotations[ANNOTATIONS.blockClearedAt] ?? '' };
}

function understood(record: Readonly<Record<string, unknown>>, since: string): TargetBlock {
  const text = (member: string, otherwise: string): string => (typeof record[member] === 'string' ? record[member] : otherwise);
  return {
    reason: record.reason === 'ExhaustedRetries' ? 'ExhaustedRetries' : 'PreviousExecutionFailed',
    name: text('name', 'an execution'),
    workflowId: text('workflowId', ''),
    completedAt: text('completedAt', since),
    failures: typeof record.failures === 'number' ? record.failures : 0,
    why: text('why', UNKNOWN),
  };
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** What `kubectl get lease` shows in the column of the holder: no execution holds the target, and why. */
const holderText = ({ name, reason, completedAt }: TargetBlock): string => `blocked by ${name}: ${reason} ${completedAt}`;

/** The lock of a target that no execution holds and that keeps a block. */
export function storedBlockDraft(
  execution: WorkflowExecution,
  block: TargetBlock,
  { namespace, now }: { readonly namespace: string; readonly now: Instant },
): Draft<Lease> {
  const draft = lockDraft(execution, namespace, now);
  const annotations = { ...draft.metadata.annotations, [ANNOTATIONS.block]: JSON.stringify(block) };
  return { ...draft, metadata: { ...draft.metadata, annotations }, spec: { ...draft.spec, holderIdentity: holderText(block) } };
}

/** Turns an execution's own lock into one that keeps its block: there is no moment at which the target is free. */
export const storeBlockOn = (lock: Lease, block: TargetBlock): Effect => ({
  kind: 'Patch',
  resource: Lease,
  key: keyOf(lock),
  uid: lock.metadata.uid,
  resourceVersion: lock.metadata.resourceVersion,
  operations: [
    {
      op: 'add',
      path: '/metadata/annotations',
      value: { ...lock.metadata.annotations, [ANNOTATIONS.block]: JSON.stringify(block) },
    },
    { op: 'add', path: '/spec/holderIdentity', value: holderText(block) },
  ],
});
