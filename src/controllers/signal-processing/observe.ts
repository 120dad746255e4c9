import type { ObjectKey } from '../../api/meta.ts';
import { SignalProcessing } from '../../api/signal-processing/signal-processing.ts';
import { parseTime, type Instant } from '../../base/index.ts';
import type { Reader } from '../../runtime/reconcile/controller.ts';
import { isTooLate, readAgainAt } from '../retry-times.ts';
import { readSurroundings, type Surroundings } from './read-target-context.ts';

/** All that a decision about a SignalProcessing rests on. */
export interface SignalProcessingSeen {
  readonly object: SignalProcessing;
  /** Undefined where it is not needed, or where it is not yet time to ask again. */
  readonly surroundings: Surroundings | undefined;
}

export async function observe(key: ObjectKey, reader: Reader, now: Instant): Promise<SignalProcessingSeen | undefined> {
  const read = reader.get(SignalProcessing, key);
  if (read.kind !== 'value') return undefined;
  const object = read.value;
  return { object, surroundings: mayRead(object, now) ? await readSurroundings(object.spec.signal, reader) : undefined };
}

/** Writing down a failure brings the object up again at once: without this, that would be the next attempt. */
function mayRead({ spec, status }: SignalProcessing, now: Instant): boolean {
  if (status?.phase !== 'Enriching' || isTooLate(spec.timesOutAt, now)) return false;
  const again = nextAttempt(status);
  return again === undefined || now >= again;
}

/** When to ask again after failures in a row; undefined when the last attempt did not fail. */
export function nextAttempt(status: SignalProcessing['status']): Instant | undefined {
  const failures = status?.consecutiveFailures ?? 0;
  const failedAt = parseTime(status?.lastFailureTime);
  return failures > 0 && failedAt !== undefined ? readAgainAt(failedAt, failures) : undefined;
}
