import { describe, expect, test } from 'vitest';
import { MINUTE } from '../../base/index.ts';
import { getCondition } from '../../kube/objects/conditions.ts';
import { DEFAULT_SETTINGS } from '../default-settings.ts';
import { specHash } from '../target/index.ts';
import { decide } from './decide.ts';
import type { AssessmentSeen } from './observe.ts';
import type { AssessmentStatus, Components } from './status.ts';
import { ABSENT, aDeployment, anAssessment, at, NOT_ASKED, UNREADABLE } from './testing/builders.ts';

const SAME = specHash(aDeployment());
const OTHER = `sha256:${'0'.repeat(64)}`;
const WELL: Components = {
  hashComputed: true,
  healthAssessed: true,
  healthScore: 1,
  alertAssessed: true,
  alertScore: 1,
  postRemediationSpecHash: SAME,
};

interface Row {
  readonly name: string;
  readonly target: AssessmentSeen['target'];
  readonly components?: Components;
  readonly spec?: Partial<AssessmentSeen['object']['spec']>;
  readonly want: AssessmentStatus;
}

const found = { kind: 'value', value: aDeployment() } as const;
const partial: AssessmentStatus = { phase: 'Completed', assessmentReason: 'MetricsTimedOut' };
const drift: AssessmentStatus = { phase: 'Completed', assessmentReason: 'SpecDrift' };
const ASYNC = { config: { stabilizationWindow: '5m', hashComputeDelay: '4m' } };

const rows: readonly Row[] = [
  { name: 'as the workflow left it', target: found, spec: { appliedSpecHash: SAME }, want: partial },
  { name: 'as it was at the first look, where nothing else is known', target: found, want: partial },
  { name: '[EM-182] not as the workflow left it', target: found, spec: { appliedSpecHash: OTHER }, want: drift },
  { name: '[EM-182] not as at the first look', target: found, components: { ...WELL, postRemediationSpecHash: OTHER }, want: drift },
  {
    name: 'of what others apply, not as it was when it had arrived',
    target: found,
    spec: { ...ASYNC, appliedSpecHash: SAME },
    components: { ...WELL, baselineSpecHash: OTHER },
    want: drift,
  },
  {
    name: 'of what others apply, only not as the workflow left it',
    target: found,
    spec: { ...ASYNC, appliedSpecHash: OTHER },
    components: { ...WELL, baselineSpecHash: SAME },
    want: partial,
  },
  {
    name: 'changed when the alert alone was known',
    target: found,
    spec: { appliedSpecHash: OTHER },
    components: { alertAssessed: true, alertScore: 1 },
    want: { ...drift, components: { hashComputed: true, currentSpecHash: SAME } },
  },
  { name: 'unreadable', target: UNREADABLE, spec: { appliedSpecHash: OTHER }, want: partial },
  {
    name: 'gone',
    target: ABSENT,
    want: { phase: 'Failed', assessmentReason: 'Unrecoverable', components: { healthAssessed: true, healthScore: 0 } },
  },
  {
    name: '[EM-031] changed or not, when nothing was measured: no score has to be withdrawn',
    target: found,
    spec: { appliedSpecHash: OTHER },
    components: {},
    want: { phase: 'Completed', assessmentReason: 'Expired' },
  },
];

describe('the target when time is up', () => {
  const endOf = ({ target, components = WELL, spec = {} }: Omit<Row, 'name' | 'want'>) => {
    const object = anAssessment({ phase: 'Assessing', message: '2 of 2 pods ready', components }, spec);
    const seen: AssessmentSeen = { ...NOT_ASKED, object, settings: DEFAULT_SETTINGS, target, pods: UNREADABLE };
    return decide(seen, at(60 * MINUTE));
  };

  test.each(rows)('$name', ({ want, ...row }) => {
    const { status, wakeAt } = endOf(row);
    expect(status).toMatchObject(want);
    expect(wakeAt).toBeUndefined();
  });

  test('says so, and what was found out before', () => {
    const { message, conditions } = endOf({ target: found, spec: { appliedSpecHash: OTHER } }).status as AssessmentStatus;
    expect(message).toMatch(/^shop\/Deployment\/checkout was changed after the workflow ran.*; 2 of 2 pods ready$/);
    expect(getCondition(conditions, 'SpecIntegrity')?.status).toBe('False');
    expect((endOf({ target: ABSENT }).status as AssessmentStatus).message).toMatch(/no longer exists/);
  });
});
