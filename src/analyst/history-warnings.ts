import { remediationEffect, wasUndone, workflowText, type HistorySummary, type EarlierRemediation } from './remediation-history.ts';

/** So many remediations, the newest, get a warning each. */
const MOST_LISTED = 5;
/** So many falling scores in a row are a trend. */
const TREND = 3;

/** What an approver should know of a target's history before the same workflow runs again. Empty if nothing speaks against it. */
export function historyWarnings({ regressionDetected, remediations, gap }: HistorySummary): readonly string[] {
  const here = remediations.filter(({ isSameTarget }) => isSameTarget);
  return [
    ...(gap === undefined ? [] : [`the newest remediations may be missing from the history: ${gap}`]),
    ...(regressionDetected ? regressions(here) : []),
    ...byWorkflow(here).flatMap((runs) => [...fallingScores(runs), ...repeatedFailures(runs)]),
    ...remediations.filter(isBadNews).slice(-MOST_LISTED).map(describeRemediation),
  ];
}

const regressions = (past: readonly EarlierRemediation[]): readonly string[] =>
  past
    .filter(wasUndone)
    .slice(-1)
    .map(
      ({ target, remediation, workflow, completedAt }) =>
        `regression: ${target} is as it was before ${remediation} (${workflowText(workflow)}, ${completedAt}); its change was undone`,
    );

/** Runs of one workflow each, the oldest first. */
function byWorkflow(past: readonly EarlierRemediation[]): readonly (readonly EarlierRemediation[])[] {
  const groups = new Map<string, EarlierRemediation[]>();
  for (const run of past) {
    const name = workflowText(run.workflow);
    const group = groups.get(name);
    if (group) group.push(run);
    else groups.set(name, [run]);
  }
  return [...groups.values()];
}

function fallingScores(runs: readonly EarlierRemediation[]): readonly string[] {
  const last = runs.filter(isConclusive).slice(-TREND);
  const scores = last.map(({ effectivenessScore }) => effectivenessScore ?? 0);
  const isFalling = scores.length === TREND && scores.every((score, i) => i === 0 || score < (scores[i - 1] ?? 0));
  const [run] = last;
  return isFalling && run
    ? [
        `${workflowText(run.workflow)} helps ${run.target} less each time: it scored ${scores.map(scoreText).join(', then ')}; look for the cause behind it`,
      ]
    : [];
}

/** A score of 0 for drift is no score. */
const isConclusive = ({ effectivenessScore, assessmentReason }: EarlierRemediation): boolean =>
  effectivenessScore !== undefined && assessmentReason !== 'SpecDrift';

function repeatedFailures(runs: readonly EarlierRemediation[]): readonly string[] {
  const bad = runs.filter((run) => remediationEffect(run) === 'ineffective');
  const [run] = bad;
  return bad.length > 1 && run
    ? [`${workflowText(run.workflow)} did not help ${run.target} ${bad.length} of ${runs.length} times: another remediation is needed`]
    : [];
}

const isBadNews = (past: EarlierRemediation): boolean => remediationEffect(past) === 'ineffective' || past.assessmentReason === 'SpecDrift';

/**
 * One remediation in a sentence, with its outcome and its score.
 * @example 'rr-1, 2026-03-02T10:05:00Z: rollback:1.0.0 did not help shop/Deployment/checkout (outcome Inconclusive, score 0.27, its alert kept firing)'
 */
export function describeRemediation(past: EarlierRemediation): string {
  const { remediation, completedAt, workflow, target, isSameTarget } = past;
  const where = isSameTarget ? target : `${target}, which had the same spec`;
  return `${remediation}, ${completedAt}: ${workflowText(workflow)} ${verdictOn(past)} ${where} (${factsOf(past).join(', ')})`;
}

function verdictOn(past: EarlierRemediation): string {
  if (past.assessmentReason === 'SpecDrift' && remediationEffect(past) === 'unknown') return 'had no conclusive effect on';
  const verdicts = { effective: 'helped', ineffective: 'did not help', unknown: 'had no clear effect on' } as const;
  return verdicts[remediationEffect(past)];
}

function factsOf(past: EarlierRemediation): readonly string[] {
  const { outcome, effectivenessScore: score, signalResolved, execution, assessmentReason } = past;
  const facts: readonly (string | undefined)[] = [
    `outcome ${outcome ?? 'not known'}`,
    score === undefined ? 'no score' : `score ${scoreText(score)}${basisText(past)}`,
    execution === 'Failed' ? 'the run failed' : undefined,
    signalResolved === false ? 'its alert kept firing' : undefined,
    assessmentReason === 'SpecDrift' ? 'the target changed before it was assessed' : undefined,
    wasUndone(past) ? 'its change was undone' : undefined,
  ];
  return facts.filter((fact) => fact !== undefined);
}

/** Nothing where all was measured; drift was seen, whatever else was. */
const basisText = ({ measuredShare: share = 0, assessmentReason }: EarlierRemediation): string =>
  share >= 1 || assessmentReason === 'SpecDrift' ? '' : `, of which ${Math.round(share * 100)} % was measured`;

const scoreText = (score: number): string => String(Number(score.toFixed(2)));
