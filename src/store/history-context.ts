import { after, HOUR, type Instant } from '../base/index.ts';
import type { HistoryEntry } from './history-entry.ts';
import type { HistoryTarget, HistoryWindow, RemediationHistory } from './remediation-history.ts';

/** What is asked: a target as it is now. */
export interface HistoryQuestion extends HistoryTarget {
  /** Absent where it could not be made: nothing is compared then. */
  readonly specHash?: string | undefined;
}

/** Which state the target is in now, as seen from a remediation. */
export type HashMatch = 'preRemediation' | 'postRemediation' | 'none';

/** A remediation, held against the target as it is now. */
export interface ComparedEntry extends HistoryEntry {
  readonly hashMatch: HashMatch;
  /** False for one that is known only because it was done to the same spec elsewhere. */
  readonly isSameTarget: boolean;
}

/** The history of a target that an investigation reads, the oldest entry first. */
export interface HistoryContext {
  /** Something that a remediation had changed is as it was before. */
  readonly regressionDetected: boolean;
  /** The last 24 hours. */
  readonly recent: readonly ComparedEntry[];
  /** The 90 days until then. */
  readonly older: readonly ComparedEntry[];
}

const RECENT_MS = 24 * HOUR;
const OLDER_MS = 90 * 24 * HOUR;

/** Asks first for the last day, then for the 90 days until then. */
export async function historyContext(history: RemediationHistory, question: HistoryQuestion, now: Instant): Promise<HistoryContext> {
  const aDayAgo = after(now, -RECENT_MS);
  const recent = await tier(history, question, { from: aDayAgo });
  const older = await tier(history, question, { from: after(now, -OLDER_MS), to: aDayAgo });
  return { regressionDetected: [...recent, ...older].some(isTakenBack), recent, older };
}

async function tier(history: RemediationHistory, question: HistoryQuestion, window: HistoryWindow): Promise<readonly ComparedEntry[]> {
  const { specHash, cluster } = question;
  const ofTarget = await history.ofTarget(question, window);
  const byHash = specHash === undefined ? [] : await history.bySpecHash(specHash, window);
  const known = new Set(ofTarget.map(markOf));
  const elsewhere = byHash.filter((entry) => entry.cluster === cluster && !known.has(markOf(entry)));
  const compared = [
    ...ofTarget.map((entry) => ({ ...entry, hashMatch: hashMatch(entry, question), isSameTarget: true })),
    ...elsewhere.map((entry) => ({ ...entry, hashMatch: hashMatch(entry, question), isSameTarget: false })),
  ];
  return compared.toSorted((a, b) => (a.completedAt < b.completedAt ? -1 : Number(a.completedAt > b.completedAt)));
}

const markOf = ({ remediation, remediationUID = '', completedAt }: HistoryEntry): string =>
  [remediation, remediationUID, completedAt].join(' ');

/**
 * Holds the spec of now against those before and after a remediation, in this order. Of what a resource manages only the state after it is
 * known, of the resource itself.
 */
export function hashMatch(entry: HistoryEntry, { target, specHash }: Pick<HistoryQuestion, 'target' | 'specHash'>): HashMatch {
  if (specHash === undefined) return 'none';
  if (entry.target !== target && entry.root === target) return entry.rootSpecHash === specHash ? 'postRemediation' : 'none';
  const { preRemediationSpecHash: pre, postRemediationSpecHash: post } = entry;
  if (pre === specHash) return 'preRemediation';
  if (post === specHash) return 'postRemediation';
  // The spec after the run was not recorded; that the spec differs from before is all that is known.
  return post === undefined && pre !== undefined ? 'postRemediation' : 'none';
}

/** A remediation that did not change the spec cannot be rolled back. */
const isTakenBack = ({ hashMatch, isSameTarget, preRemediationSpecHash: pre, postRemediationSpecHash: post }: ComparedEntry): boolean =>
  isSameTarget && hashMatch === 'preRemediation' && pre !== post;
