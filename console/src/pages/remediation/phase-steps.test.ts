import { expect, test } from 'vitest';
import { stepsOf } from './phase-steps.ts';

type Of = Parameters<typeof stepsOf>[0];

/** A remediation of which only this is known. */
const of = (phase: Of['summary']['phase'], ...children: readonly (keyof Of)[]): Of =>
  ({ summary: { phase }, timeline: [], ...Object.fromEntries(children.map((child) => [child, {}])) }) as unknown as Of;

/** One letter per step: passed, present, left out, ahead. */
const text = (remediation: Of): string =>
  stepsOf(remediation)
    .map(({ state }) => ({ passed: 'x', present: 'O', 'left-out': '-', ahead: '.' })[state])
    .join('');

test.each([
  { what: 'one that was just opened', given: of('Pending'), want: 'O......' },
  { what: 'one that waits for approval', given: of('AwaitingApproval', 'analysis', 'approval'), want: 'xxxO...' },
  { what: 'one that needed no approval', given: of('Executing', 'analysis', 'execution'), want: 'xxx-O..' },
  { what: 'one that was remediated', given: of('Completed', 'analysis', 'approval', 'execution', 'assessment'), want: 'xxxxxxO' },
  { what: 'one where nothing had to be done', given: of('Completed', 'analysis'), want: 'xxx---O' },
  { what: 'one that was rejected', given: of('Failed', 'analysis', 'approval'), want: 'xxxx...' },
  { what: 'one that was blocked before its analysis', given: of('Blocked'), want: 'x......' },
])('$what', ({ given, want }) => {
  expect(text(given)).toBe(want);
});
