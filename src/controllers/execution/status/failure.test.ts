import { describe, expect, test } from 'vitest';
import { FAILURE_REASONS, type FailureReason } from '../../../api/workflow-execution/status.ts';
import type { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import { summaryOf, type ExecutionFailure } from './failure.ts';
import { runName } from '../names.ts';
import { anExecution, running, TARGET } from '../testing/builders.ts';

const NAME = runName({ targetResource: TARGET });
const EIGHT = FAILURE_REASONS.slice(0, 8);
const NS = 'kubernaut-workflows';
const isRunning = anExecution({ status: running });
const failure = (reason: FailureReason, started: boolean, change: Partial<ExecutionFailure> = {}): ExecutionFailure => ({
  reason,
  message: 'it said so',
  started,
  ...change,
});
const inEngine = (executionRef: NonNullable<WorkflowExecution['status']>['executionRef']): WorkflowExecution =>
  anExecution({ status: { ...running, ...(executionRef && { executionRef }) } });

const events = `kubectl -n ${NS} get events --sort-by=.lastTimestamp`;
const COMMANDS: Readonly<Record<string, readonly [before: string, after: string]>> = {
  OOMKilled: [`kubectl -n ${NS} describe job/${NAME}`, `kubectl -n ${NS} describe job/${NAME}`],
  DeadlineExceeded: [events, `kubectl -n ${NS} describe job/${NAME}`],
  Forbidden: [events, `kubectl auth can-i --list --as=system:serviceaccount:${NS}:workflow-rollback-deployment`],
  ResourceExhausted: [events, 'kubectl describe nodes'],
  ConfigurationError: [events, `kubectl -n ${NS} describe job/${NAME}`],
  ImagePullBackOff: [events, events],
  TaskFailed: [`kubectl -n ${NS} logs job/${NAME}`, `kubectl -n ${NS} logs job/${NAME}`],
  Unknown: [events, events],
};

describe('the failure summary for the person on call', () => {
  test.each(EIGHT)('[WE-018] %s, after it had begun: what, where, that it may have acted, what to do, what to type', (reason) => {
    const summary = summaryOf(isRunning, failure(reason, true), '5s');
    expect(summary).toMatch(/^rollback-deployment failed on shop\/Deployment\/checkout after 5s: it said so\. It may have changed /);
    expect(summary).toContain('sickbay clear-block shop/Deployment/checkout --reason');
    expect(summary).not.toContain('Nothing was changed');
    expect(summary.endsWith(` Next: ${COMMANDS[reason]?.[1]}`)).toBe(true);
  });

  test.each(EIGHT)('%s, before anything began: that nothing was changed', (reason) => {
    const summary = summaryOf(isRunning, failure(reason, false), '5s');
    expect(summary).toMatch(/^rollback-deployment did not run on shop\/Deployment\/checkout: it said so\. Nothing was changed\. [A-Z]/);
    expect(summary).not.toContain('clear-block');
    expect(summary.endsWith(` Next: ${COMMANDS[reason]?.[0]}`)).toBe(true);
  });

  test('the plain sentence comes first, the cluster’s message after it', () => {
    const plain = failure('ImagePullBackOff', false, { plain: 'its image cannot be pulled', message: 'ErrImagePull: no such host.\n' });
    expect(summaryOf(isRunning, plain, undefined)).toContain(': its image cannot be pulled (ErrImagePull: no such host). ');
  });

  test('where it is not known how long it took, that is left out', () =>
    expect(summaryOf(isRunning, failure('Unknown', true), undefined)).toContain('failed on shop/Deployment/checkout: it said so.'));

  test('of a long message there is a part: what to do must not be cut off', () => {
    const summary = summaryOf(isRunning, failure('Unknown', true, { message: 'x'.repeat(1_000) }), '5s');
    expect(summary).toContain(`${'x'.repeat(399)}…. It may`);
  });

  test('the advice names the quota that is used up', () =>
    expect(summaryOf(isRunning, failure('ResourceExhausted', false, { message: 'exceeded quota: q' }), undefined)).toMatch(
      /Next: kubectl -n kubernaut-workflows describe resourcequota$/,
    ));

  test('advice for the failure itself replaces that for its reason', () =>
    expect(summaryOf(isRunning, failure('Forbidden', false, { advice: 'Ask anna.' }), undefined)).toContain(
      'Nothing was changed. Ask anna. Next: ',
    ));

  test.each<[string, WorkflowExecution, FailureReason, string]>([
    [
      'nothing was created',
      anExecution({ status: { phase: 'Pending' } }),
      'ConfigurationError',
      'kubectl -n sickbay-system describe workflowexecution we-rr-1',
    ],
    ['it is a PipelineRun', inEngine({ kind: 'PipelineRun', name: 'r', namespace: NS }), 'Unknown', events],
    [
      'a task of a PipelineRun failed',
      inEngine({ kind: 'PipelineRun', name: 'r', namespace: NS }),
      'TaskFailed',
      `kubectl -n ${NS} logs -l tekton.dev/pipelineRun=r --all-containers`,
    ],
    [
      'a PipelineRun ran out of memory',
      inEngine({ kind: 'PipelineRun', name: 'r', namespace: NS }),
      'OOMKilled',
      `kubectl -n ${NS} describe pipelinerun/r`,
    ],
    ['it is a job in AWX', inEngine({ name: 'awx-job-7' }), 'TaskFailed', 'check awx-job-7 in AWX'],
  ])('the next step where %s', (_, execution, reason, want) =>
    expect(summaryOf(execution, failure(reason, true), undefined).endsWith(` Next: ${want}`)).toBe(true),
  );

  test('a workflow without an account of its own runs as the common one', () => {
    const { serviceAccountName: _, ...workflowRef } = isRunning.spec.workflowRef;
    const summary = summaryOf({ ...isRunning, spec: { ...isRunning.spec, workflowRef } }, failure('Forbidden', true), undefined);
    expect(summary).toContain(`system:serviceaccount:${NS}:kubernaut-workflow-runner`);
  });
});
