import { describe, expect, test } from 'vitest';
import { instant, MINUTE, SECOND } from '../base/index.ts';
import { ManualClock } from '../testkit/manual-clock.ts';
import { createPrometheus, type RangeQuery } from './prometheus.ts';
import type { SourceAnswer } from './source.ts';
import { matrix, ok, scriptedSource } from './testing/scripted-source.ts';
import { alignedWindow } from './window.ts';

const QUERY: RangeQuery = { query: 'sum(up{pod=~"a|b"})', from: instant(60_000), to: instant(180_000), stepMs: MINUTE };

async function rangeOf(answer: SourceAnswer) {
  const steady = new ManualClock();
  const asked = createPrometheus(scriptedSource(answer), { steady, timeoutMs: SECOND }).range(QUERY);
  await steady.advance(SECOND);
  return asked;
}

const unreadable = (reason: string) => ({ kind: 'unreadable', reason: `Prometheus cannot be asked: ${reason}` });
const senseless = (why: string) => unreadable(`the answer is malformed: ${why}`);
const data = (body: unknown): SourceAnswer => ok({ status: 'success', data: body });

describe('a range query', () => {
  test('is put the way Prometheus wants it', async () => {
    const source = scriptedSource(matrix());
    await createPrometheus(source, { steady: new ManualClock(), timeoutMs: SECOND }).range({ ...QUERY, from: instant(1_500) });
    expect(source.asked).toEqual([
      {
        path: '/api/v1/query_range',
        query: [
          ['query', 'sum(up{pod=~"a|b"})'],
          ['start', '1.5'],
          ['end', '180'],
          ['step', '60'],
        ],
      },
    ]);
  });

  test('brings samples in their order', async () =>
    expect(
      await rangeOf(
        matrix([
          [60, '1'],
          [120.5, '2e3'],
        ]),
      ),
    ).toEqual({
      kind: 'value',
      value: [
        { at: 60_000, value: 1 },
        { at: 120_500, value: 2_000 },
      ],
    }));

  test('takes times that lie off the grid by no more than a step', async () =>
    expect(
      await rangeOf(
        matrix([
          [0, '1'],
          [240, '2'],
        ]),
      ),
    ).toMatchObject({ kind: 'value', value: [{ at: 0 }, { at: 240_000 }] }));

  test('without a series brings nothing, which is a value', async () =>
    expect(await rangeOf(matrix())).toEqual({ kind: 'value', value: [] }));

  test.each(['NaN', '+Inf', '-Inf'])('leaves %s out: it is no number', async (text) =>
    expect(
      await rangeOf(
        matrix([
          [60, text],
          [120, '2'],
        ]),
      ),
    ).toEqual({ kind: 'value', value: [{ at: 120_000, value: 2 }] }),
  );

  test.each<[string, SourceAnswer, string]>([
    ['no object', ok(7), 'it holds no data'],
    ['an error under a good code', ok({ status: 'error', error: 'x' }), 'it holds no data'],
    ['an error with data', ok({ status: 'error', data: { resultType: 'matrix', result: [] } }), 'it holds no data'],
    ['data alone', ok({ data: { resultType: 'matrix', result: [] } }), 'it holds no data'],
    ['nothing', ok({ status: 'success' }), 'it holds no data'],
    ['a vector', data({ resultType: 'vector', result: [] }), 'it is "vector", not a matrix'],
    ['a scalar', data({ resultType: 'scalar', result: [1, '2'] }), 'it is "scalar", not a matrix'],
    ['times in milliseconds', matrix([[120_000, '2']]), 'a value is outside the queried window (120000)'],
    ['a time before the window', matrix([[-0.001, '2']]), 'a value is outside the queried window (-0.001)'],
    ['a time after the window', matrix([[240.001, '2']]), 'a value is outside the queried window (240.001)'],
    ['no list', data({ resultType: 'matrix', result: {} }), 'it holds no series'],
    ['two series', matrix([], []), 'it holds 2 series where one was expected'],
    ['a series that is none', data({ resultType: 'matrix', result: [7] }), 'a series has no values'],
    ['a series without values', data({ resultType: 'matrix', result: [{ metric: {} }] }), 'a series has no values'],
    ['a value without a time', data({ resultType: 'matrix', result: [{ values: [['x', '1']] }] }), 'a value is not a time and a text'],
    ['a value that is not text', data({ resultType: 'matrix', result: [{ values: [[60, 1]] }] }), 'a value is not a time and a text'],
    ['a value that is empty', data({ resultType: 'matrix', result: [{ values: [[60, ' ']] }] }), 'a value is not a time and a text'],
    ['a value that is no pair', data({ resultType: 'matrix', result: [{ values: [7] }] }), 'a value is not a time and a text'],
    ['words for a value', data({ resultType: 'matrix', result: [{ values: [[60, 'many']] }] }), 'a value is "many"'],
  ])('answered with %s is unknown', async (_, answer, why) => expect(await rangeOf(answer)).toEqual(senseless(why)));

  test('[EM-061] that is not answered in time is unknown', async () => {
    const steady = new ManualClock();
    const asked = createPrometheus(scriptedSource('silence'), { steady, timeoutMs: 10 * SECOND }).range(QUERY);
    await steady.advance(10 * SECOND);
    expect(await asked).toEqual(unreadable('no answer within 10 s'));
  });

  test('is sent once for all callers that ask for the same window, until the next one', async () => {
    const steady = new ManualClock();
    const source = scriptedSource(matrix([[60, '1']]));
    const prometheus = createPrometheus(source, { steady, timeoutMs: SECOND });
    await Promise.all([prometheus.range(QUERY), prometheus.range(QUERY)]);
    await prometheus.range(QUERY);
    expect(source.asked).toHaveLength(1);
    await prometheus.range({ ...QUERY, to: instant(240_000) });
    await prometheus.range({ ...QUERY, query: 'other' });
    expect(source.asked).toHaveLength(3);
    await steady.advance(MINUTE);
    await prometheus.range(QUERY);
    expect(source.asked).toHaveLength(4);
  });
});

describe('a window', () => {
  test.each([
    [0, 120_000, { from: 0, to: 120_000 }],
    [59_999, 120_001, { from: 0, to: 120_000 }],
    [60_000, 179_999, { from: 60_000, to: 120_000 }],
  ])('from %i to %i lies on the grid', (from, to, want) =>
    expect(alignedWindow({ from: instant(from), to: instant(to), stepMs: MINUTE })).toEqual({ ...want, stepMs: MINUTE }),
  );

  test('that is long has wider steps, never more points than Prometheus takes', () => {
    const { from, to, stepMs } = alignedWindow({ from: instant(0), to: instant(24 * 60 * MINUTE), stepMs: 5 * SECOND });
    expect((to - from) / stepMs).toBeLessThanOrEqual(1_000);
    expect(stepMs % (5 * SECOND)).toBe(0);
  });
});
