import { describe, expect, test } from 'vitest';
import type { Condition } from '../../../api/meta.ts';
import type { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import { toTime } from '../../../base/index.ts';
import { anExecution, NOW, running } from '../../execution/testing/builders.ts';
import { executionNotesOf } from './execution-events.ts';

type Status = NonNullable<WorkflowExecution['status']>;

const condition = (type: string, reason = 'R', message = 'm'): Condition => ({
  type,
  status: type === 'Ready' ? 'False' : 'True',
  reason,
  message,
  lastTransitionTime: toTime(NOW),
});
const pending = (...conditions: readonly Condition[]): Status => ({ phase: 'Pending', conditions: [...conditions] });
const SELECTED = condition('Selected');
const resting = condition('Ready', 'CooldownActive', 'the target rests until 10:00');
const failed = (reason: 'ConfigurationError' | 'TaskFailed', conditions: readonly Condition[] = []): Status => ({
  phase: 'Failed',
  conditions: [...conditions],
  failureDetails: {
    reason,
    message: 'no such engine',
    naturalLanguageSummary: 's',
    failedAt: toTime(NOW),
    failedTaskName: 'workflow',
    failedTaskIndex: 0,
  },
});

interface Case {
  readonly reason: string;
  readonly before?: Status | undefined;
  readonly after: Status;
  readonly want: readonly string[];
}

const cases: readonly Case[] = [
  { reason: 'a new one', after: pending(), want: [] },
  { reason: 'it can be run, which its start says', before: pending(), after: pending(SELECTED), want: [] },
  {
    reason: 'it cannot be run',
    before: pending(),
    after: failed('ConfigurationError'),
    want: ['Warning WorkflowValidationFailed no such engine'],
  },
  { reason: 'that is told once as well', before: failed('ConfigurationError'), after: failed('ConfigurationError'), want: [] },
  {
    reason: 'what was valid and fails later is no failed validation',
    before: pending(SELECTED),
    after: failed('ConfigurationError', [SELECTED]),
    want: [],
  },
  {
    reason: 'another failure is none either',
    before: running,
    after: failed('TaskFailed'),
    want: [],
  },
  { reason: 'its target rests', before: pending(), after: pending(resting), want: ['Normal CooldownActive the target rests until 10:00'] },
  { reason: 'one wait is told once', before: pending(resting), after: pending(resting), want: [] },
  { reason: 'another wait is another matter', before: pending(), after: pending(condition('Ready', 'WaitingForLock')), want: [] },
  {
    reason: 'an old word after the end',
    before: running,
    after: { phase: 'Completed', conditions: [resting] },
    want: [],
  },
  {
    reason: 'it begins to run',
    before: pending(SELECTED),
    after: { ...running, conditions: [SELECTED] },
    want: [],
  },
];

describe('what people are told of an execution', () => {
  test.each(cases)('$reason: $want', ({ before, after, want }) => {
    const earlier = before && anExecution({ status: before });
    const notes = executionNotesOf(earlier, anExecution({ status: after }));
    expect(notes.map(({ type, reason, message }) => `${type} ${reason} ${message}`)).toEqual(want);
  });

  test('old news are none', () => expect(executionNotesOf(undefined, anExecution({ status: running }))).toEqual([]));
});
