import { describe, expect, test } from 'vitest';
import { childNames } from './child-names.ts';

const NAME = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

const allNames = (request: string): readonly string[] => {
  const names = childNames(request);
  return [
    names.signalProcessing,
    names.analysis(),
    names.analysis(2),
    names.approval(),
    names.approval(3),
    names.execution,
    names.assessment,
    names.approvalNotice(),
    names.completion,
    names.selfResolved,
    names.manualReview,
    names.escalation,
    names.bulk,
    names.blockNotice('ResourceBusy'),
    names.timeout,
    names.phaseTimeout('Executing'),
  ];
};

describe('names of children', () => {
  test('are the request’s own, with what they are', () =>
    expect(allNames('rr-1')).toEqual([
      'sp-rr-1',
      'ai-rr-1',
      'ai-rr-1-2',
      'rar-rr-1',
      'rar-rr-1-3',
      'we-rr-1',
      'ea-rr-1',
      'nr-approval-rr-1',
      'nr-completion-rr-1',
      'nr-self-resolved-rr-1',
      'nr-manual-review-rr-1',
      'nr-escalation-rr-1',
      'nr-bulk-rr-1',
      'nr-block-resourcebusy-rr-1',
      'timeout-rr-1',
      'phase-timeout-executing-rr-1',
    ]));

  test.each([
    ['long', 'r'.repeat(253)],
    ['long, with a dot where it is cut', `${'r'.repeat(232)}.${'r'.repeat(20)}`],
    ['long, with dots all over', 'r.'.repeat(126).concat('r')],
  ])('are names that the server takes: %s', (_, request) => {
    const names = allNames(request);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) {
      expect(name).toMatch(NAME);
      expect(name.length).toBeLessThanOrEqual(253);
    }
  });

  test('differ for requests that differ only at the end', () =>
    expect(childNames(`${'r'.repeat(252)}a`).execution).not.toBe(childNames(`${'r'.repeat(252)}b`).execution));
});
