import { SelfSubjectReview } from '../../api/builtin/index.ts';
import { apiVersionOf } from '../../api/resource.ts';
import { PlatformError } from '../../base/index.ts';
import type { KubeClient } from '../client/client.ts';

/** The name that the server knows us by. */
export async function whoAmI(client: KubeClient): Promise<string> {
  const { kind } = SelfSubjectReview;
  const review = await client.create(SelfSubjectReview, { apiVersion: apiVersionOf(SelfSubjectReview), kind, metadata: {} });
  const name = review.status?.userInfo?.username;
  if (!name) throw new PlatformError('Unauthorized', 'the server does not say who it takes us for', { retry: 'never' });
  return name;
}
