import type { BlockReason } from '../../../../api/remediation-request/status.ts';
import type { Passed, Undecided, Verdict } from '../check-verdict.ts';

type Inputs = Verdict['inputs'];

/** Nothing speaks against it. */
export const pass = (check: BlockReason, inputs: Inputs): Passed => ({ kind: 'pass', check, inputs });

/** Cannot be told now. */
export const unknown = (check: BlockReason, reason: string, inputs: Inputs = {}): Undecided => ({ kind: 'unknown', check, reason, inputs });

/** A check of what is to be done, asked while nobody knows what that is. */
export const noPlan = (check: BlockReason): Undecided => unknown(check, 'there is no plan yet');
