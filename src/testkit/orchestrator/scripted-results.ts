import type { SkipReason } from '../../api/parts/skip-reasons.ts';

/** What happens to one child, through its controller or through another client. */
export type Fate<End> =
  | { readonly does: 'end'; readonly afterMs: number; readonly end: End }
  /** Nothing, ever. */
  | { readonly does: 'stall' }
  /** Another client deletes it. */
  | { readonly does: 'vanish'; readonly afterMs: number }
  /** Another client deletes it and gives its name to an object of its own. */
  | { readonly does: 'makeWay'; readonly afterMs: number };

export type ProcessingEnd = 'Completed' | 'Failed';

/** The six outcomes of an analysis. */
export type AnalysisEnd = 'Plan' | 'ApprovalRequired' | 'NotNeeded' | 'Review' | 'ReviewWithWorkflow' | 'Failed';

/** What a person says. `Overridden` approves with other parameters; `ApprovedAnother` is a yes to another plan, put in its place. */
export type ApprovalEnd = 'Approved' | 'Rejected' | 'Overridden' | 'ApprovedAnother';

export type ExecutionEnd = 'Completed' | 'FailedBefore' | 'FailedDuring' | `Skipped${SkipReason}`;

export type AssessmentEnd = 'Remediated' | 'StillFiring' | 'Drifted' | 'Failed';

export type NotificationEnd = 'Sent' | 'Failed';

/** The fate of every child, by the name of its request and its own. The same name has the same fate, so that a run can be repeated. */
export interface Fates {
  processing(request: string, child: string): Fate<ProcessingEnd>;
  analysis(request: string, child: string): Fate<AnalysisEnd>;
  approval(request: string, child: string): Fate<ApprovalEnd>;
  execution(request: string, child: string): Fate<ExecutionEnd>;
  assessment(request: string, child: string): Fate<AssessmentEnd>;
  notification(request: string, child: string): Fate<NotificationEnd>;
}

/** It ends like this, after a while or at once. */
export const ends = <End>(end: End, afterMs = 0): Fate<End> => ({ does: 'end', end, afterMs });

/** Everything goes well, after a while or at once. */
export const wellAfter = (afterMs: number): Fates => ({
  processing: () => ends('Completed', afterMs),
  analysis: () => ends('Plan', afterMs),
  approval: () => ends('Approved', afterMs),
  execution: () => ends('Completed', afterMs),
  assessment: () => ends('Remediated', afterMs),
  notification: () => ends('Sent', afterMs),
});
