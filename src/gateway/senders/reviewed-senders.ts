import { messageOf } from '../../base/index.ts';
import { SIGNAL_SOURCE } from '../../api/rights/signal-source-right.ts';
import { bearerToken, NO_TOKEN, type Senders } from './senders.ts';

/** Knows users by their tokens; the answers are kept for a minute. */
export interface TokenReviews {
  /** Undefined: the token is not valid. */
  callerOf(request: { readonly headers: { readonly authorization: string } }): Promise<ReviewedUser | undefined>;
}

interface ReviewedUser {
  readonly user: string;
  may(right: typeof SIGNAL_SOURCE & { readonly namespace: string }): Promise<boolean>;
}

/** Senders whose tokens the Kubernetes API knows, and who have the right to send signals in the namespace. */
export const reviewedSenders = (reviews: TokenReviews, namespace: string): Senders => ({
  async judge(authorization) {
    const token = bearerToken(authorization);
    if (token === undefined) return NO_TOKEN;
    try {
      const caller = await reviews.callerOf({ headers: { authorization: `Bearer ${token}` } });
      if (!caller) return { kind: 'unknown', why: 'the Kubernetes API does not know the bearer token, or it has expired' };
      if (await caller.may({ ...SIGNAL_SOURCE, namespace })) return { kind: 'allowed' };
      return {
        kind: 'forbidden',
        why: `${caller.user} may not send signals: bind the ClusterRole sickbay-signal-source to it in the namespace ${namespace}`,
      };
    } catch (error) {
      return { kind: 'unavailable', why: `the token cannot be reviewed: ${messageOf(error)}` };
    }
  },
});
