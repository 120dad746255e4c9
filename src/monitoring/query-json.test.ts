import { describe, expect, test } from 'vitest';
import { PlatformError, SECOND } from '../base/index.ts';
import { ManualClock } from '../testkit/manual-clock.ts';
import { queryJson } from './query-json.ts';
import { ok, scriptedSource, type Reply } from './testing/scripted-source.ts';

const REQUEST = { path: '/x', query: [] };
const refused = new Error('connect ECONNREFUSED 127.0.0.1:9');

/** Asks, and lets as much time pass as it wants. */
async function asking(replies: readonly [Reply, ...Reply[]], timeoutMs = 10 * SECOND) {
  const steady = new ManualClock();
  const source = scriptedSource(...replies);
  const answer = queryJson(source, REQUEST, { steady, timeoutMs }).then(
    (value) => ({ value }),
    (error: unknown) => ({ error: (error as Error).message }),
  );
  await steady.advance(timeoutMs);
  return { ...(await answer), times: source.asked.length, waiting: steady.waiting };
}

describe('asking for JSON', () => {
  test.each<[string, readonly [Reply, ...Reply[]], object]>([
    ['an answer', [ok([1])], { value: [1], times: 1 }],
    ['a connection that breaks off once', [refused, ok([1])], { value: [1], times: 2 }],
    ['a connection that breaks off for good', [refused], { error: refused.message, times: 3 }],
    ['a server that starts', [{ code: 503, text: '' }, ok([1])], { value: [1], times: 2 }],
    ['the last code that is good', [{ code: 299, text: '[1]' }], { value: [1], times: 1 }],
    ['a code below all good ones', [{ code: 199, text: '[1]' }], { error: 'it answered 199: "[1]"', times: 1 }],
    [
      'the first redirect',
      [{ code: 300, text: '' }],
      { error: 'it answered 300: redirects are not followed, name the right address', times: 1 },
    ],
    [
      'the last redirect',
      [{ code: 399, text: '' }],
      { error: 'it answered 399: redirects are not followed, name the right address', times: 1 },
    ],
    ['the first refusal, without a word', [{ code: 400, text: '' }], { error: 'it answered 400', times: 1 }],
    ['the last refusal', [{ code: 499, text: '' }], { error: 'it answered 499', times: 1 }],
    ['the first failure of its own', [{ code: 500, text: 'null' }], { error: 'it answered 500: "null"', times: 3 }],
    ['a message under another name', [{ code: 422, text: '{"message":"too long"}' }], { error: 'it answered 422: "too long"', times: 1 }],
    ['a server that is overrun', [{ code: 429, text: 'slow down' }], { error: 'it answered 429: "slow down"', times: 3 }],
    [
      'a question that it does not take',
      [{ code: 400, text: '{"status":"error","error":"parse error"}' }],
      { error: 'it answered 400: "parse error"', times: 1 },
    ],
    ['a message as Alertmanager writes it', [{ code: 400, text: '"bad matcher"' }], { error: 'it answered 400: "bad matcher"', times: 1 }],
    ['a message of another form', [{ code: 403, text: '{"code":7}' }], { error: 'it answered 403: "{\\"code\\":7}"', times: 1 }],
    ['an unknown caller', [{ code: 401, text: 'Unauthorized' }], { error: 'it answered 401: "Unauthorized"', times: 1 }],
    ['a redirect', [{ code: 302, text: '' }], { error: 'it answered 302: redirects are not followed, name the right address', times: 1 }],
    ['a page', [{ code: 200, text: '<html>' }], { error: 'the answer is not JSON: "<html>"', times: 1 }],
    ['nothing at all', [{ code: 200, text: '' }], { error: 'the answer is not JSON: ""', times: 1 }],
    ['half an answer', [{ code: 200, text: '{"a":' }], { error: 'the answer is not JSON: "{\\"a\\":"', times: 1 }],
    ['too much', [new PlatformError('Unsupported', 'too large', { retry: 'never' })], { error: 'too large', times: 1 }],
    ['silence', ['silence'], { error: 'no answer within 10 s', times: 1 }],
    ['silence after a failure', [refused, 'silence'], { error: 'no answer within 10 s', times: 2 }],
  ])('%s', async (_, replies, want) => expect(await asking(replies)).toEqual({ ...want, waiting: 0 }));

  test('a long refusal is cut', async () => {
    const { error } = (await asking([{ code: 400, text: 'x'.repeat(5_000) }])) as { error: string };
    expect(error.length).toBeLessThan(250);
  });

  test('gives up at the limit, and not a millisecond before', async () => {
    const steady = new ManualClock();
    let over = false;
    const answer = queryJson(scriptedSource('silence'), REQUEST, { steady, timeoutMs: 10 * SECOND }).catch(() => (over = true));
    await steady.advance(10 * SECOND - 1);
    expect(over).toBe(false);
    await steady.advance(1);
    await answer;
    expect(over).toBe(true);
  });
});
