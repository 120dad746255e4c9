import { describe, expect, test } from 'vitest';
import { MINUTE } from '../../base/index.ts';
import type { Prometheus, RangeQuery } from '../../monitoring/index.ts';
import { DEFAULT_SETTINGS } from '../default-settings.ts';
import { readMeasuredMetrics } from './measured-metrics.ts';
import { anAssessment, at, time } from './testing/builders.ts';

const settings = DEFAULT_SETTINGS;
const SAMPLES = [{ at: at(0), value: 1 }];

function recorded(answer: (query: RangeQuery) => Awaited<ReturnType<Prometheus['range']>>) {
  const asked: RangeQuery[] = [];
  const prometheus: Prometheus = {
    range: (query) => {
      asked.push(query);
      return Promise.resolve(answer(query));
    },
  };
  return { asked, prometheus };
}

describe('metrics for people', () => {
  const assessment = anAssessment(
    { phase: 'Completed', completedAt: time(10 * MINUTE) },
    { executionStartedAt: time(0), faultStartedAt: time(-5 * MINUTE) },
  );

  test('are those that the score compares, from before the fault until after the end', async () => {
    const { asked, prometheus } = recorded(() => ({ kind: 'value', value: SAMPLES }));
    const seen = await readMeasuredMetrics(assessment, { now: at(60 * MINUTE), settings, prometheus });
    expect(seen.measured.map(({ metric }) => metric.name)).toContain('restarts');
    expect(seen.measured.every(({ samples }) => samples === SAMPLES)).toBe(true);
    expect(seen.problem).toBeUndefined();
    for (const { from, to } of asked) {
      expect(from).toBeLessThanOrEqual(at(-15 * MINUTE));
      expect(to).toBeGreaterThan(at(19 * MINUTE));
      expect(to).toBeLessThanOrEqual(at(20 * MINUTE));
    }
    expect(seen.span).toMatchObject({ faultFrom: at(-5 * MINUTE), faultTo: at(0) });
  });

  test('come with the averages that are compared; what was measured after the assessment counts for neither', async () => {
    const samples = [at(-2 * MINUTE), at(-MINUTE), at(6 * MINUTE), at(9 * MINUTE), at(15 * MINUTE)].map((moment, i) => ({
      at: moment,
      value: [4, 2, 1, 0, 100][i]!,
    }));
    const { prometheus } = recorded(() => ({ kind: 'value', value: samples }));
    const { measured } = await readMeasuredMetrics(assessment, { now: at(60 * MINUTE), settings, prometheus });
    expect(measured[0]).toMatchObject({ samples, during: 3, after: 0.5 });
  });

  test('end now while the assessment has not completed', async () => {
    const { prometheus } = recorded(() => ({ kind: 'value', value: [] }));
    const seen = await readMeasuredMetrics(anAssessment({ phase: 'Assessing' }), { now: at(MINUTE), settings, prometheus });
    expect(seen.to).toBeLessThanOrEqual(at(MINUTE));
  });

  test('name what could not be read, and keep the others', async () => {
    const { prometheus } = recorded(({ query }) =>
      query.includes('restarts') ? { kind: 'unreadable', reason: 'Prometheus answered with 503' } : { kind: 'value', value: SAMPLES },
    );
    const seen = await readMeasuredMetrics(assessment, { now: at(60 * MINUTE), settings, prometheus });
    expect(seen.problem).toBe('Prometheus answered with 503');
    expect(seen.measured.map(({ metric }) => metric.name)).toEqual(expect.not.arrayContaining(['restarts']));
    expect(seen.measured.length).toBeGreaterThan(0);
  });

  test('are absent, with the reason, without Prometheus and for kinds without metrics', async () => {
    const none = await readMeasuredMetrics(assessment, { now: at(0), settings, prometheus: undefined });
    expect(none).toMatchObject({ measured: [], problem: expect.stringContaining('Prometheus is not configured') as string });
    const { prometheus, asked } = recorded(() => ({ kind: 'value', value: SAMPLES }));
    const job = anAssessment({}, { remediationTarget: { kind: 'Job', name: 'nightly', namespace: 'shop', apiVersion: 'batch/v1' } });
    expect(await readMeasuredMetrics(job, { now: at(0), settings, prometheus })).toMatchObject({
      measured: [],
      problem: 'no metrics are known for a Job',
    });
    expect(asked).toEqual([]);
  });
});
