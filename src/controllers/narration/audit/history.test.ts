import { expect, test } from 'vitest';
import type { EffectivenessAssessment } from '../../../api/effectiveness-assessment/effectiveness-assessment.ts';
import { effectivenessAssessmentSample } from '../../../api/effectiveness-assessment/sample.ts';
import type { KubeObject } from '../../../api/meta.ts';
import type { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import { workflowExecutionSample } from '../../../api/workflow-execution/sample.ts';
import type { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import { instant, parseTime } from '../../../base/index.ts';
import { createRemediationHistory, memoryAuditLog } from '../../../store/index.ts';
import { assessmentEventsOf } from './assessment-audit-events.ts';
import { auditEventsOf } from './request-audit-events.ts';
import { executionEventsOf } from './execution-audit-events.ts';
import { aRequest, at, NAMESPACE } from '../testing/builders.ts';

const PRE = `sha256:${'4'.repeat(64)}`;
const POST = `sha256:${'5'.repeat(64)}`;
const WINDOW = { from: parseTime(at('00:00')) ?? instant(0) };

const request = (status: RemediationRequest['status']): RemediationRequest =>
  aRequest({
    startTime: at('10:01'),
    executingStartTime: at('10:03'),
    verifyingStartTime: at('10:06'),
    preRemediationSpecHash: PRE,
    ...status,
  });

/** A child of the request. */
const child = <T extends KubeObject>(kind: T['kind'], name: string, rest: object): T => {
  const { apiVersion, kind: ownerKind, metadata } = aRequest();
  const ownerReferences = [{ apiVersion, kind: ownerKind, name: metadata.name, uid: metadata.uid, controller: true }];
  return {
    apiVersion,
    kind,
    metadata: { namespace: NAMESPACE, name, uid: `uid-of-${name}`, resourceVersion: '1', creationTimestamp: at('10:03'), ownerReferences },
    ...rest,
  } as unknown as T;
};

const execution = child<WorkflowExecution>('WorkflowExecution', 'we-rr-checkout', {
  spec: {
    ...workflowExecutionSample.spec,
    remediationRequestRef: { name: 'rr-checkout' },
    targetResource: 'shop/Deployment/checkout',
    targetUID: 'uid-checkout',
    clusterID: 'west',
  },
  status: { phase: 'Completed', completionTime: at('10:06') },
});

const { preRemediationSpecHash: _, ...spec } = effectivenessAssessmentSample.spec;
const assessment = child<EffectivenessAssessment>('EffectivenessAssessment', 'ea-rr-checkout', {
  spec: { ...spec, correlationID: 'rr-checkout', preRemediationSpecHash: PRE },
  status: {
    phase: 'Completed',
    assessmentReason: 'Full',
    completedAt: at('10:20'),
    components: {
      hashComputed: true,
      postRemediationSpecHash: POST,
      healthAssessed: true,
      healthScore: 0.5,
      alertAssessed: true,
      alertScore: 0,
      metricsAssessed: true,
    },
  },
});

test('[EM-253] [EM-254] [EM-255] what is told of the objects of a remediation is what history knows', async () => {
  const log = memoryAuditLog();
  const ended = request({ overallPhase: 'Completed', outcome: 'Inconclusive', completedAt: at('10:20') });
  await log.append([...auditEventsOf(ended), ...executionEventsOf(execution), ...assessmentEventsOf(assessment)]);
  const history = createRemediationHistory(log);
  const found = await history.ofTarget({ cluster: 'west', target: 'shop/Deployment/checkout' }, WINDOW);
  const { workflowId, workflowName, version, actionType } = execution.spec.workflowRef;
  expect(found).toEqual([
    {
      remediation: 'rr-checkout',
      remediationUID: 'uid-of-rr-checkout',
      cluster: 'west',
      target: 'shop/Deployment/checkout',
      targetUID: 'uid-checkout',
      completedAt: at('10:06'),
      workflow: { id: workflowId, name: workflowName, version },
      actionType,
      signal: ended.spec.signalName,
      signalFingerprint: ended.spec.signalFingerprint,
      execution: 'Completed',
      outcome: 'Inconclusive',
      preRemediationSpecHash: PRE,
      postRemediationSpecHash: POST,
      assessmentReason: 'Full',
      assessedAt: at('10:20'),
      effectivenessScore: Number((0.2 / 0.75).toFixed(9)),
      measuredShare: 0.75,
      signalResolved: false,
    },
  ]);
  for (const hash of [PRE, POST]) expect(await history.bySpecHash(hash, WINDOW)).toEqual(found);
});

test('[EM-172] the hash from before is known as soon as the run is over', async () => {
  const log = memoryAuditLog();
  await log.append(auditEventsOf(request({ overallPhase: 'Verifying' })));
  const history = createRemediationHistory(log);
  expect(await history.preRemediationSpecHash({ name: 'rr-checkout', uid: 'uid-of-rr-checkout' })).toBe(PRE);
  expect(await history.preRemediationSpecHash({ name: 'rr-checkout', uid: 'another' })).toBeUndefined();
});
