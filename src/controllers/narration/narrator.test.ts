import { describe, expect, test } from 'vitest';
import type { RemediationRequest } from '../../api/remediation-request/remediation-request.ts';
import { keyOf } from '../../api/meta.ts';
import { SECOND, turn } from '../../base/index.ts';
import type { EffectivenessAssessment } from '../../api/effectiveness-assessment/effectiveness-assessment.ts';
import { effectivenessAssessmentSample } from '../../api/effectiveness-assessment/sample.ts';
import type { KubeObject } from '../../api/meta.ts';
import type { WorkflowExecution } from '../../api/workflow-execution/workflow-execution.ts';
import { anExecution } from '../execution/testing/builders.ts';
import { anApproval, aRequest, at, NAMESPACE } from './testing/builders.ts';
import { NarrationStage } from './testing/narration-stage.ts';

type Status = NonNullable<RemediationRequest['status']>;

const PENDING: Status = { overallPhase: 'Pending', startTime: at('10:01') };
const PROCESSING: Status = { ...PENDING, overallPhase: 'Processing', processingStartTime: at('10:02') };
const BLOCKED: Status = { ...PENDING, overallPhase: 'Blocked', blockReason: 'ResourceBusy', blockedStartTime: at('10:02') };
const pending = aRequest(PENDING, 'rr-checkout', '2');
const processing = aRequest(PROCESSING, 'rr-checkout', '3');
const PROCESSING_ID = `phase.transitioned/Processing@${at('10:02')}`;

describe('a narrator that leads', () => {
  test('adds the state at the start to the audit trail, and records no Event for it', async () => {
    const stage = new NarrationStage([processing]);
    await stage.lead();
    expect(await stage.recorded()).toEqual(['lifecycle.created', 'lifecycle.started', PROCESSING_ID]);
    expect(stage.told).toEqual([]);
    expect(stage.counted).toEqual([]);
    expect(stage.narrator.isRecorded(processing)).toBe(true);
  });

  test('tells what happens then: record, Events and counts', async () => {
    const stage = new NarrationStage();
    await stage.lead();
    stage.requests.put(aRequest(undefined, 'rr-checkout', '1'));
    stage.requests.put(pending);
    stage.requests.put(processing);
    expect(await stage.recorded()).toEqual(['lifecycle.created', 'lifecycle.started', PROCESSING_ID]);
    expect(stage.told).toEqual([{ about: 'RemediationRequest rr-checkout', reason: 'RemediationCreated' }]);
    expect(stage.counted.map(({ counter, labels }) => `${counter} ${labels['from_phase']}→${labels['to_phase']}`)).toEqual([
      'phase_transitions_total →Pending',
      'phase_transitions_total Pending→Processing',
    ]);
  });

  test('appends only what is new', async () => {
    const stage = new NarrationStage([pending]);
    const batches: number[] = [];
    const { append } = stage.trail;
    stage.trail.append = (events) => (batches.push(events.length), append(events));
    await stage.lead();
    stage.requests.put(processing);
    await turn();
    stage.requests.put({ ...processing, metadata: { ...processing.metadata, resourceVersion: '4' } });
    await turn();
    expect(batches.filter((size) => size > 0)).toEqual([2, 1]);
  });

  test('tells of decisions, about the request that they are for', async () => {
    const stage = new NarrationStage([pending]);
    await stage.lead();
    stage.approvals.put(anApproval({}, pending));
    stage.approvals.put(anApproval({ decision: 'Rejected', decidedAt: at('10:05'), decidedBy: 'alex' }, pending));
    expect(await stage.recorded()).toContain('approval.rejected');
    expect(stage.told).toEqual([{ about: 'RemediationRequest rr-checkout', reason: 'ApprovalRejected' }]);
    expect(stage.counted).toEqual([{ counter: 'approval_decisions_total', labels: { decision: 'Rejected', namespace: 'sickbay-system' } }]);
    expect(stage.narrator.isRecorded(pending)).toBe(true);
  });

  test('finds decisions that were made while there was no leader', async () => {
    const stage = new NarrationStage([pending]);
    stage.approvals.put(anApproval({ decision: 'Approved', decidedAt: at('10:05'), decidedBy: 'alex' }, pending));
    await stage.lead();
    expect(await stage.recorded()).toContain('approval.approved');
    expect(stage.told).toEqual([]);
  });

  test('a decision for a request that is not there, or is another by now, is told about itself', async () => {
    const stage = new NarrationStage([{ ...pending, metadata: { ...pending.metadata, uid: 'another' } }]);
    await stage.lead();
    stage.approvals.put(anApproval({ decision: 'Expired', decidedAt: at('10:05') }, pending));
    expect(await stage.recorded()).not.toContain('approval.expired');
    expect(stage.told).toEqual([{ about: 'RemediationApprovalRequest rar-rr-checkout', reason: 'ApprovalExpired' }]);
  });

  test('follows its own namespace only, so that the label has one value', () => {
    expect(new NarrationStage().followed.map(({ resource, namespace }) => [resource.kind, namespace])).toEqual([
      ['RemediationRequest', 'sickbay-system'],
      ['RemediationApprovalRequest', 'sickbay-system'],
      ['WorkflowExecution', 'sickbay-system'],
      ['EffectivenessAssessment', 'sickbay-system'],
    ]);
  });

  test('goes on where an object cannot be understood, and says so', async () => {
    const odd = { ...pending, spec: undefined } as unknown as RemediationRequest;
    const stage = new NarrationStage([odd]);
    await stage.lead();
    stage.requests.put(aRequest(PENDING, 'rr-other', '2'));
    expect(await stage.recorded()).toEqual(['lifecycle.created', 'lifecycle.started']);
    expect(stage.lines).toMatchObject([{ level: 'error', message: 'reporting a change failed' }]);
    expect(stage.narrator.isRecorded(odd)).toBe(false);
  });
});

describe('a narrator that does not lead', () => {
  test('tells nothing, knows nothing, and counts no blocks', async () => {
    const stage = new NarrationStage([pending]);
    stage.requests.put(processing);
    expect(await stage.recorded()).toEqual([]);
    expect(stage.told).toEqual([]);
    expect(stage.narrator.isRecorded(processing)).toBe(false);
    expect(stage.gauges?.blocked().size).toBe(0);
  });

  test('tells nothing more after its time, and looks at everything again when it leads again', async () => {
    const stage = new NarrationStage([pending]);
    await stage.lead();
    await stage.stop();
    expect(stage.requests.listeners).toBe(0);
    expect(stage.narrator.isRecorded(pending)).toBe(false);
    stage.requests.put(processing);
    expect(await stage.recorded()).not.toContain(PROCESSING_ID);
    await stage.lead();
    expect(await stage.recorded()).toEqual(['lifecycle.created', 'lifecycle.started', PROCESSING_ID]);
    expect(stage.told).toEqual([]);
  });

  test('is told to stop before the cache is filled: nothing happens', async () => {
    const stage = new NarrationStage([pending]);
    const leading = stage.lead();
    await stage.stop();
    await leading;
    expect(await stage.recorded()).toEqual([]);
    expect(stage.appends).toBe(0);
  });
});

describe('whether a request is recorded', () => {
  test('is not known of a state that the watch has not shown', async () => {
    const stage = new NarrationStage([pending]);
    await stage.lead();
    expect(stage.narrator.isRecorded(pending)).toBe(true);
    expect(stage.narrator.isRecorded(processing)).toBe(false);
  });

  test('it is not while the store cannot be written; then the gap shows, and is closed by trying again', async () => {
    const stage = new NarrationStage([pending]);
    stage.refusal = new Error('writing to /audit.db: disk is full; free space');
    await stage.lead();
    stage.requests.put(processing);
    await turn();
    expect(stage.narrator.isRecorded(processing)).toBe(false);
    expect(stage.gauges?.pendingEvents()).toBe(3);
    expect(stage.narrator.problem()).toBe('writing to /audit.db: disk is full; free space');
    await stage.clock.advance(3 * SECOND);
    expect(stage.lines.filter(({ level }) => level === 'error')).toHaveLength(1);
    stage.refusal = undefined;
    await stage.clock.advance(30 * SECOND);
    expect(stage.narrator.isRecorded(processing)).toBe(true);
    expect(stage.gauges?.pendingEvents()).toBe(0);
    expect(stage.narrator.problem()).toBeUndefined();
    expect(stage.lines.at(-1)).toMatchObject({ level: 'info', message: 'the audit trail is written again' });
  });

  test('a store that cannot be written shows before anything happens', async () => {
    const stage = new NarrationStage();
    stage.refusal = new Error('opening /audit.db: it is a folder');
    await stage.lead();
    expect(stage.narrator.problem()).toBe('opening /audit.db: it is a folder');
  });

  test('a block that comes and goes while the store is down is recorded in the end, though the object no longer mentions it', async () => {
    const stage = new NarrationStage([pending]);
    stage.refusal = new Error('down');
    await stage.lead();
    stage.requests.put(aRequest(BLOCKED, 'rr-checkout', '3'));
    stage.requests.put(aRequest(PENDING, 'rr-checkout', '4'));
    stage.requests.remove(keyOf(pending));
    stage.refusal = undefined;
    await stage.clock.advance(30 * SECOND);
    expect(await stage.recorded()).toContain(`routing.blocked/ResourceBusy@${at('10:02')}`);
    expect(stage.gauges?.pendingEvents()).toBe(0);
  });

  test('what waits when it is told to stop is tried once more', async () => {
    const stage = new NarrationStage([pending]);
    stage.refusal = new Error('down');
    await stage.lead();
    stage.refusal = undefined;
    await stage.stop();
    expect(await stage.recorded()).toEqual(['lifecycle.created', 'lifecycle.started']);
  });
});

test('blocks that last are counted from what the cache holds', async () => {
  const stage = new NarrationStage([aRequest(BLOCKED, 'rr-a'), aRequest(BLOCKED, 'rr-b'), aRequest(PENDING, 'rr-c')]);
  await stage.lead();
  expect(stage.gauges?.blocked()).toEqual(new Map([['sickbay-system', 2]]));
});

describe('executions', () => {
  const aRun = (
    status: NonNullable<WorkflowExecution['status']>,
    owner: RemediationRequest = pending,
    version = '1',
  ): WorkflowExecution => {
    const { apiVersion, kind, metadata } = owner;
    const execution = anExecution({ name: 'we-checkout', uid: 'uid-of-we', status });
    const ownerReferences = [{ apiVersion, kind, name: metadata.name, uid: metadata.uid, controller: true }];
    return { ...execution, metadata: { ...execution.metadata, namespace: NAMESPACE, resourceVersion: version, ownerReferences } };
  };
  const SELECTED = { type: 'Selected', status: 'True' as const, reason: 'R', message: '', lastTransitionTime: at('10:03') };
  const RESTS = { type: 'Ready', status: 'False' as const, reason: 'CooldownActive', message: 'm', lastTransitionTime: at('10:03') };
  const waits = aRun({ phase: 'Pending', conditions: [SELECTED, RESTS] });
  const ended = aRun({ phase: 'Failed', conditions: [SELECTED], startTime: at('10:03'), completionTime: at('10:04') }, pending, '2');
  const ofRun = (ids: readonly string[]): readonly string[] => ids.filter((id) => id.startsWith('workflowexecution.'));

  test('are recorded with their request, once, and get Events', async () => {
    const stage = new NarrationStage([pending]);
    await stage.lead();
    stage.executions.put(waits);
    stage.executions.put(waits);
    stage.executions.put(ended);
    expect(ofRun(await stage.recorded())).toEqual(['workflowexecution.selection.completed', 'workflowexecution.workflow.failed']);
    expect(stage.told).toEqual([{ about: 'WorkflowExecution we-checkout', reason: 'CooldownActive' }]);
    expect(stage.counted).toContainEqual({ counter: 'workflowexecution_reconciler_total', labels: { outcome: 'Failed' } });
    expect(stage.took).toEqual([{ outcome: 'Failed', seconds: 60 }]);
  });

  test('keep their request until they are recorded', async () => {
    const stage = new NarrationStage([pending]);
    await stage.lead();
    expect(stage.narrator.isRecorded(pending)).toBe(true);
    stage.refusal = new Error('the disk is full');
    stage.executions.put(waits);
    await turn();
    expect(stage.narrator.isRecorded(pending)).toBe(false);
  });

  test('that were there before are made up for, with and without a request', async () => {
    const orphan = aRun({ phase: 'Failed', completionTime: at('10:04') }, aRequest(PENDING, 'rr-gone'));
    const stage = new NarrationStage([pending]);
    stage.executions.put(waits);
    stage.executions.put({ ...orphan, metadata: { ...orphan.metadata, name: 'we-orphan', uid: 'uid-of-orphan' } });
    await stage.lead();
    expect(ofRun(await stage.recorded())).toEqual(['workflowexecution.selection.completed', 'workflowexecution.workflow.failed']);
    expect(stage.told).toEqual([]);
  });

  test('of another request are not put on its account', async () => {
    const stage = new NarrationStage([pending]);
    stage.executions.put(aRun({ phase: 'Pending', conditions: [SELECTED] }, aRequest(PENDING, 'rr-gone')));
    await stage.lead();
    expect(stage.narrator.isRecorded(pending)).toBe(true);
    expect(ofRun(await stage.recorded())).toHaveLength(1);
  });

  test('that are deleted tell nothing', async () => {
    const stage = new NarrationStage([pending]);
    await stage.lead();
    stage.executions.put(waits);
    await turn();
    const before = stage.told.length;
    stage.executions.remove(keyOf(waits));
    await turn();
    expect(stage.told).toHaveLength(before);
  });
});

describe('assessments', () => {
  const anAssessment = (status: NonNullable<EffectivenessAssessment['status']>, owner: RemediationRequest = pending): KubeObject => {
    const { apiVersion, kind, metadata } = owner;
    const ownerReferences = [{ apiVersion, kind, name: metadata.name, uid: metadata.uid, controller: true }];
    const { spec } = effectivenessAssessmentSample;
    const own = { name: 'ea-checkout', namespace: NAMESPACE, uid: 'uid-of-ea', creationTimestamp: at('10:03') };
    const object = { apiVersion, kind: 'EffectivenessAssessment', spec, status };
    return { ...object, metadata: { ...own, resourceVersion: status.phase ?? '', ownerReferences } } as KubeObject;
  };
  const settles = anAssessment({ phase: 'Stabilizing', prometheusCheckAfter: at('10:09') });
  const ended = anAssessment({
    phase: 'Completed',
    assessmentReason: 'Full',
    completedAt: at('10:10'),
    components: { healthAssessed: true, healthScore: 0.75 },
  });
  const ofAssessment = (ids: readonly string[]): readonly string[] => ids.filter((id) => id.startsWith('effectiveness.'));

  test('are recorded with their request, once, and get Events', async () => {
    const stage = new NarrationStage([pending]);
    await stage.lead();
    for (const state of [settles, settles, ended]) stage.assessments.put(state);
    expect(ofAssessment(await stage.recorded())).toEqual([
      'effectiveness.assessment.scheduled/Stabilizing',
      'effectiveness.health.assessed',
      'effectiveness.assessment.completed',
    ]);
    expect(stage.told).toContainEqual({ about: 'EffectivenessAssessment ea-checkout', reason: 'EffectivenessAssessed' });
    expect(stage.counted).toContainEqual({ counter: 'assessments_completed_total', labels: { reason: 'Full' } });
    expect(stage.scores).toEqual([{ component: 'health', score: 0.75 }]);
  });

  test('that ended while there was no leader are recorded later, and one without a request is not recorded', async () => {
    const stage = new NarrationStage([pending]);
    stage.assessments.put(ended);
    await stage.lead();
    expect(ofAssessment(await stage.recorded())).toEqual(['effectiveness.health.assessed', 'effectiveness.assessment.completed']);
    const alone = new NarrationStage([]);
    await alone.lead();
    alone.assessments.put(ended);
    expect(await alone.recorded()).toEqual([]);
  });

  test('keep their request until they are recorded', async () => {
    const stage = new NarrationStage([pending]);
    await stage.lead();
    stage.refusal = new Error('the disk is full');
    stage.assessments.put(ended);
    await turn();
    expect(stage.narrator.isRecorded(pending)).toBe(false);
  });
});
