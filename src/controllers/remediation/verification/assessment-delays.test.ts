import { describe, expect, test } from 'vitest';
import { aiAnalysisSample } from '../../../api/ai-analysis/sample.ts';
import type { AIAnalysis } from '../../../api/ai-analysis/ai-analysis.ts';
import { MINUTE } from '../../../base/index.ts';
import { DEFAULT_SETTINGS } from '../../default-settings.ts';
import { assessmentConfig } from './assessment-delays.ts';
import type { Target } from '../../target/index.ts';
import { aDeployment, anAnalysis, TARGET, untouched } from '../testing/builders.ts';

const called = (gitOpsManaged: boolean): AIAnalysis => anAnalysis({ postRCAContext: { detectedLabels: { gitOpsManaged } } as never });

/** What the GitOps tools themselves write on what they apply, and what Helm does, which is none. */
const ARGO = aDeployment(undefined, { annotations: { 'argocd.argoproj.io/tracking-id': 'shop:apps/Deployment:shop/checkout' } });
const FLUX = aDeployment(undefined, { labels: { 'kustomize.toolkit.fluxcd.io/name': 'shop' } });
const HELM = aDeployment(undefined, { annotations: { 'meta.helm.sh/release-name': 'shop' } });
const BY_HAND = aDeployment();

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
  test.each<[string, Target, Parameters<typeof assessmentConfig>[1], object]>([
    ['as soon as it is stable', TARGET, { analysis: anAnalysis(), object: BY_HAND }, AT_ONCE],
    ['so too where nothing is known', TARGET, {}, AT_ONCE],
    ['so too where an analysis has come to nothing', TARGET, { analysis: untouched(anAnalysis()) }, AT_ONCE],
    ['so too where no labels were detected', TARGET, { analysis: anAnalysis({ postRCAContext: {} as never }) }, AT_ONCE],
    ['so too where GitOps has no hand in it', TARGET, { analysis: called(false) }, AT_ONCE],
    ['so too where a person or a pipeline runs Helm', TARGET, { object: HELM }, AT_ONCE],
    ['[EM-091] later where Argo CD syncs it', TARGET, { object: ARGO }, { ...AT_ONCE, hashComputeDelay: '3m0s' }],
    ['[EM-091] later where Flux syncs it', TARGET, { object: FLUX }, { ...AT_ONCE, hashComputeDelay: '3m0s' }],
    ['later where an analyst says that GitOps syncs it', TARGET, { analysis: called(true) }, { ...AT_ONCE, hashComputeDelay: '3m0s' }],
    ['[EM-092] later where an operator reconciles it', OPERATED, { object: BY_HAND }, { ...AT_ONCE, hashComputeDelay: '1m0s' }],
    [
      '[EM-090] later by both where GitOps syncs what an operator reconciles',
      OPERATED,
      { object: ARGO },
      { ...AT_ONCE, hashComputeDelay: '4m0s' },
    ],
    ['for the alert later where it is a forecast', TARGET, { analysis: signalled('proactive') }, { ...AT_ONCE, alertCheckDelay: '7m0s' }],
    ['for the alert at once where it is none', TARGET, { analysis: signalled('reactive') }, AT_ONCE],
  ])('%s', (_, target, known, config) => expect(assessmentConfig(target, known, settings)).toEqual(config));

  test.each([
    ['v1', false],
    ['apps/v1', false],
    ['batch/v1', false],
    ['networking.k8s.io/v1', false],
    ['argoproj.io/v1alpha1', true],
    ['k8s.io.example.com/v1', true],
    ['example.com/v1', true],
  ])('at %s as at a custom kind: %s', (apiVersion, isTheirs) =>
    expect('hashComputeDelay' in assessmentConfig({ ...TARGET, apiVersion }, {}, settings)).toBe(isTheirs),
  );

  test('at a kind without a group as at one of Kubernetes itself', () =>
    expect(assessmentConfig({ kind: 'Pod', name: 'checkout-1', namespace: 'shop' }, {}, settings)).toEqual(AT_ONCE));
});
