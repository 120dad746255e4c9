import { describe, expect, test } from 'vitest';
import { aWorkflow } from '../../analyst/testing/a-workflow.ts';
import type { AIAnalysis } from '../../api/ai-analysis/ai-analysis.ts';
import type { Deployment } from '../../api/builtin/index.ts';
import type { RemediationRequest } from '../../api/remediation-request/remediation-request.ts';
import { remediationRequestSample } from '../../api/remediation-request/sample.ts';
import type { RemediationWorkflow } from '../../api/remediation-workflow/remediation-workflow.ts';
import type { Read } from '../../runtime/reconcile/controller.ts';
import { specHash } from '../target/index.ts';
import { decide } from './decide.ts';
import { proposeUndo, type UndoFindings } from './propose-undo.ts';
import { anAnalysis, NOW } from './testing/an-analysis.ts';

type Undo = NonNullable<NonNullable<RemediationRequest['status']>['undo']>;

const value = <T>(object: T): Read<T> => ({ kind: 'value', value: object });
const ABSENT = { kind: 'absent' } as const;
const UNREADABLE = { kind: 'unreadable', reason: 'forbidden' } as const;
const meta = { namespace: 'sickbay-system', resourceVersion: '1', creationTimestamp: '2026-11-15T03:00:00Z' };

const RECORD = {
  workflow: 'rollback-deployment',
  execution: 'we-rr',
  did: 'rolled back from revision 2 to the template of revision 1',
  undo: { workflow: 'rollback-deployment', parameters: { REVISION: '2' } },
};
const checkout = (spec: object = {}, more: object = {}): Deployment =>
  ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {
      ...meta,
      name: 'checkout',
      namespace: 'shop',
      uid: 'checkout-uid',
      annotations: { 'kubernaut.ai/undo': JSON.stringify(RECORD) },
      ...more,
    },
    spec: { replicas: 2, selector: { matchLabels: { app: 'checkout' } }, template: { spec: { containers: [] } }, ...spec },
  }) as Deployment;

const PINNED = { kind: 'Deployment', name: 'checkout', namespace: 'shop', apiVersion: 'apps/v1', uid: 'checkout-uid' };
const UNDO: Undo = {
  requestRef: { name: 'rr-undo-1', uid: 'taker' },
  workflow: 'rollback-deployment',
  parameters: { REVISION: '2' },
  did: RECORD.did,
  specHash: specHash(checkout()),
};

/** The request that made the change; `undo` is what differs of its record. */
const original = (undo: Partial<Undo> | null = {}, more: { readonly uid?: string } = {}): Read<RemediationRequest> =>
  value({
    apiVersion: 'kubernaut.ai/v1alpha1',
    kind: 'RemediationRequest',
    metadata: { ...meta, name: 'rr', uid: 'original', ...more },
    spec: remediationRequestSample.spec,
    status: {
      // As it was before the change: not the state that the undo starts from.
      remediationTarget: { ...PINNED, specHash: 'sha256:before' },
      workflowExecutionRef: { name: 'we-rr', uid: 'w' },
      ...(undo && { undo: { ...UNDO, ...undo } }),
    },
  });

const question = (): AIAnalysis => {
  const analysis = anAnalysis({ status: { phase: 'Investigating', needsHumanReview: false, approvalRequired: false } });
  const remediationRequestRef = { name: 'rr-undo-1', uid: 'taker' };
  return { ...analysis, spec: { ...analysis.spec, remediationRequestRef, undoOf: { name: 'rr', uid: 'original' } } };
};

const rollback = aWorkflow('rollback-deployment');
const SEEN: UndoFindings = {
  kind: 'undo',
  original: original(),
  target: value(checkout()),
  catalogue: { kind: 'value', value: [aWorkflow('other'), rollback] },
};
const catalogue = (...entries: readonly RemediationWorkflow[]): Partial<UndoFindings> => ({ catalogue: { kind: 'value', value: entries } });
const propose = (seen: Partial<UndoFindings> = {}) => proposeUndo(question(), { ...SEEN, ...seen }, NOW);

describe('the undo of a change', () => {
  test('runs exactly the recorded workflow and parameters', () => {
    const found = propose();
    expect(found).toMatchObject({
      phase: 'Analyzing',
      status: {
        rootCauseAnalysis: { remediationTarget: { ...PINNED, specHash: UNDO.specHash } },
        selectedWorkflow: {
          workflowName: 'rollback-deployment',
          confidence: 1,
          parameters: {
            REVISION: '2',
            TARGET_RESOURCE_KIND: 'Deployment',
            TARGET_RESOURCE_NAME: 'checkout',
            TARGET_RESOURCE_NAMESPACE: 'shop',
          },
          rationale: `undoes: ${RECORD.did}`,
        },
      },
    });
  });

  test('is judged by the policy like any other plan', () => {
    const step = (object: AIAnalysis): AIAnalysis => {
      const { status } = decide({ object, findings: SEEN }, NOW);
      return { ...object, status: status as NonNullable<AIAnalysis['status']> };
    };
    const production = question();
    const signalContext = { ...production.spec.analysisRequest.signalContext, environment: 'Production' };
    const analysisRequest = { ...production.spec.analysisRequest, signalContext };
    const ended = step(step({ ...production, spec: { ...production.spec, analysisRequest } }));
    expect(ended.status).toMatchObject({ phase: 'Completed', approvalRequired: true, needsHumanReview: false });
    expect(ended.status?.approvalReason).toContain('every change in Production needs approval');
  });

  const waits: readonly { readonly name: string; readonly seen: Partial<UndoFindings>; readonly reason: string }[] = [
    { name: 'the catalogue unreadable', seen: { catalogue: UNREADABLE }, reason: 'reading the catalogue of workflows: forbidden' },
    { name: 'the original unreadable', seen: { original: UNREADABLE }, reason: 'reading rr: forbidden' },
    { name: 'the target unreadable', seen: { target: UNREADABLE }, reason: 'reading Deployment shop/checkout: forbidden' },
    {
      name: 'not recorded yet',
      seen: { original: original({ requestRef: { name: 'rr-undo-1' } }) },
      reason: 'waiting until rr records the UID of this request',
    },
  ];
  test.each(waits)('waits: $name', ({ seen, reason }) => expect(propose(seen)).toEqual({ phase: 'Investigating', reason }));

  const refusals: readonly {
    readonly name: string;
    readonly seen: Partial<UndoFindings>;
    readonly why: string;
    readonly subReason?: string;
  }[] = [
    { name: 'the original gone', seen: { original: ABSENT }, why: 'rr no longer exists' },
    { name: 'another of its name', seen: { original: original({}, { uid: 'another' }) }, why: 'rr no longer exists' },
    { name: 'nothing recorded', seen: { original: original(null) }, why: 'rr does not record this request as its undo' },
    {
      name: 'another request recorded, by name',
      seen: { original: original({ requestRef: { name: 'rr-undo-2', uid: 'taker' } }) },
      why: 'rr does not record this request as its undo',
    },
    {
      name: 'another request recorded, by UID',
      seen: { original: original({ requestRef: { name: 'rr-undo-1', uid: 'earlier' } }) },
      why: 'rr records another request as its undo',
    },
    { name: 'the target gone', seen: { target: ABSENT }, why: 'Deployment shop/checkout changed after it was verified' },
    {
      name: 'another target of its name',
      seen: { target: value(checkout({}, { uid: 'another' })) },
      why: 'Deployment shop/checkout changed after it was verified',
    },
    {
      name: 'the target changed since',
      seen: { target: value(checkout({ replicas: 3 })) },
      why: 'Deployment shop/checkout changed after it was verified',
    },
    {
      name: 'undone already, or changed by another run',
      seen: { target: value(checkout({}, { annotations: { 'kubernaut.ai/undo': JSON.stringify({ ...RECORD, execution: 'we-other' }) } })) },
      why: 'the last change to Deployment shop/checkout was made by we-other',
    },
    {
      name: 'the record gone',
      seen: { target: value(checkout({}, { annotations: {} })) },
      why: 'the last change to Deployment shop/checkout was made by another controller or person',
    },
    {
      name: 'no such workflow',
      seen: catalogue(aWorkflow('other')),
      why: 'the catalogue has no workflow rollback-deployment',
      subReason: 'WorkflowNotFound',
    },
    {
      name: 'a workflow that is not for this kind',
      seen: catalogue(aWorkflow('rollback-deployment', { labels: { component: ['Node'] } })),
      why: 'rollback-deployment is for component Node, not Deployment',
      subReason: 'ParameterValidationFailed',
    },
    {
      name: 'a workflow that is switched off',
      seen: catalogue(aWorkflow('rollback-deployment', { status: { catalogStatus: 'Disabled' } })),
      why: 'rollback-deployment is Disabled',
      subReason: 'ParameterValidationFailed',
    },
    {
      name: 'a value that it does not take',
      seen: { original: original({ parameters: { REVISION: 'two' } }) },
      why: 'REVISION=two is no integer',
      subReason: 'ParameterValidationFailed',
    },
    {
      name: 'a value that it does not know, which would be left out',
      seen: { original: original({ parameters: { REVISION: '2', FORCE: 'true' } }) },
      why: 'rollback-deployment does not accept the recorded value of FORCE',
      subReason: 'ParameterValidationFailed',
    },
    {
      name: 'a record that names another target',
      seen: { original: original({ parameters: { REVISION: '2', TARGET_RESOURCE_NAME: 'payments' } }) },
      why: 'rollback-deployment does not accept the recorded value of TARGET_RESOURCE_NAME',
      subReason: 'ParameterValidationFailed',
    },
  ];
  test.each(refusals)('goes to manual review: $name', ({ seen, why, subReason = 'NotActionable' }) => {
    const found = propose(seen);
    expect(found).toMatchObject({ phase: 'Completed', status: { needsHumanReview: true, subReason } });
    expect('status' in found && found.status.message).toContain(why);
    expect('status' in found && found.status).not.toHaveProperty('selectedWorkflow');
  });
});
