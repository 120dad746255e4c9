import type { BlockReason } from '../../../../api/remediation-request/status.ts';
import type { CheckPassed, CheckUndecided, CheckVerdict } from '../check-verdict.ts';

type Inputs = CheckVerdict['inputs'];

/** The check passes. */
export const pass = (check: BlockReason, inputs: Inputs): CheckPassed => ({ kind: 'pass', check, inputs });

/** The check cannot be judged now. */
export const unknown = (check: BlockReason, reason: string, inputs: Inputs = {}): CheckUndecided => ({
  kind: 'unknown',
  check,
  reason,
  inputs,
});

/** A check of the plan while there is none. */
export const noPlan = (check: BlockReason): CheckUndecided => unknown(check, 'there is no plan yet');
