import { describe, test } from 'vitest';
import { HOUR, MINUTE, toTime } from '../../base/index.ts';
import {
  ABSENT,
  aDeployment,
  ago,
  anAnalysis,
  anExecution,
  at,
  executing,
  running,
  SOMEBODY_ELSES,
  UNREADABLE,
  value,
  WORKFLOW,
} from './testing/builders.ts';
import { judgeCase, type Case } from './testing/judge-case.ts';

const stays = { overallPhase: 'Executing' } as const;
const failed = { overallPhase: 'Failed', failurePhase: 'WorkflowExecution' } as const;
/** Nothing is tried again before a person has looked. */
const held = { ...failed, requiresManualReview: true, nextAllowedExecution: ago(-24 * HOUR) } as const;
const fresh = { execution: ABSENT, analysis: value(anAnalysis()), target: value(aDeployment()) };

const starts: readonly Case[] = [
  {
    name: '[RR-202] no child, and none on record',
    reason: 'it is created',
    seen: fresh,
    want: stays,
    effects: ['Create WorkflowExecution we-rr'],
  },
  {
    name: 'the child is seen',
    reason: 'its UID goes on record: only then may it start',
    seen: { execution: value(anExecution()) },
    want: { ...stays, workflowExecutionRef: { name: 'we-rr', uid: 'we-rr-uid', kind: 'WorkflowExecution' } },
  },
  { name: 'unreadable', reason: 'not known is not absent', seen: { execution: UNREADABLE }, atMs: HOUR, want: stays },
  { name: 'no child, the analysis unreadable', reason: 'the plan is awaited', seen: { ...fresh, analysis: UNREADABLE }, want: stays },
  { name: 'no child, the target unreadable', reason: 'not known is not the same', seen: { ...fresh, target: UNREADABLE }, want: stays },
  {
    name: 'no child, the analysis deleted',
    reason: 'nothing is run from memory',
    seen: { ...fresh, analysis: ABSENT },
    want: failed,
    says: 'no longer holds the plan',
  },
  {
    name: 'no child, another plan',
    reason: 'what was decided on is what runs',
    seen: { ...fresh, analysis: value(anAnalysis({ selectedWorkflow: { ...WORKFLOW, parameters: { REVISION: '7' } } })) },
    want: failed,
    says: 'no longer holds the plan',
  },
  {
    name: 'no child, the target changed meanwhile',
    reason: 'a crash may lie between the decision and the run',
    seen: { ...fresh, target: value(aDeployment({ replicas: 9 })) },
    want: failed,
    says: 'Deployment shop/checkout was changed since it was analysed: nothing was run',
  },
  {
    name: "somebody else's",
    reason: 'it is neither used nor touched',
    seen: { ...fresh, execution: value(anExecution({}, SOMEBODY_ELSES)) },
    want: failed,
    says: 'WorkflowExecution we-rr is not of this request',
  },
  {
    name: 'too late to begin',
    reason: 'a run that would be late at once is not begun',
    seen: fresh,
    atMs: 30 * MINUTE,
    want: { overallPhase: 'TimedOut', timeoutPhase: 'Executing' },
  },
];

const failure = {
  reason: 'TaskFailed',
  message: 'exit 1',
  naturalLanguageSummary: 'revision 1 is gone: roll forward by hand',
  failedAt: ago(0),
  failedTaskName: 'workflow',
  failedTaskIndex: 0,
} as const;

const runs: readonly Case[] = [
  ...(['Pending', 'Running'] as const).map((phase) => ({
    name: `[RR-091] ${phase}`,
    reason: 'its end is awaited',
    seen: { execution: value(anExecution({ phase })) },
    want: stays,
  })),
  {
    name: '[RR-093, RR-094, RR-095] completed',
    reason: 'on to verification, with its name and its deadline in the same step',
    seen: { execution: value(anExecution({ phase: 'Completed' })) },
    want: {
      overallPhase: 'Verifying',
      verifyingStartTime: ago(0),
      verificationDeadline: toTime(at(30 * MINUTE)),
      effectivenessAssessmentRef: { kind: 'EffectivenessAssessment', name: 'ea-rr' },
    },
    says: 'rollback-deployment:1.0.0 ran on Deployment shop/checkout; now seeing whether it helped',
  },
  {
    name: 'completed, with words of its own',
    reason: 'it knows best what it did',
    seen: {
      execution: value(
        anExecution({
          phase: 'Completed',
          executionStatus: { status: 'Completed', message: 'rolled back Deployment shop/checkout to revision 1' },
        }),
      ),
    },
    want: { overallPhase: 'Verifying' },
    says: 'rolled back Deployment shop/checkout to revision 1; now',
  },
  {
    name: '[RR-023, RR-096] failed while it ran',
    reason: 'what it did to the target is for a person to see',
    seen: { execution: value(anExecution({ phase: 'Failed', failureDetails: { ...failure, wasExecutionFailure: true } })) },
    want: held,
    says: 'revision 1 is gone: roll forward by hand',
  },
  {
    name: 'failed before it ran',
    reason: 'nothing was done to the target',
    seen: { execution: value(anExecution({ phase: 'Failed', failureDetails: { ...failure, wasExecutionFailure: false } })) },
    want: { ...failed, requiresManualReview: false, nextAllowedExecution: ago(-MINUTE) },
  },
  {
    name: 'failed without a word',
    reason: 'unknown is taken for having acted',
    seen: { execution: value(anExecution({ phase: 'Failed' })) },
    want: held,
    says: 'we-rr failed without a reason',
  },
  {
    name: '[RR-024] skipped',
    reason: 'somebody else is at work on the target',
    seen: {
      execution: value(
        anExecution({ phase: 'Skipped', skipDetails: { reason: 'ResourceBusy', message: 'we-other is at work', skippedAt: ago(0) } }),
      ),
    },
    want: { overallPhase: 'Skipped', skipReason: 'ResourceBusy', skipMessage: 'we-other is at work' },
    says: 'we-other is at work',
  },
  {
    name: 'skipped without a word',
    reason: 'an empty message helps nobody',
    seen: { execution: value(anExecution({ phase: 'Skipped' })) },
    want: { overallPhase: 'Skipped' },
    says: 'we-rr was skipped without a reason; Deployment shop/checkout was left alone',
  },
  {
    name: 'gone',
    reason: 'a run on record that is gone is a failure, never a reason to run again',
    seen: { ...fresh, execution: ABSENT },
    want: held,
    says: 'nobody knows what it did: look at the target',
  },
  {
    name: 'replaced',
    reason: 'another of the same name is not ours, whoever it says it belongs to',
    seen: { execution: value(anExecution({ phase: 'Completed' }, { uid: 'another' })) },
    want: failed,
  },
  {
    name: 'one moment before the limit',
    reason: 'half an hour is not over',
    seen: { execution: value(anExecution({ phase: 'Running' })) },
    atMs: 30 * MINUTE - 1,
    want: stays,
  },
  {
    name: '[RR-189] at the limit',
    reason: 'half an hour is over, and it may have acted',
    seen: { execution: value(anExecution({ phase: 'Running' })) },
    atMs: 30 * MINUTE,
    want: {
      overallPhase: 'TimedOut',
      timeoutPhase: 'Executing',
      requiresManualReview: true,
      nextAllowedExecution: ago(-24 * HOUR - 30 * MINUTE),
    },
    says: 'we-rr was still Running: look at Deployment shop/checkout before anything else is tried',
  },
  {
    name: 'at the limit, and it never began',
    reason: 'nothing was done to the target: the next request may try',
    seen: { execution: value(anExecution({ phase: 'Pending' })) },
    atMs: 30 * MINUTE,
    want: { overallPhase: 'TimedOut', nextAllowedExecution: ago(-31 * MINUTE) },
  },
  ...(['PreviousExecutionFailed', 'ExhaustedRetries'] as const).map((reason) => ({
    name: `skipped, ${reason}`,
    reason: 'a person has to clear the target first, and no request would get further',
    seen: { execution: value(anExecution({ phase: 'Skipped', skipDetails: { reason, message: 'clear it', skippedAt: ago(0) } })) },
    want: { overallPhase: 'Skipped', skipReason: reason, requiresManualReview: true, nextAllowedExecution: ago(-24 * HOUR) } as const,
  })),
  {
    name: 'completed, and seen late',
    reason: 'an end in time counts, whenever it is seen',
    seen: { execution: value(anExecution({ phase: 'Completed' })) },
    atMs: 2 * HOUR,
    want: { overallPhase: 'Verifying', verifyingStartTime: toTime(at(2 * HOUR)), verificationDeadline: toTime(at(2.5 * HOUR)) },
  },
];

describe('Executing', () => {
  test.each(starts)('$name: $reason', (row) => judgeCase({ status: executing, ...row }));
  test.each(runs)('on record, $name: $reason', (row) => judgeCase({ status: running, ...row }));
});
