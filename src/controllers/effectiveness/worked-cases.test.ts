import { describe, expect, test } from 'vitest';
import { overallScore } from '../../api/effectiveness-assessment/overall-score.ts';
import { MINUTE, parseTime, type Instant } from '../../base/index.ts';
import type { RangeQuery, Sample } from '../../monitoring/index.ts';
import type { Reader } from '../../runtime/reconcile/controller.ts';
import { DEFAULT_SETTINGS } from '../default-settings.ts';
import { specHash } from '../target/index.ts';
import { decide } from './decide.ts';
import { observe, type AssessmentSeen } from './observe.ts';
import type { AssessmentStatus } from './status.ts';
import { aDeployment, anAssessment, aPod, at, NOT_ASKED, SILENT, time, UNREADABLE } from './testing/builders.ts';
import { timingOf } from './timing.ts';

const times = { prometheusCheckAfter: time(5 * MINUTE), alertManagerCheckAfter: time(5 * MINUTE), validityDeadline: time(30 * MINUTE) };
const well: AssessmentSeen['pods'] = { kind: 'value', value: [aPod('a'), aPod('b')] };
const settings = DEFAULT_SETTINGS;

function decided(
  spec: Partial<AssessmentSeen['object']['spec']>,
  seen: Partial<AssessmentSeen> = {},
  now = at(6 * MINUTE),
): AssessmentStatus {
  const object = anAssessment({ phase: 'Assessing', ...times }, spec);
  const target: AssessmentSeen['target'] = { kind: 'value', value: aDeployment() };
  return decide({ ...NOT_ASKED, object, settings, target, pods: well, alerts: SILENT, ...seen }, now).status as AssessmentStatus;
}

describe('[EM-065] a workflow that restarts a crash-looping pod and then fails itself', () => {
  const restarted = (finishedAt: string): AssessmentSeen['pods'] => {
    const container = { restartCount: 1, lastState: { terminated: { exitCode: 1, finishedAt } } };
    return { kind: 'value', value: [aPod('a', { container }), aPod('b')] };
  };
  test.each([
    ['the restart is its own', restarted(time(MINUTE)), 0.75],
    ['the restart was before it', restarted(time(-5 * MINUTE)), 1],
    ['the pod is a new one', well, 1],
  ])('is seen to have helped: %s', (_, pods, healthScore) =>
    expect(decided({ remediationRequestPhase: 'Failed' }, { pods })).toMatchObject({
      phase: 'Completed',
      assessmentReason: 'Full',
      components: { healthScore, alertScore: 1 },
    }),
  );
});

describe('three replicas instead of two', () => {
  const [before, after] = [aDeployment(2), aDeployment(3)];
  const three: Partial<AssessmentSeen> = {
    target: { kind: 'value', value: after },
    pods: { kind: 'value', value: [aPod('a'), aPod('b'), aPod('c')] },
  };
  const scoreOf = ({ components, assessmentReason }: AssessmentStatus) => overallScore(components, assessmentReason);

  test('[EM-075, EM-179, EM-216, EM-217] made by the workflow is its work: the score stands', () => {
    const end = decided({ preRemediationSpecHash: specHash(before), appliedSpecHash: specHash(after) }, three);
    expect(end).toMatchObject({ assessmentReason: 'Full', components: { postRemediationSpecHash: specHash(after) } });
    expect(scoreOf(end)).toBe(1);
  });

  test('[EM-217] made by another client while it was assessed is drift: the score is 0', () => {
    const end = decided({ preRemediationSpecHash: specHash(before), appliedSpecHash: specHash(before) }, three);
    expect(end).toMatchObject({ assessmentReason: 'SpecDrift', components: { healthScore: 1, alertScore: 1 } });
    expect(scoreOf(end)).toBe(0);
  });
});

describe('[EM-051] the validity window', () => {
  const unread = { target: UNREADABLE, pods: UNREADABLE, alerts: UNREADABLE, metrics: UNREADABLE } as const;
  test('is not over a millisecond before its end', () =>
    expect(decided({}, unread, at(30 * MINUTE - 1))).toMatchObject({ phase: 'Assessing' }));
  test('is over at its end', () =>
    expect(decided({}, unread, at(30 * MINUTE))).toMatchObject({ phase: 'Completed', assessmentReason: 'Expired' }));
});

describe('[EM-170] metrics where the alert is looked at late', () => {
  const config = { stabilizationWindow: '5m', alertCheckDelay: '40m' };
  const created = at(0);

  /** Looks at one moment, with a Prometheus that measured every minute: 4 before, 1 from the end of the window on. */
  async function looked(status: AssessmentStatus, now: Instant) {
    const asked: RangeQuery[] = [];
    const range = (query: RangeQuery): Promise<{ kind: 'value'; value: readonly Sample[] }> => {
      asked.push(query);
      const value: Sample[] = [];
      for (let moment: number = query.from; moment <= query.to; moment += query.stepMs)
        value.push({ at: moment as Instant, value: moment < at(5 * MINUTE) ? 4 : 1 });
      return Promise.resolve({ kind: 'value', value });
    };
    const firing = () => Promise.resolve(SILENT);
    const object = anAssessment(status, { config });
    const reader = {
      get: () => ({ kind: 'value', value: object }),
      fetch: () => Promise.resolve({ kind: 'value', value: aDeployment() }),
      fetchList: () => Promise.resolve(well),
    } as unknown as Reader;
    const around = { now, settings, monitoring: { prometheus: { range }, alertmanager: { firing } } };
    const seen = await observe({ namespace: 'sickbay-system', name: 'ea-rr' }, reader, around);
    return { asked, status: decide(seen!, now).status as AssessmentStatus };
  }

  test('are scored in their own time, from a window within that of the assessment, and the end is Full', async () => {
    const { deadline, alertCheckAfter } = timingOf(anAssessment(undefined, { config }), settings);
    expect((deadline - created) / MINUTE).toBe(75);
    const first = await looked({ phase: 'Assessing' }, at(6 * MINUTE));
    expect(first.status).toMatchObject({ phase: 'Assessing', components: { metricsAssessed: true } });
    expect(first.status.components?.metricsScore).toBeGreaterThan(0);
    expect(first.asked.length).toBeGreaterThan(0);
    for (const { from, to } of first.asked) {
      expect(from).toBe(created - settings.external.prometheusLookbackMs);
      expect(to).toBeLessThan(deadline);
    }
    const last = await looked(first.status, alertCheckAfter);
    expect(last.asked).toEqual([]);
    expect(last.status).toMatchObject({ assessmentReason: 'Full', components: { alertScore: 1 } });
    expect(parseTime(last.status.completedAt)).toBe(alertCheckAfter);
  });
});
