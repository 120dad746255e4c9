import { describe, expect, test } from 'vitest';
import type { EffectivenessAssessment } from '../../../api/effectiveness-assessment/effectiveness-assessment.ts';
import type { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import type { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import { DEFAULT_SETTINGS } from '../../default-settings.ts';
import { onlyRequest, type RemediationSeen } from '../observe.ts';
import { undoVerdict, type UndoSeen } from './undo-verdict.ts';
import {
  ABSENT,
  aDeployment,
  aNamespace,
  anExecution,
  aRequest,
  aWorkflow,
  TARGET,
  UNREADABLE,
  value,
  verifying,
  WORKFLOW,
} from '../testing/builders.ts';

type Assessed = NonNullable<EffectivenessAssessment['status']>;

const RECORD = {
  workflow: 'rollback-deployment',
  execution: 'we-rr',
  did: 'rolled back from revision 2 to the template of revision 1',
  undo: { workflow: 'rollback-deployment', parameters: { REVISION: '2' } },
};
const withRecord = (record: object | undefined = RECORD, more: object = {}) =>
  value(aDeployment({ replicas: 2 }, { ...(record && { annotations: { 'kubernaut.ai/undo': JSON.stringify(record) } }), ...more }));

const run: WorkflowExecution = (() => {
  const { spec, ...rest } = anExecution({ phase: 'Completed' });
  const { workflowName = '', workflowId, version, executionBundle } = WORKFLOW;
  return { ...rest, spec: { ...spec, workflowRef: { workflowName, workflowId, version, executionBundle } } };
})();
const asking = value(aWorkflow({ undo: { onScoreBelow: 0.5 } }));
const { undo: _, ...spec } = aWorkflow().spec;
const unasked = { ...aWorkflow(), spec };
const SEEN: UndoSeen = { run, workflow: asking, target: withRecord(), namespace: value(aNamespace()) };
const UNHEALTHY: Assessed = {
  phase: 'Completed',
  assessmentReason: 'Full',
  components: { healthAssessed: true, healthScore: 0, alertAssessed: true, hashComputed: true, currentSpecHash: TARGET.specHash },
};
const WANTED = {
  kind: 'wanted',
  undo: {
    requestRef: { apiVersion: 'kubernaut.ai/v1alpha1', kind: 'RemediationRequest', namespace: 'sickbay-system', name: 'rr-undo-rr-uid' },
    workflow: 'rollback-deployment',
    parameters: { REVISION: '2' },
    did: RECORD.did,
    specHash: TARGET.specHash,
  },
};
const NOT_WISHED = { kind: 'none' };
const impossible = (why: string) => ({ kind: 'none', why });
const scored = (healthScore: number): Assessed => ({ ...UNHEALTHY, components: { ...UNHEALTHY.components, healthScore } });

interface Case {
  readonly name: string;
  readonly undo?: Partial<UndoSeen>;
  readonly assessed?: Assessed;
  readonly spec?: Partial<RemediationRequest['spec']>;
  readonly seen?: Partial<RemediationSeen>;
  readonly want: object;
}

const wishes: readonly Case[] = [
  { name: 'asked for, and the score low', want: WANTED },
  { name: 'a score a little under the threshold', assessed: scored(0.499), want: WANTED },
  { name: 'a score at the threshold', assessed: scored(0.5), want: NOT_WISHED },
  { name: 'an unknown score', assessed: { ...UNHEALTHY, components: { hashComputed: true } }, want: NOT_WISHED },
  { name: 'the workflow requires no undo, which is the default', undo: { workflow: value(unasked) }, want: NOT_WISHED },
  { name: 'the workflow left the catalogue', undo: { workflow: ABSENT }, want: NOT_WISHED },
  { name: 'the catalogue unreadable', undo: { workflow: UNREADABLE }, want: { kind: 'unknown', why: 'forbidden' } },
  { name: 'it is an undo itself: that is not undone', spec: { undoOf: { name: 'other', uid: 'u' } }, want: NOT_WISHED },
];

const ways: readonly Case[] = [
  {
    name: 'no record',
    undo: { target: withRecord(undefined, { annotations: {} }) },
    want: impossible('the workflow wrote no undo record'),
  },
  {
    name: 'the record of another run',
    undo: { target: withRecord({ ...RECORD, execution: 'we-other' }) },
    want: impossible('the last change of the target is by we-other'),
  },
  {
    name: 'the record of another workflow',
    undo: { target: withRecord({ ...RECORD, workflow: 'scale-replicas' }) },
    want: impossible('the last change of the target is by we-rr'),
  },
  {
    name: 'a record that there is no way',
    undo: { target: withRecord({ ...RECORD, undo: { none: 'a deleted pod does not come back' } }) },
    want: impossible('a deleted pod does not come back'),
  },
];

const states: readonly Case[] = [
  { name: 'unreadable', undo: { target: UNREADABLE }, want: { kind: 'unknown', why: 'forbidden' } },
  { name: 'gone', undo: { target: ABSENT }, want: impossible('the target is no longer what was verified') },
  {
    name: 'another one of its name',
    undo: { target: withRecord(RECORD, { uid: 'another' }) },
    want: impossible('the target is no longer what was verified'),
  },
  {
    name: 'changed since',
    undo: { target: value(aDeployment({ replicas: 3 }, { annotations: { 'kubernaut.ai/undo': JSON.stringify(RECORD) } })) },
    want: impossible('the target is no longer what was verified'),
  },
  {
    name: 'being deleted',
    undo: { target: withRecord(RECORD, { deletionTimestamp: '2026-11-15T03:00:00Z' }) },
    want: impossible('the target is no longer what was verified'),
  },
  {
    name: 'changed meanwhile, which scores 0 and says nothing about our change',
    assessed: { ...UNHEALTHY, assessmentReason: 'SpecDrift' },
    want: impossible('another client changed the target in the meantime'),
  },
  {
    name: 'never seen whole',
    assessed: { ...UNHEALTHY, components: { healthAssessed: true, healthScore: 0 } },
    want: impossible('the target could not be read completely'),
  },
];

const dryRuns: readonly Case[] = [
  {
    name: 'everywhere',
    seen: { settings: { ...DEFAULT_SETTINGS, dryRun: true } },
    want: impossible('dry run, set by the configuration (dryRun)'),
  },
  { name: 'of the request', spec: { dryRun: true }, want: impossible('dry run, set by the request (spec.dryRun)') },
  {
    name: 'in the namespace',
    undo: { namespace: value(aNamespace({ 'kubernaut.ai/dry-run': 'true' })) },
    want: impossible('dry run, set by namespace shop (label kubernaut.ai/dry-run)'),
  },
  {
    name: 'of the workflow',
    undo: { workflow: value(aWorkflow({ undo: { onScoreBelow: 0.5 }, dryRun: true })) },
    want: impossible('dry run, set by RemediationWorkflow rollback-deployment (spec.dryRun)'),
  },
  {
    name: 'perhaps: the namespace unreadable',
    undo: { namespace: UNREADABLE },
    want: { kind: 'unknown', why: 'its namespace cannot be read' },
  },
];

function judge({ undo, assessed = UNHEALTHY, spec, seen, want }: Case): void {
  const observed = { ...onlyRequest(aRequest(verifying, spec), DEFAULT_SETTINGS), undo: { ...SEEN, ...undo }, ...seen };
  expect(undoVerdict(observed, assessed)).toEqual(want);
}

describe('whether a change is undone', () => {
  test.each(wishes)('$name', judge);

  test('not where there is nothing to go by', () => {
    expect(undoVerdict(onlyRequest(aRequest(verifying), DEFAULT_SETTINGS), UNHEALTHY)).toEqual(NOT_WISHED);
  });
});

describe('the undo plan', () => {
  test.each(ways)('$name', judge);

  test('is none on what has no spec: what others do to it cannot be seen', () => {
    const { spec: _, ...bare } = aDeployment({}, { annotations: { 'kubernaut.ai/undo': JSON.stringify(RECORD) } });
    const currentSpecHash = 'sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a';
    judge({
      name: '',
      undo: { target: value(bare as never) },
      assessed: { ...UNHEALTHY, components: { ...UNHEALTHY.components, currentSpecHash } },
      want: impossible('a target without a spec does not show whether another client changed it since'),
    });
  });
});

describe('the target', () => {
  test.each(states)('$name', judge);
});

describe('under a dry run nothing is undone', () => {
  test.each(dryRuns)('$name', judge);
});
