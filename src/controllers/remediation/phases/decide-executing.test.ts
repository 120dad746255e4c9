import { describe, expect, test } from 'vitest';
import type { EffectivenessAssessment } from '../../../api/effectiveness-assessment/effectiveness-assessment.ts';
import type { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import { HOUR, MINUTE, SECOND, toTime } from '../../../base/index.ts';
import { DEFAULT_SETTINGS } from '../../default-settings.ts';
import { specHash } from '../../target/index.ts';
import { decide } from '../decide.ts';
import { onlyRequest, type RemediationSeen } from '../observe.ts';
import {
  ABSENT,
  aDeployment,
  ago,
  anAssessment,
  anExecution,
  aNotification,
  aRequest,
  at,
  executing,
  NOW,
  pending,
  RESOLVED,
  SOMEBODY_ELSES,
  TARGET,
  UNREADABLE,
  value,
} from '../testing/builders.ts';
import { expectDecision, type DecisionCase } from '../testing/expect-decision.ts';

const stays = { overallPhase: 'Executing' } as const;
const failed = { overallPhase: 'Failed', failurePhase: 'WorkflowExecution' } as const;
/** Suppresses new requests until a person has reviewed the target. */
const held = { ...failed, requiresManualReview: true, nextAllowedExecution: ago(-24 * HOUR) } as const;
const finished = value(anExecution({ phase: 'Completed', completionTime: ago(0) }));

const failure = {
  reason: 'TaskFailed',
  message: 'exit 1',
  naturalLanguageSummary: 'revision 1 is gone: roll forward by hand',
  failedAt: ago(0),
  failedTaskName: 'workflow',
  failedTaskIndex: 0,
} as const;

const runs: readonly DecisionCase[] = [
  ...(['Pending', 'Running'] as const).map((phase) => ({
    name: `[RR-091] ${phase}`,
    reason: 'its end is awaited',
    seen: { execution: value(anExecution({ phase })) },
    want: stays,
  })),
  { name: 'unreadable', reason: 'not known is not absent', seen: { execution: UNREADABLE }, atMs: HOUR, want: stays },
  {
    name: '[RR-092, RR-204] completed, no assessment',
    reason: 'it is created first; the phase follows when it is there',
    seen: { execution: finished, assessment: ABSENT, target: value(aDeployment({ replicas: 3 })) },
    want: stays,
    effects: ['Create EffectivenessAssessment ea-rr'],
  },
  {
    name: 'completed, the target gone',
    reason: 'that is for the assessment to find',
    seen: { execution: finished, assessment: ABSENT, target: ABSENT },
    want: stays,
    effects: ['Create EffectivenessAssessment ea-rr'],
  },
  {
    name: 'completed, the target unreadable',
    reason: 'the spec as the workflow left it is what drift is measured from',
    seen: { execution: finished, assessment: ABSENT, target: UNREADABLE },
    want: stays,
  },
  {
    name: 'completed, the target unreadable until shortly before the end',
    reason: 'it is looked at again right then',
    seen: { execution: finished, assessment: ABSENT, target: UNREADABLE },
    atMs: 30 * MINUTE - 2 * SECOND,
    want: stays,
    wakesAtMs: 30 * MINUTE,
  },
  {
    name: 'completed, the target unreadable for too long',
    reason: 'no wait is unlimited; verification reports that it is unknown',
    seen: { execution: finished, assessment: ABSENT, target: UNREADABLE },
    atMs: 30 * MINUTE,
    want: { overallPhase: 'Verifying' },
  },
  {
    name: 'completed, the assessment is foreign',
    reason: 'something was run: only verification may say what is not known',
    seen: { execution: finished, assessment: value(anAssessment({}, SOMEBODY_ELSES)) },
    want: { overallPhase: 'Verifying' },
  },
  {
    name: 'completed, the assessment unreadable',
    reason: 'not known is not absent',
    seen: { execution: finished, assessment: UNREADABLE },
    want: stays,
  },
  {
    name: '[RR-022, RR-093, RR-094, RR-095] completed, with an assessment',
    reason: 'on to verification, with its name and its deadline in the same step',
    seen: { execution: finished, assessment: value(anAssessment({}, { creationTimestamp: ago(0) })) },
    want: {
      overallPhase: 'Verifying',
      verifyingStartTime: ago(0),
      effectivenessAssessmentRef: { kind: 'EffectivenessAssessment', name: 'ea-rr', uid: 'ea-rr-uid' },
    },
    says: 'rollback-deployment:1.0.0 ran on Deployment shop/checkout; verifying whether it helped',
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
      assessment: value(anAssessment()),
    },
    want: { overallPhase: 'Verifying' },
    says: 'rolled back Deployment shop/checkout to revision 1; verifying',
  },
  {
    name: '[RR-023, RR-096] failed while it ran',
    reason: 'what it did to the target is for a person to see',
    seen: { execution: value(anExecution({ phase: 'Failed', failureDetails: { ...failure, wasExecutionFailure: true } })) },
    want: held,
    says: 'revision 1 is gone: roll forward by hand',
  },
  {
    name: '[RR-023, RR-096] failed before it ran',
    reason: 'nothing was done to the target',
    seen: { execution: value(anExecution({ phase: 'Failed', failureDetails: { ...failure, wasExecutionFailure: false } })) },
    want: { ...failed, requiresManualReview: false, nextAllowedExecution: ago(-MINUTE) },
  },
  {
    name: '[RR-023, RR-096] failed without a message',
    reason: 'unknown is taken for having acted',
    seen: { execution: value(anExecution({ phase: 'Failed' })) },
    want: held,
    says: 'we-rr failed without a reason',
  },
  {
    name: '[RR-024] skipped',
    reason: 'another execution works on the target',
    seen: {
      execution: value(
        anExecution({ phase: 'Skipped', skipDetails: { reason: 'ResourceBusy', message: 'we-other is at work', skippedAt: ago(0) } }),
      ),
    },
    want: { overallPhase: 'Skipped', skipReason: 'ResourceBusy', skipMessage: 'we-other is at work' },
    says: 'we-other is at work',
  },
  {
    name: 'skipped without a message',
    reason: 'an empty message helps no reader',
    seen: { execution: value(anExecution({ phase: 'Skipped' })) },
    want: { overallPhase: 'Skipped' },
    says: 'we-rr was skipped without a reason; Deployment shop/checkout was not changed',
  },
  {
    name: 'gone',
    reason: 'a recorded run that is gone is a failure, never a reason to run again',
    seen: { execution: ABSENT },
    want: held,
    says: 'it is unknown what it did: check the target',
  },
  {
    name: 'replaced',
    reason: 'another of the same name is not ours, whatever owner it names',
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
    says: 'we-rr was still Running: check Deployment shop/checkout before anything else is tried',
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
    seen: { execution: finished, assessment: value(anAssessment()) },
    atMs: 2 * HOUR,
    want: { overallPhase: 'Verifying', verifyingStartTime: toTime(at(2 * HOUR)) },
  },
  {
    name: 'nothing recorded',
    reason: 'the phase was set by hand: an execution with the name was never released',
    status: { ...executing, workflowExecutionRef: { name: 'we-rr' } },
    seen: { execution: value(anExecution({ phase: 'Running' })) },
    want: held,
  },
  {
    name: 'not even a name recorded',
    reason: 'the phase was set by hand',
    status: { ...pending, overallPhase: 'Executing', executingStartTime: ago(0) },
    seen: { execution: value(anExecution({ phase: 'Running' })) },
    want: held,
  },
  {
    name: 'all alerts resolved',
    reason: 'something was done to the target: only verification may say what came of it',
    status: { ...executing, ...RESOLVED },
    seen: { execution: value(anExecution({ phase: 'Running' })) },
    want: stays,
  },
];

const waitingFor = (reason: string, message: string) => ({
  phase: 'Pending' as const,
  conditions: [{ type: 'Ready', status: 'False' as const, reason, message, lastTransitionTime: ago(0) }],
});
const queued = value(anExecution(waitingFor('WaitingForBudget', '7th in the queue; 5 of 5 running in the cluster')));
const BUDGET = 'rollback-deployment:1.0.0 on Deployment shop/checkout has not started: the budget is used up';
const reading = (reason: string, message: string) =>
  ({ type: 'Ready', status: 'Unknown', reason, message, lastTransitionTime: ago(0) }) as const;
const told = { message: 'as told', conditions: [reading('WaitingForBudget', '')] };

const waits: readonly DecisionCase[] = [
  {
    name: 'in the queue',
    reason: 'nothing runs, and the status must not say so',
    seen: { execution: queued },
    want: { ...stays, conditions: [reading('WaitingForBudget', `${BUDGET}. It starts by itself once it may (sickbay explain rr)`)] },
    says: BUDGET,
  },
  {
    name: 'rights are missing',
    reason: 'the condition of the execution knows best',
    seen: { execution: value(anExecution(waitingFor('WaitingForTarget', 'jobs.batch is forbidden'))) },
    want: stays,
    says: 'has not started: jobs.batch is forbidden',
  },
  {
    name: 'on its way to its start',
    reason: 'that takes a moment and no write',
    status: { ...executing, message: 'running it' },
    seen: { execution: value(anExecution(waitingFor('Pending', 'waiting for its lock'))) },
    want: { ...executing, message: 'running it' },
  },
  {
    name: 'in the queue for less than a minute',
    reason: 'people are told of waits that last',
    status: { ...executing, ...told },
    seen: { execution: queued, messages: { 'nr-wait-rr': ABSENT } },
    atMs: MINUTE - 1,
    want: stays,
    says: BUDGET,
  },
  {
    name: 'in the queue for a minute',
    reason: 'one notification says so',
    status: { ...executing, ...told },
    seen: { execution: queued, messages: { 'nr-wait-rr': ABSENT } },
    atMs: MINUTE,
    want: stays,
    effects: ['Create NotificationRequest nr-wait-rr'],
    says: BUDGET,
  },
  {
    name: 'in the queue, notified',
    reason: 'it is told once',
    status: { ...executing, ...told },
    seen: { execution: queued, messages: { 'nr-wait-rr': value(aNotification('nr-wait-rr', { phase: 'Sent' })) } },
    atMs: 5 * MINUTE,
    want: stays,
  },
  {
    name: 'started after a wait',
    reason: 'it runs now, and the status says so',
    status: { ...executing, ...told },
    seen: { execution: value(anExecution({ phase: 'Running' })) },
    want: {
      ...stays,
      conditions: [reading('Executing', 'running rollback-deployment:1.0.0 on Deployment shop/checkout, which had to wait')],
    },
    says: 'running rollback-deployment:1.0.0 on Deployment shop/checkout, which had to wait',
  },
  {
    name: 'in the queue at the limit',
    reason: 'the wait counts towards the time limit',
    status: { ...executing, ...told },
    seen: { execution: queued },
    atMs: 30 * MINUTE,
    want: { overallPhase: 'TimedOut' },
  },
];

const draftFrom = (target: RemediationSeen['target'], more: Partial<RemediationSeen> = {}) => {
  const seen = { ...onlyRequest(aRequest(executing), DEFAULT_SETTINGS), execution: finished, assessment: ABSENT, target, ...more };
  const { effects } = decide(seen, NOW);
  return (effects[0] as { readonly object?: { readonly spec: EffectivenessAssessment['spec'] } } | undefined)?.object?.spec;
};

describe('Executing', () => {
  test.each(runs)('$name: $reason', (row) => expectDecision({ status: executing, ...row }));
  test.each(waits)('a run that waits, $name: $reason', (row) => expectDecision({ status: executing, ...row }));

  test.each(['job', 'tekton', 'ansible'] as const)('[WE-210] the end of a run means the same on every engine: %s', (executionEngine) => {
    const after = (status: WorkflowExecution['status']) => {
      const seen = { execution: value(anExecution(status)), assessment: value(anAssessment()) };
      return decide({ ...onlyRequest(aRequest(executing), DEFAULT_SETTINGS), ...seen }, NOW).status;
    };
    for (const phase of ['Running', 'Completed', 'Failed', 'Skipped'] as const)
      expect(after({ phase, executionEngine })).toEqual(after({ phase }));
  });

  test('drift is measured from the spec as the workflow left it', () => {
    const left = aDeployment({ replicas: 3 });
    expect(draftFrom(value(left))?.appliedSpecHash).toBe(specHash(left));
  });

  test.each([
    ['gone', ABSENT],
    ['replaced by another of the same name', value(aDeployment({ replicas: 2 }, { uid: 'another' }))],
  ])('a target that is %s has left nothing to measure from', (_, target) =>
    expect(draftFrom(target as RemediationSeen['target'])).not.toHaveProperty('appliedSpecHash'),
  );

  test('the assessment is about the resource that was changed', () => {
    const { kind, name, namespace, apiVersion } = TARGET;
    expect(draftFrom(ABSENT)?.remediationTarget).toEqual({ kind, name, namespace, apiVersion });
  });
});
