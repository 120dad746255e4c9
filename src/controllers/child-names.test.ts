import { describe, expect, test } from 'vitest';
import { childNames } from './child-names.ts';

const NAME = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

describe('names of children', () => {
  test('are the request’s own, with what they are', () =>
    expect(childNames('rr-1')).toEqual({
      signalProcessing: 'sp-rr-1',
      analysis: 'ai-rr-1',
      execution: 'we-rr-1',
      assessment: 'ea-rr-1',
      completion: 'nr-completion-rr-1',
      manualReview: 'nr-manual-review-rr-1',
      escalation: 'nr-escalation-rr-1',
    }));

  test.each([
    ['long', 'r'.repeat(253)],
    ['long, with a dot where it is cut', `${'r'.repeat(232)}.${'r'.repeat(20)}`],
    ['long, with dots all over', 'r.'.repeat(126).concat('r')],
  ])('are names that the server takes: %s', (_, request) => {
    const names = Object.values(childNames(request));
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) {
      expect(name).toMatch(NAME);
      expect(name.length).toBeLessThanOrEqual(253);
    }
  });

  test('differ for requests that differ only at the end', () =>
    expect(childNames(`${'r'.repeat(252)}a`).execution).not.toBe(childNames(`${'r'.repeat(252)}b`).execution));
});
