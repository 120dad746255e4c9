import { expect, test } from 'vitest';
import { handOverText } from './hand-over-text.ts';

const unclear = { kind: 'Unclear', reason: 'the release crashes', advice: 'kubectl logs x' } as const;

test('a hand-over says what is wrong, seen, ruled out and likely, what to do, and what Sickbay does', () =>
  expect(
    handOverText({
      ...unclear,
      facts: ['pod p: exit code 1'],
      ruledOut: ['memory: nothing was killed'],
      likely: [{ cause: 'a bug', check: 'the log' }],
    }),
  ).toBe(
    'the release crashes; kubectl logs x. Seen: pod p: exit code 1. Ruled out: memory: nothing was killed. Likely causes: (1) a bug: the log. ' +
      'Sickbay changes nothing here; a new alert or a change of the target starts a new analysis',
  ));

test('what was not found is left out', () => expect(handOverText(unclear)).toMatch(/^the release crashes; kubectl logs x\. Sickbay/));

test('a long one is cut', () => expect(handOverText({ ...unclear, facts: ['x'.repeat(9_000)] }).length).toBeLessThanOrEqual(4_000));
