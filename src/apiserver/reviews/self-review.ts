import { toTime } from '../../base/index.ts';
import type { Review } from './answer-review.ts';

/** SelfSubjectReview: who is the sender? */
export const selfReview: Review = ({ clock }, { object, user }) => ({
  ...object,
  metadata: { creationTimestamp: toTime(clock.now()) },
  status: { userInfo: user },
});
