import { AIAnalysis } from '../ai-analysis/ai-analysis.ts';
import { EffectivenessAssessment } from '../effectiveness-assessment/effectiveness-assessment.ts';
import { RemediationRequest } from '../remediation-request/remediation-request.ts';
import { SignalProcessing } from '../signal-processing/signal-processing.ts';
import { DRIVES, policy, type Policy } from './policy.ts';

/** The kinds whose whole status is Sickbay's: it acts on what is written there, and no other user may write it. */
export const DRIVEN = [RemediationRequest, SignalProcessing, AIAnalysis, EffectivenessAssessment] as const;

/** A status written by another user could be a plan that was never made, or a phase that was never reached. */
export const statusPolicy = (): Policy =>
  policy({
    name: 'sickbay-statuses',
    kinds: DRIVEN,
    subresource: 'status',
    operations: ['UPDATE'],
    variables: { drives: DRIVES },
    rules: [
      {
        holds: 'variables.drives || oldObject.?status == object.?status',
        otherwise: `'only Sickbay may write the status, because it acts on it'`,
      },
    ],
  });
