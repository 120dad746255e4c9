import { describe, expect, test } from 'vitest';
import type { ConfigMap } from '../../api/builtin/index.ts';
import type { EffectivenessAssessment } from '../../api/effectiveness-assessment/effectiveness-assessment.ts';
import { MINUTE } from '../../base/index.ts';
import type { Read } from '../../kube/client/read.ts';
import { DEFAULT_SETTINGS } from '../default-settings.ts';
import { fingerprint } from '../target/index.ts';
import { aConfigMap, given, value } from '../target/testing/builders.ts';
import { decide } from './decide.ts';
import type { AssessmentStatus } from './status.ts';
import { ABSENT, aDeployment, anAssessment, aPod, at, NOT_ASKED, UNREADABLE } from './testing/builders.ts';

const deployment = aDeployment();
const volumes = [{ name: 'v', configMap: { name: 'settings' } }];
const mounting = { ...deployment, spec: { ...deployment.spec, template: { spec: { containers: [], volumes } } } };
const seenWith = (settings: Read<ConfigMap>) => given(mounting, { settings });
const hashOf = (settings: Read<ConfigMap>) => fingerprint(seenWith(settings)).specHash;

const before = value(aConfigMap({ a: '0' }));
const left = value(aConfigMap({ a: '1' }));
const changed = value(aConfigMap({ a: '2' }));

interface Look {
  readonly settings: Read<ConfigMap>;
  readonly spec?: Partial<EffectivenessAssessment['spec']>;
  readonly components?: AssessmentStatus['components'];
  readonly atMs?: number;
}

/** One look at a Deployment whose two pods are well. */
function look({ settings, spec = { appliedSpecHash: hashOf(left) }, components, atMs = 6 * MINUTE }: Look) {
  const object = anAssessment({ phase: 'Assessing', ...(components && { components }) }, spec);
  const pods = value([aPod('a'), aPod('b')]) as { readonly kind: 'value'; readonly value: readonly ReturnType<typeof aPod>[] };
  const { status, wakeAt } = decide(
    { ...NOT_ASKED, object, settings: DEFAULT_SETTINGS, target: value(seenWith(settings)), pods },
    at(atMs),
  );
  return { ...(status as AssessmentStatus), wakeAt };
}

const full = { phase: 'Completed', assessmentReason: 'Full' };
const drift = { phase: 'Completed', assessmentReason: 'SpecDrift' };

describe('drift', () => {
  test('a ConfigMap as the workflow left it is none', () => {
    const found = look({ settings: left });
    expect(found).toMatchObject({ ...full, components: { postRemediationSpecHash: hashOf(left), currentSpecHash: hashOf(left) } });
  });

  test('[EM-206] a ConfigMap that was changed after the workflow ran is drift', () =>
    expect(look({ settings: changed })).toMatchObject(drift));

  test('[EM-207] a ConfigMap that the workflow changed is its own work', () =>
    expect(look({ settings: left, spec: { preRemediationSpecHash: hashOf(before), appliedSpecHash: hashOf(left) } })).toMatchObject(full));

  test('a ConfigMap that was deleted after it was read is drift', () => expect(look({ settings: ABSENT })).toMatchObject(drift));

  test('a ConfigMap that was not there and still is not is none', () =>
    expect(look({ settings: ABSENT, spec: { appliedSpecHash: hashOf(ABSENT) } })).toMatchObject(full));

  test('[EM-205] an unreadable ConfigMap is no drift: it is read again, and no hash is recorded', () => {
    const found = look({ settings: UNREADABLE });
    expect(found).toMatchObject({
      phase: 'Assessing',
      components: { healthAssessed: true, healthScore: 1 },
      wakeAt: at(6 * MINUTE + 15_000),
    });
    expect(found.components).not.toHaveProperty('hashComputed');
    expect(found.components).not.toHaveProperty('currentSpecHash');
  });

  test('[EM-205] and once it can be read again, it is as if nothing had been', () => {
    const { components } = look({ settings: UNREADABLE });
    expect(look({ settings: left, components })).toMatchObject(full);
    expect(look({ settings: changed, components })).toMatchObject(drift);
  });

  test('[EM-205] nothing is concluded from a look that did not show all of it, however much is known from before', () => {
    const components = { hashComputed: true, postRemediationSpecHash: hashOf(left), currentSpecHash: hashOf(left) };
    const found = look({ settings: UNREADABLE, components });
    expect(found).toMatchObject({ phase: 'Assessing', components });
    expect(look({ settings: changed, components: found.components })).toMatchObject(drift);
  });

  test('without a hash of what the workflow left, it is measured from the first look that showed all', () => {
    const first = look({ settings: UNREADABLE, spec: {} });
    const components = { ...first.components, healthAssessed: false };
    expect(look({ settings: changed, spec: {}, components })).toMatchObject(full);
  });

  test('a ConfigMap that cannot be read to the end leaves it assessed in part, and says what to look at', () => {
    const { components } = look({ settings: UNREADABLE });
    expect(look({ settings: UNREADABLE, components, atMs: 30 * MINUTE })).toMatchObject({
      phase: 'Completed',
      assessmentReason: 'Partial',
      message: expect.stringContaining('that Sickbay may read it, its pods and their ConfigMaps') as string,
      components: { healthScore: 1 },
    });
  });
});
