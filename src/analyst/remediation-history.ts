import type { AssessmentReason } from '../api/effectiveness-assessment/effectiveness-assessment.ts';

/** An earlier run of a workflow, as far as a selection or a warning needs it. An absent field is not known. */
export interface EarlierRemediation {
  /** Name of the RemediationRequest. */
  readonly remediation: string;
  /** As namespace/Kind/name. */
  readonly target: string;
  /** False for one that was done to the same spec elsewhere. */
  readonly isSameTarget: boolean;
  readonly completedAt: string;
  readonly workflow: { readonly id: string; readonly name?: string; readonly version?: string };
  readonly execution: 'Completed' | 'Failed';
  readonly outcome?: string;
  readonly effectivenessScore?: number;
  /** The share of the weights that was measured, from 0 to 1; a score counts by it. */
  readonly measuredShare?: number;
  readonly signalResolved?: boolean;
  readonly assessmentReason?: AssessmentReason;
  /** Which state the target is in now. */
  readonly hashMatch: 'preRemediation' | 'postRemediation' | 'none';
  readonly preRemediationSpecHash?: string;
  readonly postRemediationSpecHash?: string;
}

/** The known history of a target, the oldest remediation first. */
export interface HistorySummary {
  readonly regressionDetected: boolean;
  readonly remediations: readonly EarlierRemediation[];
  /** Why the newest may be missing; absent while nothing is. */
  readonly gap?: string | undefined;
}

/** Whether a remediation helped its target, as far as known. */
export type RemediationEffect = 'effective' | 'ineffective' | 'unknown';

/** What a remediation did for its target. */
export interface RemediationResult {
  readonly effect: RemediationEffect;
  /** The score as far as it counts; what is not known counts as neither good nor bad. */
  readonly countedScore: number;
}

/** A score from the first on means that a remediation helped, one below the second that it did not. In between it is unknown. */
const GOOD_SCORE = 0.7;
const POOR_SCORE = 0.4;
/** What counts for the part of a score that was not measured: neither good nor bad. */
const NEUTRAL_SCORE = 0.5;

/**
 * The first case that applies: a run that failed, or whose change was undone, did not help; a target that drifted says nothing; an alert that
 * still fires means that it did not help; otherwise the score decides, as far as it was measured.
 */
export function remediationEffect(past: EarlierRemediation): RemediationEffect {
  if (past.execution === 'Failed' || wasUndone(past)) return 'ineffective';
  if (past.assessmentReason === 'SpecDrift') return 'unknown';
  if (past.signalResolved === false) return 'ineffective';
  const score = countedScore(past);
  if (score < POOR_SCORE) return 'ineffective';
  return score >= GOOD_SCORE ? 'effective' : 'unknown';
}

/**
 * The score by the share of the weights that was measured, so that one that rests on little counts for little either way.
 * @example countedScore({ effectivenessScore: 1, measuredShare: 0.4 }) === 0.7
 */
function countedScore({ effectivenessScore, measuredShare = 0 }: Pick<EarlierRemediation, 'effectivenessScore' | 'measuredShare'>): number {
  if (effectivenessScore === undefined) return NEUTRAL_SCORE;
  return Number((NEUTRAL_SCORE + (effectivenessScore - NEUTRAL_SCORE) * measuredShare).toFixed(9));
}

/** A remediation that did not change the spec cannot be undone. */
export const wasUndone = (past: EarlierRemediation): boolean =>
  past.isSameTarget && past.hashMatch === 'preRemediation' && past.preRemediationSpecHash !== past.postRemediationSpecHash;

/** The last that is known of what a workflow did for this target; another version of it is another workflow. */
export function lastResultOf(
  workflow: { readonly name: string; readonly version: string },
  past: readonly EarlierRemediation[],
): RemediationResult {
  const known = past
    .filter(({ isSameTarget, workflow: ran }) => isSameTarget && ran.name === workflow.name && ran.version === workflow.version)
    .map((run) => ({ effect: remediationEffect(run), countedScore: countedScore(run) }))
    .filter(({ effect }) => effect !== 'unknown');
  return known.at(-1) ?? { effect: 'unknown', countedScore: NEUTRAL_SCORE };
}

/** @example workflowText({ id: 'w', name: 'rollback', version: '1.0.0' }) === 'rollback:1.0.0' */
export const workflowText = ({ name, id, version }: EarlierRemediation['workflow']): string =>
  [name ?? id, version].filter((part) => part !== undefined).join(':');
