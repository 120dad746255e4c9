import { at } from '../parts/sample-story.ts';
import { changedSpec, type Edits, type Violation } from '../violation.ts';

export const notificationRequestViolations: readonly Violation[] = [changedSpec({ '/spec/body': 'something else' })];

/** An attempt that was accepted has a reference, which one that failed has not. */
export const ACCEPTED_ATTEMPT: Edits = {
  '/status/deliveryAttempts': [
    {
      channel: 'slack:oncall',
      attempt: 1,
      timestamp: at('10:20:02'),
      status: 'success',
      durationSeconds: 0.3,
      reference: 'C0123456789/1792000832.000100',
    },
  ],
};

/** One without a clear answer may have arrived. */
export const ATTEMPT_IN_DOUBT: Edits = { '/status/deliveryAttempts/0/mayHaveArrived': true };
