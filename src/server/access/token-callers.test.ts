import { expect, test } from 'vitest';
import type { KubeClient } from '../../kube/index.ts';
import { ManualClock } from '../../testkit/manual-clock.ts';
import type { AccessReviews } from './access-reviews.ts';
import { TokenCallers } from './token-callers.ts';

const unused = {} as never;

test('at most eight tokens are reviewed at a time; more are refused until one is done, and known ones never', async () => {
  const answers: PromiseWithResolvers<object>[] = [];
  const create = () => {
    const answer = Promise.withResolvers<object>();
    answers.push(answer);
    return answer.promise;
  };
  const client = { create } as unknown as KubeClient;
  const callers = new TokenCallers({ client, clock: new ManualClock(), reviews: {} as AccessReviews, connect: () => unused });
  const ask = (token: string) => callers.callerOf({ headers: { authorization: `Bearer ${token}` } });

  const asked = Array.from({ length: 8 }, (_, index) => ask(`token-${index}`));
  await expect(ask('token-8')).rejects.toMatchObject({ code: 'Unavailable', message: expect.stringContaining('8 tokens') as string });
  expect(answers).toHaveLength(8);
  const again = ask('token-0');
  answers[0]!.resolve({ status: { authenticated: true, user: { username: 'anna' } } });
  expect((await again)?.user).toBe('anna');
  expect((await ask('token-0'))?.user).toBe('anna');

  const next = ask('token-8');
  for (const { resolve } of answers) resolve({ status: { authenticated: false } });
  expect(await next).toBeUndefined();
  expect((await Promise.all(asked)).map((caller) => caller?.user)).toEqual(['anna', ...Array.from({ length: 7 })]);
});
