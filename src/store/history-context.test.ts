import { describe, expect, test } from 'vitest';
import { after, HOUR, instant, MINUTE, parseTime, toTime } from '../base/index.ts';
import { hashMatch, historyContext, type HashMatch } from './history-context.ts';
import { entriesOf, type HistoryEntry } from './history-entry.ts';
import { memoryAuditLog } from './memory-audit-log.ts';
import { createRemediationHistory, type RemediationHistory } from './remediation-history.ts';
import { aRemediation, AT, TARGET, type RemediationOptions } from './testing/a-remediation.ts';

const NOW = after(parseTime(AT) ?? instant(0), HOUR);
const DAY = 24 * HOUR;
const ago = (ms: number): string => toTime(after(NOW, -ms));
const QUESTION = { cluster: '', target: TARGET, specHash: 'sha256:now' };

const withPast = async (...past: readonly RemediationOptions[]): Promise<RemediationHistory> => {
  const log = memoryAuditLog();
  await log.append(past.flatMap((options) => aRemediation(options)));
  return createRemediationHistory(log);
};

const entry = (hashes: object, more: object = {}): HistoryEntry => {
  const [found] = entriesOf(aRemediation({ hashes: { ...hashes }, run: { ...more } }));
  if (!found) throw new Error('no entry');
  return found;
};

describe('the three hashes', () => {
  test.each<[string, object, HashMatch]>([
    ['as before the remediation', { pre: 'sha256:now', post: 'sha256:b' }, 'preRemediation'],
    ['as after it', { pre: 'sha256:a', post: 'sha256:now' }, 'postRemediation'],
    ['as before and after: before comes first', { pre: 'sha256:now', post: 'sha256:now' }, 'preRemediation'],
    ['as neither', { pre: 'sha256:a', post: 'sha256:b' }, 'none'],
    ['another than before, and none recorded after', { pre: 'sha256:a' }, 'postRemediation'],
    ['as after, and none recorded before', { post: 'sha256:now' }, 'postRemediation'],
    ['no hash was recorded', {}, 'none'],
  ])('[EM-263] [CO-146] %s', (_, hashes, want) => expect(hashMatch(entry(hashes), QUESTION)).toBe(want));

  test('[EM-263] nothing is compared with what could not be read', () =>
    expect(hashMatch(entry({ pre: 'sha256:a' }), { target: TARGET, specHash: undefined })).toBe('none'));

  test.each<[string, HashMatch]>([
    ['sha256:now', 'postRemediation'],
    ['sha256:else', 'none'],
  ])('of what the resource manages its own spec counts: %s', (rootPost, want) =>
    expect(hashMatch(entry({ pre: 'sha256:now', root: TARGET, rootPost }, { target: 'shop/Pod/x' }), QUESTION)).toBe(want),
  );
});

describe('the history that an investigation receives', () => {
  test('[EM-256] [EM-257] [CO-143] [CO-144] asks for the last day first, then for the 90 days until then', async () => {
    const asked: object[] = [];
    const history = await withPast(
      { name: 'ancient', at: ago(91 * DAY) },
      { name: 'old', at: ago(89 * DAY) },
      { name: 'yesterday', at: ago(DAY + MINUTE) },
      { name: 'today', at: ago(DAY - MINUTE) },
      { name: 'now', at: ago(0) },
    );
    const spied: RemediationHistory = { ...history, ofTarget: (target, window) => (asked.push(window), history.ofTarget(target, window)) };
    const { recent, older } = await historyContext(spied, QUESTION, NOW);
    expect(asked).toEqual([{ from: after(NOW, -DAY) }, { from: after(NOW, -90 * DAY), to: after(NOW, -DAY) }]);
    expect(recent.map(({ remediation }) => remediation)).toEqual(['today', 'now']);
    expect(older.map(({ remediation }) => remediation)).toEqual(['old', 'yesterday']);
  });

  test('[EM-258] [EM-259] [CO-145] each entry has its score and its outcome', async () => {
    const { recent } = await historyContext(await withPast({ scores: { alert: 0, health: 0.5 }, outcome: 'Inconclusive' }), QUESTION, NOW);
    expect(recent).toMatchObject([{ outcome: 'Inconclusive', signalResolved: false }]);
    expect(recent[0]?.effectivenessScore).toBeCloseTo(0.2 / 0.75, 8);
  });

  test('what was done to the same spec elsewhere is included once, and marked as such', async () => {
    const history = await withPast(
      { name: 'here', at: ago(2 * MINUTE), hashes: { pre: 'sha256:now', post: 'sha256:b' } },
      { name: 'there', at: ago(MINUTE), run: { target: 'pay/Deployment/till' }, hashes: { pre: 'sha256:now', post: 'sha256:b' } },
      { name: 'far', run: { target: TARGET, cluster: 'west' }, hashes: { pre: 'sha256:now', post: 'sha256:b' } },
    );
    const { recent } = await historyContext(history, QUESTION, NOW);
    expect(recent.map(({ remediation, isSameTarget }) => [remediation, isSameTarget])).toEqual([
      ['here', true],
      ['there', false],
    ]);
  });

  test.each<{ name: string; past: readonly RemediationOptions[]; want: boolean }>([
    { name: 'nothing was done', past: [], want: false },
    { name: 'back to before', past: [{ hashes: { pre: 'sha256:now', post: 'sha256:b' } }], want: true },
    { name: 'back to before, none recorded after', past: [{ hashes: { pre: 'sha256:now' } }], want: true },
    { name: 'back to before something old', past: [{ at: ago(30 * DAY), hashes: { pre: 'sha256:now', post: 'sha256:b' } }], want: true },
    { name: 'as it was left', past: [{ hashes: { pre: 'sha256:a', post: 'sha256:now' } }], want: false },
    { name: 'a remediation that changed no spec', past: [{ hashes: { pre: 'sha256:now', post: 'sha256:now' } }], want: false },
    {
      name: 'another target of the same spec',
      past: [{ run: { target: 'pay/Deployment/till' }, hashes: { pre: 'sha256:now', post: 'sha256:b' } }],
      want: false,
    },
  ])('[EM-263] $name: rolled back is $want', async ({ past, want }) =>
    expect((await historyContext(await withPast(...past), QUESTION, NOW)).regressionDetected).toBe(want),
  );
});
