import { describe, expect, test } from 'vitest';
import { SECOND } from '../base/index.ts';
import { ManualClock } from '../testkit/manual-clock.ts';
import { createAlertmanager } from './alertmanager.ts';
import type { SourceAnswer } from './source.ts';
import { ok, scriptedSource } from './testing/scripted-source.ts';

const LABELS = { alertname: 'KubePodCrashLooping', namespace: 'shop' };

const at = (answer: SourceAnswer) => createAlertmanager(scriptedSource(answer), { steady: new ManualClock(), timeoutMs: SECOND });

describe('what fires', () => {
  test('[EM-144, EM-147] is asked for by its labels, in every state', async () => {
    const source = scriptedSource(ok([]));
    const alertmanager = createAlertmanager(source, { steady: new ManualClock(), timeoutMs: SECOND });
    expect(await alertmanager.firing({ ...LABELS, odd: 'a"b\\c\n' })).toEqual({ kind: 'value', value: [] });
    expect(source.asked).toEqual([
      {
        path: '/api/v2/alerts',
        query: [
          ['filter', 'alertname="KubePodCrashLooping"'],
          ['filter', 'namespace="shop"'],
          ['filter', 'odd="a\\"b\\\\c\\n"'],
          ['active', 'true'],
          ['silenced', 'true'],
          ['inhibited', 'true'],
          ['unprocessed', 'true'],
        ],
      },
    ]);
  });

  test('comes with its labels and its state', async () => {
    const alerts = [
      { labels: { ...LABELS, pod: 'a' }, status: { state: 'active' } },
      { labels: { ...LABELS, pod: 'b', count: 7 }, status: { state: 'suppressed' } },
      { labels: LABELS },
    ];
    expect(await at(ok(alerts)).firing(LABELS)).toEqual({
      kind: 'value',
      value: [
        { labels: { ...LABELS, pod: 'a' }, state: 'active' },
        { labels: { ...LABELS, pod: 'b' }, state: 'suppressed' },
        { labels: LABELS, state: 'active' },
      ],
    });
  });

  test('is held against its labels, whatever the server made of the filter', async () => {
    const others = [{ labels: { ...LABELS, namespace: 'bank' } }, { labels: { alertname: 'Other', namespace: 'shop' } }, { labels: {} }];
    expect(await at(ok(others)).firing(LABELS)).toEqual({ kind: 'value', value: [] });
  });

  test.each<[string, SourceAnswer, string]>([
    ['no list', ok({}), 'the answer is malformed: it is not a list of alerts'],
    ['null', ok(null), 'the answer is malformed: it is not a list of alerts'],
    ['an alert without labels', ok([{ status: {} }]), 'the answer is malformed: an alert has no labels'],
    ['an alert that is none', ok(['x']), 'the answer is malformed: an alert has no labels'],
    ['no JSON', { code: 200, text: 'OK' }, 'the answer is not JSON: "OK"'],
    ['a refusal', { code: 403, text: 'no' }, 'it answered 403: "no"'],
  ])('is unknown where the answer is %s', async (_, answer, why) =>
    expect(await at(answer).firing(LABELS)).toEqual({ kind: 'unreadable', reason: `Alertmanager cannot be asked: ${why}` }),
  );

  test('[EM-062] is unknown where no answer comes in time', async () => {
    const steady = new ManualClock();
    const asked = createAlertmanager(scriptedSource('silence'), { steady, timeoutMs: 10 * SECOND }).firing(LABELS);
    await steady.advance(10 * SECOND);
    expect(await asked).toEqual({ kind: 'unreadable', reason: 'Alertmanager cannot be asked: no answer within 10 s' });
  });

  test('answers calls at the same time with one query, and later calls with another', async () => {
    const source = scriptedSource(ok([]));
    const alertmanager = createAlertmanager(source, { steady: new ManualClock(), timeoutMs: SECOND });
    await Promise.all([alertmanager.firing(LABELS), alertmanager.firing(LABELS), alertmanager.firing({ alertname: 'Other' })]);
    expect(source.asked).toHaveLength(2);
    await alertmanager.firing(LABELS);
    expect(source.asked).toHaveLength(3);
  });
});
