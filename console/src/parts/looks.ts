import type { RemediationSummary, TimelineEvent } from '../../../src/server/contract/index.ts';

/** How good something is, as far as a colour can say it. A word always says it too. */
export type Look = TimelineEvent['look'] | 'active' | 'quiet';

/** How a state is shown: in words, and how good it is. */
export interface Shown {
  readonly text: string;
  readonly look: Look;
}

const OUTCOMES: Readonly<Record<NonNullable<RemediationSummary['outcome']>, Shown>> = {
  Remediated: { text: 'Remediated', look: 'success' },
  NoActionRequired: { text: 'No action required', look: 'quiet' },
  ManualReviewRequired: { text: 'Manual review required', look: 'warning' },
  VerificationTimedOut: { text: 'Verification timed out', look: 'warning' },
  Inconclusive: { text: 'Inconclusive', look: 'warning' },
  DryRun: { text: 'Dry run', look: 'quiet' },
};

const PHASES: Readonly<Record<RemediationSummary['phase'], Shown>> = {
  Pending: { text: 'Pending', look: 'active' },
  Processing: { text: 'Processing', look: 'active' },
  Analyzing: { text: 'Analyzing', look: 'active' },
  AwaitingApproval: { text: 'Awaiting approval', look: 'warning' },
  Executing: { text: 'Executing', look: 'active' },
  Verifying: { text: 'Verifying', look: 'active' },
  Blocked: { text: 'Blocked', look: 'warning' },
  Completed: { text: 'Completed', look: 'success' },
  Failed: { text: 'Failed', look: 'failure' },
  TimedOut: { text: 'Timed out', look: 'failure' },
  Skipped: { text: 'Skipped', look: 'quiet' },
  Cancelled: { text: 'Cancelled', look: 'quiet' },
};

export const phaseText = (phase: RemediationSummary['phase']): string => PHASES[phase].text;

/** What a list can be filtered by, as a select takes it. */
export const outcomeChoices = Object.entries(OUTCOMES).map(([value, { text }]) => ({ value, label: text }));

/** A remediation's state: how it ended where it has an outcome, its phase otherwise. */
export const stateOf = ({ phase, outcome }: Pick<RemediationSummary, 'phase' | 'outcome'>): Shown =>
  (phase === 'Completed' && outcome !== undefined ? OUTCOMES[outcome] : undefined) ?? PHASES[phase] ?? { text: phase, look: 'info' };

const SEVERITIES: Readonly<Record<string, Look>> = { critical: 'failure', high: 'failure', warning: 'warning', medium: 'warning' };

export const severityLook = (severity: string): Look => SEVERITIES[severity] ?? 'quiet';
