import type { TokenReview } from '../../kube/builtin/index.ts';
import { badRequest } from '../status-errors.ts';
import type { ReviewHandler } from './answer-review.ts';

/** TokenReview: which user does a token belong to? */
export const tokenReview: ReviewHandler = ({ authority }, { object }) => {
  const { token = '', audiences } = (object as unknown as TokenReview).spec ?? {};
  if (token === '') throw badRequest('token is required for TokenReview in authentication');
  const found = authority.authenticator.identify(token, audiences?.length ? audiences : undefined);
  const status = found ? { authenticated: true, ...found } : { user: {}, error: 'invalid bearer token' };
  return { ...object, status };
};
