import { describe, expect, test } from 'vitest';
import { after, MINUTE } from '../../../base/index.ts';
import { DEFAULT_SETTINGS } from '../../default-settings.ts';
import { fingerprint, type SeenTarget, type Target } from '../../target/index.ts';
import { aConfigMap, given } from '../../target/testing/builders.ts';
import { assessmentDraft } from './draft-assessment.ts';
import { onlyRequest, type RemediationSeen } from '../observe.ts';
import {
  ABSENT,
  aDeployment,
  ago,
  anAnalysis,
  anExecution,
  aRequest,
  NOW,
  TARGET,
  UNREADABLE,
  untouched,
  value,
} from '../testing/builders.ts';

const volumes = [{ name: 'v', configMap: { name: 'settings' } }];
const mounting = aDeployment({ replicas: 2, template: { spec: { containers: [], volumes } } });
const whole = given(mounting, { settings: value(aConfigMap({ a: '1' })) });
const inPart = given(mounting, { settings: UNREADABLE });
const endedNow = value(anExecution({ phase: 'Completed', completionTime: ago(0) }));

const draftOf = (
  target: RemediationSeen['target'],
  { execution = endedNow, atMs = 0 }: { execution?: RemediationSeen['execution']; atMs?: number } = {},
) => {
  const request = aRequest({ overallPhase: 'Executing', remediationTarget: TARGET });
  const seen: RemediationSeen = { ...onlyRequest(request, DEFAULT_SETTINGS), target, execution };
  return assessmentDraft(seen, 'Verifying', after(NOW, atMs));
};

describe('the state in which a run left its target', () => {
  test('[EM-180] is that of the spec and of the ConfigMaps', () => {
    expect(draftOf(value(whole))?.spec.appliedSpecHash).toBe(fingerprint(whole).specHash);
    const other: SeenTarget = given(mounting, { settings: value(aConfigMap({ a: '2' })) });
    expect(draftOf(value(other))?.spec.appliedSpecHash).not.toBe(fingerprint(whole).specHash);
  });

  test('is known where a ConfigMap does not exist', () =>
    expect(draftOf(value(given(mounting, { settings: ABSENT })))?.spec.appliedSpecHash).toMatch(/^sha256:/));

  test.each([
    ['right after the run', 0, false],
    ['up to two minutes after it', 2 * MINUTE - 1, false],
    ['no longer', 2 * MINUTE, true],
  ])('is waited for where a ConfigMap cannot be read: %s', (_, atMs, isOrdered) => {
    const draft = draftOf(value(inPart), { atMs });
    expect(draft !== undefined).toBe(isOrdered);
    expect(draft?.spec ?? {}).not.toHaveProperty('appliedSpecHash');
  });

  test.each([
    ['cannot be read', UNREADABLE],
    ['has no recorded end', value(anExecution({ phase: 'Completed' }))],
    ['has no status', value(untouched(anExecution()))],
  ])('does not wait for the change where the run %s: the start of the wait is unknown', (_, execution) =>
    expect(draftOf(value(inPart), { execution: execution as RemediationSeen['execution'] })?.spec).toBeDefined(),
  );

  test('is waited for as long as the target itself cannot be read', () =>
    expect(draftOf(UNREADABLE, { atMs: 60 * MINUTE })).toBeUndefined());
});

describe('an assessment', () => {
  const configOf = (change: Partial<RemediationSeen>, remediationTarget: Target | undefined = TARGET) => {
    const request = aRequest({ overallPhase: 'Executing', ...(remediationTarget && { remediationTarget }) });
    const seen: RemediationSeen = { ...onlyRequest(request, DEFAULT_SETTINGS), target: ABSENT, execution: endedNow, ...change };
    return assessmentDraft(seen, 'Verifying', NOW)?.spec.config;
  };

  test('gives GitOps the time that the analysis says it takes', () => {
    const analysis = value(anAnalysis({ postRCAContext: { detectedLabels: { gitOpsManaged: true } } as never }));
    expect(configOf({ analysis })).toHaveProperty('hashComputeDelay');
    expect(configOf({ analysis: UNREADABLE })).not.toHaveProperty('hashComputeDelay');
  });

  test('goes by the kind of what was worked on, else of what the signal is about', () => {
    expect(configOf({}, { ...TARGET, kind: 'Postgres', apiVersion: 'acid.zalan.do/v1' })).toHaveProperty('hashComputeDelay');
    expect(configOf({})).not.toHaveProperty('hashComputeDelay');
  });

  test('measures nothing where no target is recorded', () => {
    const request = aRequest({ overallPhase: 'Executing' });
    const seen: RemediationSeen = { ...onlyRequest(request, DEFAULT_SETTINGS), target: value(whole), execution: endedNow };
    expect(assessmentDraft(seen, 'Verifying', NOW)?.spec).not.toHaveProperty('appliedSpecHash');
  });
});

test('a request that stands for no alert leaves nothing to ask Alertmanager for', () => {
  const named = (signalSource: string) => {
    const request = aRequest({ overallPhase: 'Executing', remediationTarget: TARGET }, { signalSource, signalName: 'MachineUnhealthy' });
    const seen: RemediationSeen = { ...onlyRequest(request, DEFAULT_SETTINGS), target: value(whole), execution: endedNow };
    return assessmentDraft(seen, 'Verifying', NOW)?.spec.signalName;
  };
  expect([named('prometheus'), named('machine-health')]).toEqual(['MachineUnhealthy', undefined]);
});

describe('what metrics are compared with (ruling 133)', () => {
  const found = anAnalysis({ rootCauseAnalysis: { summary: 'killed at its memory limit', signalType: 'OOMKilled' } });
  const specWith = (analysis: RemediationSeen['analysis'], execution: RemediationSeen['execution'] = endedNow) => {
    const request = aRequest({ overallPhase: 'Executing', remediationTarget: TARGET });
    const seen: RemediationSeen = { ...onlyRequest(request, DEFAULT_SETTINGS), target: value(whole), execution, analysis };
    return { request, spec: assessmentDraft(seen, 'Verifying', NOW)?.spec };
  };
  test('the start of the first signal and of the run, and the cause', () => {
    const { request, spec } = specWith(
      value(found),
      value(anExecution({ phase: 'Completed', startTime: ago(MINUTE), completionTime: ago(0) })),
    );
    expect(spec).toMatchObject({
      faultStartedAt: request.spec.firingTime,
      executionStartedAt: ago(MINUTE),
      cause: 'OOMKilled: killed at its memory limit',
    });
  });
  test('a long cause is cut to what the field holds', () => {
    const long = anAnalysis({ rootCauseAnalysis: { summary: 'x'.repeat(2_000), signalType: 'OOMKilled' } });
    expect(specWith(value(long)).spec?.cause).toHaveLength(512);
  });
  test.each([ABSENT, UNREADABLE])('what is not known is left out: %j', (unknown) => {
    const { spec } = specWith(unknown, unknown);
    for (const name of ['cause', 'executionStartedAt']) expect(spec).not.toHaveProperty(name);
  });
});

test('[EM-090, EM-091] a target that a GitOps tool applies is given the time that the tool takes', () => {
  const byArgo = { ...whole, metadata: { ...whole.metadata, labels: { 'argocd.argoproj.io/instance': 'shop' } } };
  expect(draftOf(value(byArgo))?.spec.config).toHaveProperty('hashComputeDelay', '3m0s');
  expect(draftOf(value(whole))?.spec.config).not.toHaveProperty('hashComputeDelay');
});
