import { toTime, type Instant } from '../base/index.ts';
import type { AuditEvent, AuditLog } from './audit-log.ts';
import { entriesOf, preHashIn, RUN_ENDS, type HistoryEntry } from './history-entry.ts';

/** A resource, as history knows it. */
export interface HistoryTarget {
  /** Empty for the local cluster. */
  readonly cluster: string;
  /** As namespace/Kind/name. */
  readonly target: string;
}

/** From a moment on, and before another one where it ends. */
export interface HistoryWindow {
  readonly from: Instant;
  readonly to?: Instant;
}

/** What was done before, from the audit trail. Rejects where that cannot be read: it is not known then, which is not nothing. */
export interface RemediationHistory {
  /** What was done to a target, or to what it manages, the oldest first. */
  ofTarget(target: HistoryTarget, window: HistoryWindow): Promise<readonly HistoryEntry[]>;
  /** What was done to whatever had this spec before or after it, the oldest first. */
  bySpecHash(specHash: string, window: HistoryWindow): Promise<readonly HistoryEntry[]>;
  /** The hash of a target before a remediation; undefined when none was recorded. */
  preRemediationSpecHash(remediation: { readonly name: string; readonly uid?: string }): Promise<string | undefined>;
}

const isWithin = (at: string, { from, to }: HistoryWindow): boolean => at >= toTime(from) && (to === undefined || at < toTime(to));

/** How many remediations are returned at most, the newest. */
export const MOST_ENTRIES = 100;

/** Reads history from an audit trail. */
export function createRemediationHistory(audit: AuditLog): RemediationHistory {
  const entriesIn = async (found: readonly AuditEvent[], window: HistoryWindow): Promise<readonly HistoryEntry[]> => {
    const names = [...new Set(found.map(({ correlationId }) => correlationId))].slice(-MOST_ENTRIES);
    const stories = await Promise.all(names.map((correlationId) => audit.find({ correlationId })));
    return stories
      .flatMap(entriesOf)
      .filter(({ completedAt }) => isWithin(completedAt, window))
      .toSorted((a, b) => (a.completedAt < b.completedAt ? -1 : Number(a.completedAt > b.completedAt)));
  };
  return {
    async ofTarget({ cluster, target }, window) {
      const found = await audit.find({
        says: { in: ['target', 'root'], value: target },
        // The second knows what manages the target.
        type: [...RUN_ENDS, 'effectiveness.hash.computed'],
        since: toTime(window.from),
      });
      const entries = await entriesIn(found, window);
      return entries.filter((entry) => entry.cluster === cluster && (entry.target === target || entry.root === target));
    },
    async bySpecHash(specHash, window) {
      const found = await audit.find({
        says: { in: ['pre', 'post', 'rootPost'], value: specHash },
        type: 'effectiveness.hash.computed',
        since: toTime(window.from),
      });
      const entries = await entriesIn(found, window);
      return entries.filter(({ preRemediationSpecHash: pre, postRemediationSpecHash: post, rootSpecHash: root }) =>
        [pre, post, root].includes(specHash),
      );
    },
    preRemediationSpecHash: async ({ name, uid }) => preHashIn(await audit.find({ correlationId: name }), uid),
  };
}
