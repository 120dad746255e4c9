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

/** A score from the first on means that a remediation helped, one below the second that it did not. In between it is unknown. */
const GOOD_SCORE = 0.7;
const POOR_SCORE = 0.4;

/**
 * The first case that applies: a run that failed, or whose change was undone, did not help; a target that drifted says nothing; an alert that
 * still fires means that it did not help; otherwise the score decides.
 */
export function remediationEffect(past: EarlierRemediation): RemediationEffect {
  if (past.execution === 'Failed' || wasUndone(past)) return 'ineffective';
  if (past.assessmentReason === 'SpecDrift') return 'unknown';
  if (past.signalResolved === false) return 'ineffective';
  const { effectivenessScore: score } = past;
  if (score === undefined) return 'unknown';
  if (score < POOR_SCORE) return 'ineffective';
  return score >= GOOD_SCORE ? 'effective' : 'unknown';
}

/** A remediation that did not change the spec cannot be undone. */
export const wasUndone = (past: EarlierRemediation): boolean =>
  past.isSameTarget && past.hashMatch === 'preRemediation' && past.preRemediationSpecHash !== past.postRemediationSpecHash;

/** The last that is known of what a workflow did for this target; another version of it is another workflow. */
export function lastEffectOf(
  workflow: { readonly name: string; readonly version: string },
  past: readonly EarlierRemediation[],
): RemediationEffect {
  const known = past
    .filter(({ isSameTarget, workflow: ran }) => isSameTarget && ran.name === workflow.name && ran.version === workflow.version)
    .map(remediationEffect)
    .filter((effect) => effect !== 'unknown');
  return known.at(-1) ?? 'unknown';
}

/** @example workflowText({ id: 'w', name: 'rollback', version: '1.0.0' }) === 'rollback:1.0.0' */
export const workflowText = ({ name, id, version }: EarlierRemediation['workflow']): string =>
  [name ?? id, version].filter((part) => part !== undefined).join(':');
