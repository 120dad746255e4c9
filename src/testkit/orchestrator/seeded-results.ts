import { seededRandom, type Random } from '../../base/index.ts';
import {
  ends,
  type AnalysisEnd,
  type ApprovalEnd,
  type AssessmentEnd,
  type ExecutionEnd,
  type Fate,
  type Fates,
} from './scripted-results.ts';

/** Most children end soon, some late, few not at all: a world in which everything fails shows little. */
interface Odds<End> {
  /** In the order of the draw: those named more often come up more often. */
  readonly ends: readonly [End, ...End[]];
  /** Sooner than this, as a rule. */
  readonly soonMs: number;
  /** Later than the phase lasts. */
  readonly lateMs: number;
}

const ANALYSES: readonly [AnalysisEnd, ...AnalysisEnd[]] = [
  'Plan',
  'Plan',
  'Plan',
  'Plan',
  'ApprovalRequired',
  'ApprovalRequired',
  'ApprovalRequired',
  'NotNeeded',
  'Review',
  'ReviewWithWorkflow',
  'Failed',
];
const APPROVALS: readonly [ApprovalEnd, ...ApprovalEnd[]] = [
  'Approved',
  'Approved',
  'Approved',
  'Overridden',
  'Rejected',
  'ApprovedAnother',
];
const EXECUTIONS: readonly [ExecutionEnd, ...ExecutionEnd[]] = [
  'Completed',
  'Completed',
  'Completed',
  'Completed',
  'FailedBefore',
  'FailedDuring',
  'SkippedResourceBusy',
  'SkippedRecentlyRemediated',
  'SkippedExhaustedRetries',
  'SkippedPreviousExecutionFailed',
];
const ASSESSMENTS: readonly [AssessmentEnd, ...AssessmentEnd[]] = ['Remediated', 'Remediated', 'StillFiring', 'Drifted', 'Failed'];

/** Fates by chance, one stream per child, so that what becomes of one does not depend on when another was made. */
export function seededFates(seed: number, lateMs: number): Fates {
  const fate = <End>(child: string, odds: Omit<Odds<End>, 'lateMs'>): Fate<End> =>
    draw(seededRandom(seed ^ textHash(child)), { ...odds, lateMs });
  return {
    processing: (_, child) => fate(child, { ends: ['Completed', 'Completed', 'Completed', 'Completed', 'Failed'], soonMs: 3_000 }),
    analysis: (_, child) => fate(child, { ends: ANALYSES, soonMs: 5_000 }),
    approval: (_, child) => fate(child, { ends: APPROVALS, soonMs: 20_000 }),
    execution: (_, child) => fate(child, { ends: EXECUTIONS, soonMs: 10_000 }),
    assessment: (_, child) => fate(child, { ends: ASSESSMENTS, soonMs: 5_000 }),
    notification: (_, child) => fate(child, { ends: ['Sent', 'Sent', 'Failed'], soonMs: 3_000 }),
  };
}

function draw<End>(random: Random, { ends: wanted, soonMs, lateMs }: Odds<End>): Fate<End> {
  const soon = random.int(soonMs);
  const end = random.pick(wanted);
  const chance = random.next();
  if (chance < 0.03) return { does: 'stall' };
  if (chance < 0.06) return { does: 'vanish', afterMs: soon };
  if (chance < 0.08) return { does: 'makeWay', afterMs: soon };
  return ends(end, chance < 0.12 ? lateMs + soon : chance < 0.3 ? 0 : soon);
}

/** A number for a text, the same on every machine (FNV-1a). */
export function textHash(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}
