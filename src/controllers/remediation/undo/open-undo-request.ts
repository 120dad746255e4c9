import type { Draft } from '../../../api/meta.ts';
import { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import { isSuppressed } from '../../../api/remediation-request/suppression.ts';
import { apiVersionOf } from '../../../api/resource.ts';
import type { Instant } from '../../../base/index.ts';
import type { Effect } from '../../../runtime/reconcile/controller.ts';
import type { RemediationSeen } from '../observe.ts';
import { describeTarget } from '../../plan/remediation-plan.ts';
import { suppressionSinceSuccess } from '../routing/failure-history.ts';
import { referenceTo } from '../status.ts';
import type { Undo } from './undo-verdict.ts';
import { normalEvent, warningEvent } from '../../kubernetes-events.ts';

/** How far the request that undoes a change has come. */
export interface UndoOpening {
  readonly isDone: boolean;
  /** The undo as the status records it. */
  readonly undo: Undo | undefined;
  readonly effects: readonly Effect[];
  /** When it may be opened, where that is not yet. */
  readonly until?: Instant;
}

/**
 * Opens the request that undoes what this one changed, once the signal is no longer suppressed: before that the new request would
 * only be blocked. Once its UID is recorded it is never opened again; before that it does nothing.
 */
export function openUndoRequest({ object, siblings, undoing }: RemediationSeen, now: Instant): UndoOpening {
  const undo = object.status?.undo;
  if (!undo || undo.requestRef.uid !== undefined) return { isDone: true, undo, effects: [] };
  const waiting: UndoOpening = { isDone: false, undo, effects: [] };
  if (siblings.kind !== 'value' || (undoing.kind !== 'value' && undoing.kind !== 'absent')) return waiting;
  if (undoing.kind === 'value') return recorded(undo, object, undoing.value);
  const suppression = suppressionSinceSuccess(siblings.value, object);
  if (isSuppressed(suppression, now)) return { ...waiting, until: suppression.until };
  return { ...waiting, effects: [{ kind: 'Create', resource: RemediationRequest, object: undoRequestFor(object, undo) }] };
}

function recorded(undo: Undo, { metadata, spec }: RemediationRequest, found: RemediationRequest): UndoOpening {
  const isOurs = found.spec.undoOf?.uid === metadata.uid;
  const event: Effect = isOurs
    ? normalEvent(
        'UndoOpened',
        `${found.metadata.name} undoes the change that did not help ${describeTarget(spec.targetResource)}: ${undo.did}`,
      )
    : warningEvent(
        'UndoNotOpened',
        `the change is not undone: ${found.metadata.name} exists already and does not belong to this request; check ${describeTarget(spec.targetResource)}`,
      );
  return { isDone: true, undo: isOurs ? { ...undo, requestRef: referenceTo(found) } : undefined, effects: [event] };
}

/**
 * A request for the same signal and resource, so that requests of the fingerprint wait for each other. The same input gives the same draft.
 */
export function undoRequestFor({ spec, status, metadata }: RemediationRequest, { requestRef }: Undo): Draft<RemediationRequest> {
  const { dryRun: _, originalPayload: __, ...signal } = spec;
  return {
    apiVersion: apiVersionOf(RemediationRequest),
    kind: RemediationRequest.kind,
    metadata: { name: requestRef.name ?? '', namespace: metadata.namespace ?? '' },
    spec: { ...signal, receivedTime: status?.completedAt ?? spec.receivedTime, undoOf: { name: metadata.name, uid: metadata.uid } },
  };
}
