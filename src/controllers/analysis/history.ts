import { diagnose, objectSeen, pastWarnings, type Evidence, type Past } from '../../analyst/index.ts';
import type { AIAnalysis } from '../../api/ai-analysis/ai-analysis.ts';
import { messageOf, type Instant } from '../../base/index.ts';
import { historyContext, type RemediationHistory } from '../../store/index.ts';
import { knownSpecHash, targetText } from '../target/index.ts';
import type { Conclusion, NotYet } from './conclude.ts';

/** Where the past is kept. */
export interface PastSource {
  readonly history: RemediationHistory;
  /** Why the newest may not be on record yet; undefined while everything is. */
  gap?(): string | undefined;
}

/** What is known of the past; that nobody can tell is not that there is none. */
export type SeenPast = { readonly kind: 'value'; readonly value: Past } | { readonly kind: 'unreadable'; readonly reason: string };

/** Asks what was done to the target before, where anybody would want to know. Never rejects: the work goes on without it. */
export async function readPast(source: PastSource, { spec }: AIAnalysis, evidence: Evidence, now: Instant): Promise<SeenPast | undefined> {
  const { kind } = diagnose(evidence, now);
  if (kind !== 'Diagnosed' && kind !== 'Unclear') return undefined;
  const object = objectSeen(evidence);
  const specHash = object && knownSpecHash(object);
  const question = { cluster: spec.clusterID ?? '', target: targetText(evidence.target), specHash };
  try {
    const { regressionDetected, recent, older } = await historyContext(source.history, question, now);
    return { kind: 'value', value: { regressionDetected, remediations: [...older, ...recent], gap: source.gap?.() } };
  } catch (error) {
    return { kind: 'unreadable', reason: messageOf(error) };
  }
}

/** The remediations that a choice may rest on; none where they are not known. */
export const remediationsIn = (past: SeenPast | undefined): Past['remediations'] => (past?.kind === 'value' ? past.value.remediations : []);

/** The conclusion, with what the past warns of; that it could not be read is told too. */
export function withPast(conclusion: Conclusion | NotYet, past: SeenPast | undefined): Conclusion | NotYet {
  if (!past || conclusion.phase === 'Investigating') return conclusion;
  const { warnings: own = [] } = conclusion.status;
  const told = past.kind === 'value' ? pastWarnings(past.value) : [unknownPast(past.reason)];
  const warnings = [...told, ...own];
  const isDegraded = past.kind === 'unreadable' || past.value.gap !== undefined;
  return {
    ...conclusion,
    status: { ...conclusion.status, ...(warnings.length > 0 && { warnings }), ...(isDegraded && { degradedMode: true }) },
  };
}

const unknownPast = (reason: string): string =>
  `what was done to the target before is not known, so that something that did not help may be tried again: its history cannot be read: ${reason}`;
