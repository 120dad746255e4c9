import { describe, expect, test } from 'vitest';
import {
  ActionType,
  AIAnalysis,
  BLOCK_REASONS,
  crdOf,
  EffectivenessAssessment,
  kinds,
  Machine,
  MachineHealthCheck,
  NotificationRequest,
  RemediationApprovalRequest,
  RemediationRequest,
  RemediationWorkflow,
  SignalProcessing,
  WorkflowExecution,
  type JsonSchema,
  type KindDefinition,
} from './index.ts';

const version = (kind: KindDefinition, at = 0) => crdOf(kind).spec.versions[at]!;

/** The schema at a dotted path; `[]` steps into list items. */
function at(kind: KindDefinition, path: string): JsonSchema {
  const steps = path.replaceAll('[]', '.[]').split('.');
  const root = version(kind).schema!.openAPIV3Schema!;
  return steps.reduce<JsonSchema>((schema, step) => (step === '[]' ? schema.items : schema.properties?.[step]) ?? {}, root);
}

const columns = (kind: KindDefinition, index = 0): string =>
  (version(kind, index).additionalPrinterColumns ?? []).map(({ name, priority = 0 }) => (priority > 0 ? `(${name})` : name)).join(', ');

describe('names, columns and selectable fields are those that dashboards and habits know', () => {
  const cases = [
    {
      kind: RemediationRequest,
      short: 'rr',
      columns: 'Phase, Outcome, Alert, Signal NS, Signal Target, Workflow, Age, (RCA Target), (RCA NS), (Confidence), (Cluster), (Source)',
      select: ['spec.signalFingerprint', 'spec.signalType', 'spec.severity', 'spec.clusterID'],
    },
    {
      kind: SignalProcessing,
      short: 'sp',
      columns: 'Phase, Severity, Environment, Priority, (Reason), Age',
      select: ['spec.remediationRequestRef.name'],
    },
    {
      kind: AIAnalysis,
      short: 'aia',
      columns: 'Phase, Confidence, Approval Required, (Reason), Age',
      select: ['spec.remediationRequestRef.name'],
    },
    {
      kind: RemediationApprovalRequest,
      short: 'rar rars',
      columns: 'Workflow, Target NS, Target Kind, Target, Confidence, Decision, RequiredBy, Age, (Why), (AIAnalysis), (Expired), (Reason)',
      select: ['spec.remediationRequestRef.name', 'spec.aiAnalysisRef.name'],
    },
    {
      kind: WorkflowExecution,
      short: 'wfe',
      columns: 'Phase, Workflow, WorkflowID, Target, Duration, (Reason), Age',
      select: ['spec.remediationRequestRef.name', 'spec.targetResource'],
    },
    { kind: EffectivenessAssessment, short: 'ea', columns: 'Phase, Reason, CorrelationID, (ReadyReason), Age', select: [] },
    {
      kind: NotificationRequest,
      short: 'notif notifs',
      columns: 'Type, Priority, Phase, Attempts, (Reason), Age',
      select: ['spec.remediationRequestRef.name', 'spec.type', 'spec.severity'],
    },
    { kind: RemediationWorkflow, short: 'rw', columns: 'Action, Engine, Version, Age, (UUID), (Status)', select: [] },
    { kind: ActionType, short: 'at', columns: 'Action Type, Description, Age, (Workflows), (Registered)', select: ['spec.name'] },
    { kind: MachineHealthCheck, short: 'mhc mhcs', columns: 'Cluster, Replicas, Healthy, (Paused), Age', select: [] },
    { kind: Machine, short: 'ma', columns: 'Cluster, Node Name, (Provider ID), Phase, Age, Version, Healthy', select: [] },
  ];
  test.each(cases)('$kind.kind', ({ kind, short, columns: shown, select }) => {
    expect(crdOf(kind).spec.names.shortNames).toEqual(short.split(' '));
    expect(columns(kind)).toBe(shown);
    expect((version(kind).selectableFields ?? []).map(({ jsonPath }) => jsonPath)).toEqual(select.map((path) => `.${path}`));
  });

  test('older versions of a MachineHealthCheck show their own', () => {
    expect([version(MachineHealthCheck, 1).name, columns(MachineHealthCheck, 1)]).toEqual([
      'v1beta1',
      'Cluster, ExpectedMachines, MaxUnhealthy, CurrentHealthy, Age',
    ]);
    expect([version(MachineHealthCheck, 2).name, columns(MachineHealthCheck, 2)]).toEqual([
      'v1alpha3',
      'MaxUnhealthy, ExpectedMachines, CurrentHealthy',
    ]);
  });
});

test('the definition is named after plural and group, and serves what it stores', () => {
  for (const kind of kinds) {
    const { metadata, spec } = crdOf(kind);
    expect(metadata.name).toBe(`${spec.names.plural}.${spec.group}`);
    expect(spec.versions.filter(({ storage }) => storage).map(({ name }) => name)).toEqual([kind.version]);
    expect(spec.versions.every(({ served }) => served)).toBe(true);
  }
});

test('versions of one kind differ in nothing but the default of writtenAs and their columns', () => {
  const { versions } = crdOf(MachineHealthCheck).spec;
  const schemas = versions.map(({ name, schema }) => JSON.stringify(schema).replaceAll(`"default":"${name}"`, '"default":"*"'));
  expect(new Set(schemas).size).toBe(1);
  expect(crdOf(MachineHealthCheck).spec.conversion).toEqual({ strategy: 'None' });
  expect(versions.map(({ deprecated = false }) => deprecated)).toEqual([false, true, true]);
});

test('[RR-004] a RemediationRequest is namespaced, in kubernaut.ai/v1alpha1, with a status subresource', () => {
  const { spec } = crdOf(RemediationRequest);
  expect([spec.names.kind, spec.group, spec.scope]).toEqual(['RemediationRequest', 'kubernaut.ai', 'Namespaced']);
  expect(spec.versions.map(({ name, subresources }) => [name, subresources])).toEqual([['v1alpha1', { status: {} }]]);
});

test('[RR-005] the status of a RemediationRequest is flat', () => {
  const named = [
    'overallPhase',
    'outcome',
    'blockReason',
    'blockedUntil',
    'nextAllowedExecution',
    'consecutiveFailureCount',
    'duplicateCount',
    'requiresManualReview',
    'timeoutPhase',
    'timeoutConfig',
    'signalProcessingRef',
    'aiAnalysisRef',
    'effectivenessAssessmentRef',
    'processingStartTime',
    'analyzingStartTime',
    'verificationDeadline',
    'observedGeneration',
  ];
  expect(Object.keys(at(RemediationRequest, 'status').properties ?? {})).toEqual(expect.arrayContaining(named));
});

test('[CO-005] the fingerprint is 64 lower-case hex digits, and immutable', () => {
  expect(at(RemediationRequest, 'spec.signalFingerprint')).toMatchObject({
    pattern: '^[a-f0-9]{64}$',
    'x-kubernetes-validations': [{ rule: 'self == oldSelf' }],
  });
  expect(at(RemediationRequest, 'spec').required).toContain('signalFingerprint');
});

test('a block names one of the eight reasons', () => {
  expect(at(RemediationRequest, 'status.blockReason').enum).toEqual([...BLOCK_REASONS]);
  expect(BLOCK_REASONS).toHaveLength(8);
});

test('[WE-005] the spec of a WorkflowExecution', () => {
  expect(at(WorkflowExecution, 'spec').required).toEqual(['remediationRequestRef', 'targetResource', 'workflowRef']);
  expect(at(WorkflowExecution, 'spec.workflowRef').required).toEqual(['workflowId', 'version', 'executionBundle']);
  expect(Object.keys(at(WorkflowExecution, 'spec').properties ?? {})).toEqual(
    expect.arrayContaining(['parameters', 'confidence', 'rationale']),
  );
});

test('[WE-006] [WE-007] [BO-047] the status of a WorkflowExecution is flat and has the fields of the backoff policy', () => {
  const named = [
    'phase',
    'startTime',
    'completionTime',
    'duration',
    'executionRef',
    'executionStatus',
    'failureReason',
    'failureDetails',
    'ephemeralCredentialIDs',
    'conditions',
    'consecutiveFailures',
    'nextAllowedExecution',
    'skipDetails',
  ];
  expect(Object.keys(at(WorkflowExecution, 'status').properties ?? {})).toEqual(expect.arrayContaining(named));
  expect(Object.keys(at(WorkflowExecution, 'status.executionRef').properties ?? {})).toContain('name');
  expect(Object.keys(at(WorkflowExecution, 'status.skipDetails').properties ?? {})).toEqual([
    'reason',
    'message',
    'skippedAt',
    'recentRemediation',
  ]);
  expect(at(WorkflowExecution, 'status.phase').enum).toContain('Skipped');
});

test('[BO-048] [BO-049] the reasons to skip are spelled as the policy spells them', () => {
  expect(at(WorkflowExecution, 'status.skipDetails.reason').enum).toEqual([
    'ResourceBusy',
    'RecentlyRemediated',
    'ExhaustedRetries',
    'PreviousExecutionFailed',
  ]);
});

test('[WE-018] [WE-019] failureDetails', () => {
  expect(Object.keys(at(WorkflowExecution, 'status.failureDetails').properties ?? {})).toEqual([
    'reason',
    'message',
    'naturalLanguageSummary',
    'failedAt',
    'failedTaskName',
    'failedTaskIndex',
    'failedStepName',
    'exitCode',
    'executionTimeBeforeFailure',
    'wasExecutionFailure',
    'requiresManualReview',
  ]);
});

test('[EM-014] [EM-015] [EM-016] the findings of an EffectivenessAssessment', () => {
  for (const name of ['validityDeadline', 'prometheusCheckAfter', 'alertManagerCheckAfter']) {
    expect(at(EffectivenessAssessment, `status.${name}`)).toMatchObject({ type: 'string', format: 'date-time' });
  }
  const named = [
    'healthAssessed',
    'healthScore',
    'alertAssessed',
    'alertScore',
    'metricsAssessed',
    'metricsScore',
    'hashComputed',
    'postRemediationSpecHash',
    'currentSpecHash',
  ];
  expect(Object.keys(at(EffectivenessAssessment, 'status.components').properties ?? {})).toEqual(expect.arrayContaining(named));
  expect(at(EffectivenessAssessment, 'status.components.alertDecayRetries').type).toBe('integer');
});

test('[EM-010] hashes have the form sha256:<64 hex>, and are optional', () => {
  expect(at(EffectivenessAssessment, 'spec.preRemediationSpecHash').pattern).toBe('^sha256:[a-f0-9]{64}$');
  expect(at(EffectivenessAssessment, 'spec').required).not.toContain('preRemediationSpecHash');
});

test('[MH-084] the external template is an optional reference', () => {
  expect(at(MachineHealthCheck, 'spec').required).toEqual(['selector']);
  expect(at(MachineHealthCheck, 'spec.externalRemediationTemplate').required).toEqual(['apiVersion', 'kind', 'name']);
});

test('[MH-157] targets are chosen by label selector only', () => {
  const fields = JSON.stringify(at(MachineHealthCheck, 'spec').properties);
  expect(Object.keys(at(MachineHealthCheck, 'spec.selector').properties ?? {})).toEqual(['matchLabels', 'matchExpressions']);
  expect(fields).not.toMatch(/machineSet/i);
});

test('[CO-165] a workflow declares its parameters with types', () => {
  expect(at(RemediationWorkflow, 'spec.parameters')).toMatchObject({ minItems: 1, 'x-kubernetes-list-map-keys': ['name'] });
  expect(at(RemediationWorkflow, 'spec.parameters[]').required).toEqual(['name', 'type', 'required', 'description']);
});

test('[CO-166] [CO-167] a workflow can say that it scales to zero, and that it is for show only', () => {
  expect([at(RemediationWorkflow, 'spec.scalesToZero').type, at(RemediationWorkflow, 'spec.dryRun').type]).toEqual(['boolean', 'boolean']);
});
