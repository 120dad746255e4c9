import { historyWarnings, objectSeen, type Evidence, type HistorySummary } from '../../analyst/index.ts';
import type { AIAnalysis } from '../../api/ai-analysis/ai-analysis.ts';
import { messageOf, type Instant } from '../../base/index.ts';
import type { NotRead, Read } from '../../kube/client/read.ts';
import { historyContext, type RemediationHistory } from '../../store/index.ts';
import { knownSpecHash, targetText } from '../target/index.ts';
import type { Conclusion, NotYet } from './conclude.ts';

/** Where earlier remediations are stored. */
export interface HistorySource {
  readonly history: RemediationHistory;
  /** Why the newest remediations may be missing from the store; undefined while the store is complete. */
  gap?(): string | undefined;
}

/** What the store answered. A history that cannot be read is not an empty one. */
export type HistoryRead = Exclude<Read<HistorySummary>, { readonly kind: 'absent' }>;

/** Reads what was done to the target before. Never rejects: the analysis continues without its history. */
export async function readHistory(source: HistorySource, { spec }: AIAnalysis, evidence: Evidence, now: Instant): Promise<HistoryRead> {
  const object = objectSeen(evidence);
  const specHash = object && knownSpecHash(object);
  const query = { cluster: spec.clusterID ?? '', target: targetText(evidence.target), specHash };
  try {
    const { regressionDetected, recent, older } = await historyContext(source.history, query, now);
    return { kind: 'value', value: { regressionDetected, remediations: [...older, ...recent], gap: source.gap?.() } };
  } catch (error) {
    return { kind: 'unreadable', reason: messageOf(error) };
  }
}

/** The remediations that a selection may rest on; none where the history is not known. */
export const remediationsIn = (history: HistoryRead | NotRead): HistorySummary['remediations'] =>
  history.kind === 'value' ? history.value.remediations : [];

/** Adds the warnings from the history to a conclusion; that the history could not be read is a warning too. */
export function withHistory(conclusion: Conclusion | NotYet, history: HistoryRead | NotRead): Conclusion | NotYet {
  if (history.kind === 'not-read' || conclusion.phase === 'Investigating') return conclusion;
  const { warnings: own = [] } = conclusion.status;
  const warnings = [...(history.kind === 'value' ? historyWarnings(history.value) : [unknownHistory(history.reason)]), ...own];
  const isDegraded = history.kind === 'unreadable' || history.value.gap !== undefined;
  return {
    ...conclusion,
    status: { ...conclusion.status, ...(warnings.length > 0 && { warnings }), ...(isDegraded && { degradedMode: true }) },
  };
}

const unknownHistory = (reason: string): string =>
  `the remediation history of the target cannot be read: ${reason}. A workflow that did not help before may be selected again`;
