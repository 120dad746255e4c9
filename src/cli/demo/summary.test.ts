import { describe, expect, test } from 'vitest';
import type { NotificationRequest, WorkflowExecution } from '../../api/index.ts';
import { aNotification, anAnalysis, anAssessment, anExecution, aRequest } from '../../controllers/remediation/testing/builders.ts';
import { summary, type Ending } from './summary.ts';

const analysis = anAnalysis({ rootCause: 'revision 2 crashes' });
const execution = (phase?: 'Completed' | 'Failed', parameters: WorkflowExecution['spec']['parameters'] = {}): WorkflowExecution => {
  const base = anExecution(phase ? { phase } : {});
  const workflowRef = { ...base.spec.workflowRef, workflowName: 'rollback-deployment', version: '0.1.0' };
  return { ...base, spec: { ...base.spec, workflowRef, targetResource: 'shop/Deployment/checkout', parameters } };
};
const healthy = anAssessment({
  phase: 'Completed',
  assessmentReason: 'Full',
  components: { healthAssessed: true, healthScore: 1 },
  message: '2 of 2 pods ready',
});
const notification = (type: NotificationRequest['spec']['type'], subject: string, phase?: 'Sent'): NotificationRequest => {
  const base = aNotification('nr', phase ? { phase } : {});
  return { ...base, spec: { ...base.spec, type, subject } };
};

const cases: readonly { name: string; ending: Ending; want: readonly string[] }[] = [
  {
    name: 'remediated: the message would only repeat the rest',
    ending: {
      request: aRequest({ overallPhase: 'Completed', outcome: 'Remediated', message: 'all is well' }),
      analysis,
      execution: execution('Completed', { TARGET_RESOURCE_NAME: 'checkout', REVISION: '1' }),
      assessment: healthy,
      notification: notification('Completion', 'Remediated: checkout', 'Sent'),
      phases: [
        { phase: 'Pending', seconds: 0.04 },
        { phase: 'Executing', seconds: 12.345 },
      ],
    },
    want: [
      'Completed / Remediated',
      '  cause      revision 2 crashes',
      '  done       rollback-deployment 0.1.0 on shop/Deployment/checkout REVISION=1: Completed',
      '  verified   score 1.00 from health only: 2 of 2 pods ready',
      '  notified   Remediated: checkout (Completion, Sent)',
      '  time       Pending 0.0 s · Executing 12.3 s',
    ],
  },
  {
    name: 'a person has to look: nothing was run, and the message says why',
    ending: {
      request: aRequest({ overallPhase: 'Completed', outcome: 'ManualReviewRequired', message: 'no earlier revision: fix the image' }),
      analysis,
      notification: notification('ManualReview', 'Review: checkout'),
      phases: [],
    },
    want: [
      'Completed / ManualReviewRequired',
      '  cause      revision 2 crashes',
      '  notified   Review: checkout (ManualReview, Pending)',
      '  reason     no earlier revision: fix the image',
    ],
  },
  {
    name: 'failed: the reason of the failure comes before the message',
    ending: {
      request: aRequest({ overallPhase: 'Failed', failureReason: 'the workflow exited with 1', message: 'it did not work' }),
      execution: execution('Failed'),
      phases: [],
    },
    want: [
      'Failed',
      '  done       rollback-deployment 0.1.0 on shop/Deployment/checkout: Failed',
      '  reason     the workflow exited with 1',
    ],
  },
  {
    name: 'a run that did not start, and an assessment without a result',
    ending: {
      request: aRequest({ overallPhase: 'TimedOut', message: 'too late' }),
      execution: execution(),
      assessment: { ...healthy, status: { components: {} } },
      phases: [],
    },
    want: [
      'TimedOut',
      '  done       rollback-deployment 0.1.0 on shop/Deployment/checkout: not started',
      '  verified   score unknown',
      '  reason     too late',
    ],
  },
  {
    name: 'without children',
    ending: { request: aRequest({ overallPhase: 'Completed', outcome: 'NoActionRequired' }), phases: [] },
    want: ['Completed / NoActionRequired'],
  },
];

describe('the end of a remediation, for people', () => {
  test.each(cases)('$name', ({ ending, want }) => {
    expect(summary(ending)).toEqual(want);
  });

  test('a workflow without a name goes by its id', () => {
    const { workflowName: _, ...workflowRef } = execution().spec.workflowRef;
    const nameless = execution();
    const [, done] = summary({
      request: aRequest(),
      execution: { ...nameless, spec: { ...nameless.spec, workflowRef: { ...workflowRef, workflowId: 'wf-7' } } },
      phases: [],
    });
    expect(done).toBe('  done       wf-7 0.1.0 on shop/Deployment/checkout: not started');
  });
});
