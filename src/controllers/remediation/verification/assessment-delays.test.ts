import { describe, expect, test } from 'vitest';
import { aiAnalysisSample } from '../../../api/ai-analysis/sample.ts';
import type { AIAnalysis } from '../../../api/ai-analysis/ai-analysis.ts';
import { MINUTE } from '../../../base/index.ts';
import { DEFAULT_SETTINGS } from '../../default-settings.ts';
import { assessmentConfig } from './assessment-delays.ts';
import { anAnalysis, TARGET, untouched } from '../testing/builders.ts';

const gitOps = (gitOpsManaged: boolean): AIAnalysis => anAnalysis({ postRCAContext: { detectedLabels: { gitOpsManaged } } as never });

const signalled = (signalMode: 'proactive' | 'reactive', analysis = anAnalysis()): AIAnalysis => {
  const { analysisRequest } = aiAnalysisSample.spec;
  const signalContext = { ...analysisRequest.signalContext, signalMode };
  return { ...analysis, spec: { ...analysis.spec, analysisRequest: { ...analysisRequest, signalContext } } };
};

/** Of a kind that an operator brought along. */
const OPERATED = { ...TARGET, kind: 'Postgres', apiVersion: 'acid.zalan.do/v1' };
const settings = {
  ...DEFAULT_SETTINGS,
  stabilizationMs: 5 * MINUTE,
  propagation: { gitOpsSyncMs: 3 * MINUTE, operatorReconcileMs: MINUTE, proactiveAlertMs: 7 * MINUTE },
};
const AT_ONCE = { stabilizationWindow: '5m0s' };

describe('an assessment looks', () => {
  test.each([
    ['as soon as it is stable', TARGET, anAnalysis(), AT_ONCE],
    ['so too where nothing is known of an analysis', TARGET, undefined, AT_ONCE],
    ['so too where an analysis has come to nothing', TARGET, untouched(anAnalysis()), AT_ONCE],
    ['so too where no labels were detected', TARGET, anAnalysis({ postRCAContext: {} as never }), AT_ONCE],
    ['so too where GitOps has no hand in it', TARGET, gitOps(false), AT_ONCE],
    ['[EM-091] later where GitOps syncs it', TARGET, gitOps(true), { ...AT_ONCE, hashComputeDelay: '3m0s' }],
    ['[EM-092] later where an operator reconciles it', OPERATED, anAnalysis(), { ...AT_ONCE, hashComputeDelay: '1m0s' }],
    [
      '[EM-090] later by both where GitOps syncs what an operator reconciles',
      OPERATED,
      gitOps(true),
      { ...AT_ONCE, hashComputeDelay: '4m0s' },
    ],
    ['for the alert later where it is a forecast', TARGET, signalled('proactive'), { ...AT_ONCE, alertCheckDelay: '7m0s' }],
    ['for the alert at once where it is none', TARGET, signalled('reactive'), AT_ONCE],
  ])('%s', (_, target, analysis, config) => expect(assessmentConfig(target, analysis, settings)).toEqual(config));

  test.each([
    ['v1', false],
    ['apps/v1', false],
    ['batch/v1', false],
    ['networking.k8s.io/v1', false],
    ['argoproj.io/v1alpha1', true],
    ['k8s.io.example.com/v1', true],
    ['example.com/v1', true],
  ])('at %s as at a custom kind: %s', (apiVersion, isTheirs) =>
    expect('hashComputeDelay' in assessmentConfig({ ...TARGET, apiVersion }, undefined, settings)).toBe(isTheirs),
  );

  test('at a kind without a group as at one of Kubernetes itself', () =>
    expect(assessmentConfig({ kind: 'Pod', name: 'checkout-1', namespace: 'shop' }, undefined, settings)).toEqual(AT_ONCE));
});
