import type { MachineHealthCheck } from '../../../api/machine-health-check/machine-health-check.ts';
import { keyOf, keyText, type ObjectKey } from '../../../api/meta.ts';
import { after, MINUTE, type Instant } from '../../../base/index.ts';

/** A process that stalled may create a request long after it was withdrawn. So all requests of the kind are listed from time to time. */
export const FULL_LIST_INTERVAL_MS = 10 * MINUTE;

/** When each check last listed all requests of its kind: one entry per existing check. Losing an entry costs one list. */
export class FullListTimes {
  readonly #last = new Map<string, { readonly uid: string; readonly at: Instant }>();

  /** When the next full list is due; undefined when there was none yet. */
  nextAt({ metadata }: MachineHealthCheck): Instant | undefined {
    const last = this.#last.get(keyText(keyOf({ metadata })));
    return last?.uid === metadata.uid ? after(last.at, FULL_LIST_INTERVAL_MS) : undefined;
  }

  record({ metadata }: MachineHealthCheck, now: Instant): void {
    this.#last.set(keyText(keyOf({ metadata })), { uid: metadata.uid, at: now });
  }

  /** Drops the entry of a check that no longer exists. */
  forget(key: ObjectKey): void {
    this.#last.delete(keyText(key));
  }
}
