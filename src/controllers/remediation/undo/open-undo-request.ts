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

/** How far the request that takes a change back has come. */
export interface Opening {
  readonly isDone: boolean;
  /** As it goes on record. */
  readonly undo: Undo | undefined;
  readonly effects: readonly Effect[];
  /** When it may be opened, where that is not yet. */
  readonly until?: Instant;
}

/**
 * Opens the request that takes back what this one changed, once the signal may be worked on again: it is held back like any other, and would
 * only be blocked before. With its UID on record it is never opened again, whatever becomes of it; before that it does nothing.
 */
export function openUndo({ object, siblings, undoing }: RemediationSeen, now: Instant): Opening {
  const undo = object.status?.undo;
  if (!undo || undo.requestRef.uid !== undefined) return { isDone: true, undo, effects: [] };
  const waiting: Opening = { isDone: false, undo, effects: [] };
  if (siblings.kind !== 'value' || undoing.kind === 'unreadable') return waiting;
  if (undoing.kind === 'value') return recorded(undo, object, undoing.value);
  const suppression = suppressionSinceSuccess(siblings.value, object);
  if (isSuppressed(suppression, now)) return { ...waiting, until: suppression.until };
  return { ...waiting, effects: [{ kind: 'Create', resource: RemediationRequest, object: undoRequestFor(object, undo) }] };
}

function recorded(undo: Undo, { metadata, spec }: RemediationRequest, found: RemediationRequest): Opening {
  const isOurs = found.spec.undoOf?.uid === metadata.uid;
  const event: Effect = isOurs
    ? normalEvent('UndoOpened', `${found.metadata.name} takes back what did not help ${describeTarget(spec.targetResource)}: ${undo.did}`)
    : warningEvent(
        'UndoNotOpened',
        `nothing is taken back: ${found.metadata.name} is there already, and not for this request; look at ${describeTarget(spec.targetResource)}`,
      );
  return { isDone: true, undo: isOurs ? { ...undo, requestRef: referenceTo(found) } : undefined, effects: [event] };
}

/** The same signal about the same resource, so that it waits for others of it, and they for it. Drafted twice it is the same. */
export function undoRequestFor({ spec, status, metadata }: RemediationRequest, { requestRef }: Undo): Draft<RemediationRequest> {
  const { dryRun: _, originalPayload: __, ...signal } = spec;
  return {
    apiVersion: apiVersionOf(RemediationRequest),
    kind: RemediationRequest.kind,
    metadata: { name: requestRef.name ?? '', namespace: metadata.namespace ?? '' },
    spec: { ...signal, receivedTime: status?.completedAt ?? spec.receivedTime, undoOf: { name: metadata.name, uid: metadata.uid } },
  };
}
