import { toTime } from '../../base/index.ts';
import type { ReviewHandler } from './answer-review.ts';

/** SelfSubjectReview: who is the sender? */
export const selfReview: ReviewHandler = ({ clock }, { object, user }) => ({
  ...object,
  metadata: { creationTimestamp: toTime(clock.now()) },
  status: { userInfo: user },
});
