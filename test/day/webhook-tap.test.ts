import { expect, test } from 'vitest';
import { verdictsIn } from './webhook-tap.ts';

const alert = (name: string, status = 'firing') => ({ status, labels: { alertname: name } });
const webhook = (...alerts: readonly object[]): string => JSON.stringify({ alerts });

test('each alert of a batch gets its own verdict', () => {
  const answer = JSON.stringify({
    results: [
      { status: 'created', message: 'a' },
      { status: 'resolved', message: 'b' },
    ],
  });
  expect(verdictsIn(webhook(alert('A'), alert('B', 'resolved')), 207, answer)).toMatchObject([
    { code: 207, state: 'firing', verdict: 'created', message: 'a', labels: { alertname: 'A' } },
    { code: 207, state: 'resolved', verdict: 'resolved', message: 'b', labels: { alertname: 'B' } },
  ]);
});

test('of a single alert the whole answer is the verdict', () =>
  expect(verdictsIn(webhook(alert('A')), 201, '{"status":"created","message":"opened"}')).toMatchObject([
    { verdict: 'created', message: 'opened' },
  ]));

test.each([
  ['a problem', '{"status":400,"detail":"no label names a resource"}', { verdict: '400', message: 'no label names a resource' }],
  ['no JSON', 'Bad Gateway', { verdict: '502', message: '' }],
])('%s is kept as well', (_, answer, want) =>
  expect(verdictsIn(webhook(alert('A')), want.verdict === '400' ? 400 : 502, answer)).toMatchObject([want]),
);
