import { describe, expect, test } from 'vitest';
import type { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import { toTime } from '../../../base/index.ts';
import { DEFAULT_SETTINGS } from '../../default-settings.ts';
import { NOW } from '../testing/builders.ts';
import { aFailedRun, aFailedStart, aRefusal, aSkip, aSuccess, CLEARED } from '../testing/finished-executions.ts';
import { afterDeletion, clearFailureCount, type DeletionOutcome } from './block-after-deletion.ts';

/** The execution as it is once it is deleted: that is another generation. */
const deleted = (execution: WorkflowExecution, failedAt = 1): WorkflowExecution => ({
  ...execution,
  metadata: { ...execution.metadata, generation: 2, deletionTimestamp: toTime(NOW) },
  status: {
    ...execution.status,
    conditions: [
      {
        type: 'ExecutionComplete',
        status: 'False',
        reason: 'TaskFailed',
        message: '',
        lastTransitionTime: toTime(NOW),
        observedGeneration: failedAt,
      },
    ],
  },
});

const short = (legacy: DeletionOutcome): string => {
  if (legacy.kind === 'block') return `block ${legacy.block.reason}`;
  return legacy.kind === 'reset' ? `reset ${legacy.row.map(({ metadata }) => metadata.name).join(' ')}` : legacy.kind;
};

const run = aFailedRun({ name: 'we-run' });
const fifth = aFailedStart(5, { name: 'we-5' });
const older = [aFailedStart(3, { name: 'we-3', minutesAgo: 9 }), aFailedStart(4, { name: 'we-4', minutesAgo: 5 })];

interface Row {
  readonly reason: string;
  readonly goes: WorkflowExecution;
  readonly history?: readonly WorkflowExecution[];
  readonly cascade: string;
  readonly person: string;
}

describe('what an execution that is deleted leaves to its target', () => {
  test.each<Row>([
    { reason: '[BO-131] a run that failed', goes: deleted(run), cascade: 'block PreviousExecutionFailed', person: 'nothing' },
    { reason: '[BO-131] the fifth failure', goes: deleted(fifth), cascade: 'block ExhaustedRetries', person: 'nothing' },
    {
      reason: '[BO-129] the fifth of several',
      goes: deleted(fifth),
      history: older,
      cascade: 'block ExhaustedRetries',
      person: 'reset we-4 we-3',
    },
    {
      reason: '[BO-129] the newest of a row',
      goes: deleted(fifth),
      history: older.slice(0, 1),
      cascade: 'block ExhaustedRetries',
      person: 'reset we-3',
    },
    { reason: 'one of a row that is not long enough', goes: deleted(aFailedStart(2)), cascade: 'nothing', person: 'nothing' },
    {
      reason: 'one that is not the newest',
      goes: deleted(aFailedStart(4, { name: 'we-4', minutesAgo: 20 })),
      history: [fifth],
      cascade: 'nothing',
      person: 'nothing',
    },
    {
      reason: 'a run that failed after a row',
      goes: deleted(run),
      history: older,
      cascade: 'block PreviousExecutionFailed',
      person: 'reset we-4 we-3',
    },
    {
      reason: 'a failed start after a failed run',
      goes: deleted(aFailedStart(1, { name: 'we-start' })),
      history: [aFailedRun({ minutesAgo: 9 })],
      cascade: 'nothing',
      person: 'nothing',
    },
    {
      reason: 'what was cleared',
      goes: deleted(aFailedRun({ blockClearance: CLEARED })),
      history: older,
      cascade: 'nothing',
      person: 'nothing',
    },
    {
      reason: 'what a success came after',
      goes: deleted(aFailedRun({ minutesAgo: 9 })),
      history: [aSuccess()],
      cascade: 'nothing',
      person: 'nothing',
    },
    { reason: 'a success', goes: deleted(aSuccess()), history: older, cascade: 'nothing', person: 'nothing' },
    { reason: 'one that was skipped', goes: deleted(aSkip()), history: older, cascade: 'nothing', person: 'nothing' },
    { reason: 'one that was refused', goes: deleted(aRefusal()), history: older, cascade: 'nothing', person: 'nothing' },
    {
      reason: 'a run that the deletion itself stopped',
      goes: deleted(run, 2),
      cascade: 'block PreviousExecutionFailed',
      person: 'block PreviousExecutionFailed',
    },
  ])('$reason: $cascade with its request, $person by itself', ({ goes, history = [], cascade, person }) => {
    const left = (isCascade: boolean) => short(afterDeletion(goes, { history, isCascade, settings: DEFAULT_SETTINGS }));
    expect([left(true), left(false)]).toEqual([cascade, person]);
  });
});

test('a failed start that no longer counts keeps everything else', () => {
  const effect = clearFailureCount(aFailedStart(3, { name: 'we-3' }));
  expect(effect).toMatchObject({ kind: 'PatchStatus', key: { name: 'we-3' }, resourceVersion: '7' });
  const { consecutiveFailures: _, nextAllowedExecution: __, ...rest } = aFailedStart(3, { name: 'we-3' }).status ?? {};
  expect((effect as { readonly status: unknown }).status).toEqual(rest);
});
