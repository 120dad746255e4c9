import { expect, test } from 'vitest';
import { MINUTE, SECOND } from '../../base/index.ts';
import { createPrometheus } from '../../monitoring/index.ts';
import { matrix, scriptedSource } from '../../monitoring/testing/scripted-source.ts';
import type { Reader } from '../../runtime/reconcile/controller.ts';
import { ManualClock } from '../../testkit/manual-clock.ts';
import { DEFAULT_SETTINGS } from '../default-settings.ts';
import { observe } from './observe.ts';
import { aDeployment, anAssessment, at, UNREADABLE } from './testing/builders.ts';

test('1,000 assessments of 100 workloads put no more questions than there are distinct ones', async () => {
  const source = scriptedSource(matrix([[at(0) / SECOND, '1']]));
  const monitoring = { prometheus: createPrometheus(source, { steady: new ManualClock(), timeoutMs: SECOND }) };
  const look = (index: number) => {
    const remediationTarget = { kind: 'Deployment', name: `w-${index % 100}`, namespace: 'shop', apiVersion: 'apps/v1' };
    const assessment = anAssessment({ phase: 'Assessing' }, { remediationTarget });
    const reader = {
      get: () => ({ kind: 'value', value: assessment }),
      fetch: () => Promise.resolve({ kind: 'value', value: aDeployment() }),
      fetchList: () => Promise.resolve(UNREADABLE),
    } as unknown as Reader;
    const key = { namespace: 'sickbay-system', name: `ea-${index}` };
    // All over one minute, as they come in; a few at a time.
    return observe(key, reader, { now: at(6 * MINUTE + (index % 60) * SECOND), settings: DEFAULT_SETTINGS, monitoring });
  };
  for (let from = 0; from < 1_000; from += 5) await Promise.all([0, 1, 2, 3, 4].map((more) => look(from + more)));
  const distinct = new Set(source.asked.map(({ query }) => JSON.stringify(query)));
  expect([source.asked.length, distinct.size]).toEqual([400, 400]);
});
