import { describe, expect, test } from 'vitest';
import { ManualClock } from '../testkit/manual-clock.ts';
import { SharedAnswers } from './shared-answers.ts';

const MINUTE_MS = 60_000;

function desk(most = 10) {
  const steady = new ManualClock();
  const answers = new SharedAnswers<number>({ steady, most });
  let times = 0;
  const ask = (): Promise<number> => Promise.resolve(++times);
  return { steady, answers, ask, times: () => times };
}

describe('shared answers', () => {
  test('callers that ask the same at the same time share one answer', async () => {
    const { answers, ask, times } = desk();
    expect(await Promise.all([1, 2, 3].map(() => answers.get('a', 0, ask)))).toEqual([1, 1, 1]);
    expect(await answers.get('a', 0, ask)).toBe(2);
    expect(times()).toBe(2);
  });

  test('another question is another answer', async () => {
    const { answers, ask } = desk();
    expect(await Promise.all([answers.get('a', 0, ask), answers.get('b', 0, ask)])).toEqual([1, 2]);
  });

  test('an answer is kept for its time, and no longer', async () => {
    const { steady, answers, ask } = desk();
    await answers.get('a', MINUTE_MS, ask);
    await steady.advance(MINUTE_MS - 1);
    expect(await answers.get('a', MINUTE_MS, ask)).toBe(1);
    await steady.advance(1);
    expect(await answers.get('a', MINUTE_MS, ask)).toBe(2);
  });

  test('a failure is the answer to all waiting calls, and to no later call', async () => {
    const { answers, ask } = desk();
    const fail = (): Promise<number> => Promise.reject(new Error('down'));
    const both = await Promise.allSettled([answers.get('a', MINUTE_MS, fail), answers.get('a', MINUTE_MS, ask)]);
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await answers.get('a', MINUTE_MS, ask)).toBe(1);
  });

  test('no more are kept than allowed; the oldest go first', async () => {
    const { answers, ask } = desk(3);
    for (const key of ['a', 'b', 'c', 'd']) await answers.get(key, MINUTE_MS, ask);
    expect(answers.size).toBe(3);
    expect(await answers.get('d', MINUTE_MS, ask)).toBe(4);
    expect(await answers.get('a', MINUTE_MS, ask)).toBe(5);
  });

  test('expired answers are removed with the next answer', async () => {
    const { steady, answers, ask } = desk();
    for (const key of ['a', 'b', 'c']) await answers.get(key, MINUTE_MS, ask);
    await steady.advance(MINUTE_MS);
    await answers.get('d', MINUTE_MS, ask);
    expect(answers.size).toBe(1);
  });
});
