import type { ObjectKey } from '../../api/meta.ts';
import { SignalProcessing } from '../../api/signal-processing/signal-processing.ts';
import { parseTime, type Instant } from '../../base/index.ts';
import { NOT_READ, type NotRead } from '../../kube/client/read.ts';
import type { Reader } from '../../runtime/reconcile/controller.ts';
import type { OwnNamespaces } from '../../scope/index.ts';
import { isPastDeadline, readRetryAt } from '../retry-times.ts';
import { readTargetContext, type TargetContext } from './read-target-context.ts';

/** Everything that a decision about a SignalProcessing rests on. */
export interface SignalProcessingSeen {
  readonly object: SignalProcessing;
  /** `not-read` outside of the phase Enriching, and before the next attempt is due. */
  readonly context: TargetContext | NotRead;
}

export async function observe(
  key: ObjectKey,
  reader: Reader,
  { now, own }: { readonly now: Instant; readonly own: OwnNamespaces },
): Promise<SignalProcessingSeen | undefined> {
  const read = reader.get(SignalProcessing, key);
  if (read.kind !== 'value') return undefined;
  const object = read.value;
  return { object, context: isReadDue(object, now) ? await readTargetContext(object.spec.signal, reader, own) : NOT_READ };
}

/** The status write that records a failure wakes the controller at once: without this check, that pass would be the next attempt. */
function isReadDue({ spec, status }: SignalProcessing, now: Instant): boolean {
  if (status?.phase !== 'Enriching' || isPastDeadline(spec.timesOutAt, now)) return false;
  const next = nextAttempt(status);
  return next === undefined || now >= next;
}

/** When to read again after failures in a row; undefined when the last attempt did not fail. */
export function nextAttempt(status: SignalProcessing['status']): Instant | undefined {
  const failures = status?.consecutiveFailures ?? 0;
  const failedAt = parseTime(status?.lastFailureTime);
  return failures > 0 && failedAt !== undefined ? readRetryAt(failedAt, failures) : undefined;
}
