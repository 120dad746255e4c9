import { describe, expect, test } from 'vitest';
import { PlatformError, SECOND, turn, type ErrorCode } from '../../base/index.ts';
import { ManualClock } from '../../testkit/manual-clock.ts';
import { patiently } from './read-with-retries.ts';

/** What comes of a read that is answered by these, one after the other, and how often it was tried. */
async function attempt(answers: readonly (ErrorCode | 'there')[]): Promise<readonly [string, number]> {
  const clock = new ManualClock();
  let tries = 0;
  const read = (): Promise<string> => {
    const answer = answers[Math.min(tries++, answers.length - 1)]!;
    return answer === 'there' ? Promise.resolve(answer) : Promise.reject(new PlatformError(answer, 'no'));
  };
  const outcome = patiently(clock, read).catch((error: unknown) => (error as PlatformError).code);
  for (let seconds = 0; seconds < 20; seconds++) {
    await turn();
    await clock.advance(SECOND);
  }
  return [await outcome, tries];
}

describe('a read at the start', () => {
  test.each<readonly [string, readonly (ErrorCode | 'there')[], readonly [string, number]]>([
    ['is done once where it succeeds', ['there'], ['there', 1]],
    ['is tried again where the server is not there yet', ['Unavailable', 'there'], ['there', 2]],
    ['is tried again where the server is busy or in trouble', ['TooManyRequests', 'Internal', 'there'], ['there', 3]],
    ['is not tried again where it is not allowed', ['Forbidden', 'there'], ['Forbidden', 1]],
    ['is not tried again where there is nothing', ['NotFound', 'there'], ['NotFound', 1]],
    ['is given up after a while', ['Unavailable'], ['Unavailable', 5]],
  ])('%s', async (_, answers, want) => expect(await attempt(answers)).toEqual(want));
});
