import { expect, test } from 'vitest';
import { keyOf } from '../../../api/meta.ts';
import { after, SECOND } from '../../../base/index.ts';
import { FULL_LIST_INTERVAL_MS, FullListTimes } from '../requests/full-list-times.ts';
import { aHealthCheck, NOW } from '../testing/a-machine.ts';
import { HealthEvaluator } from './health-evaluator.ts';

const CHECK = aHealthCheck({ checks: { unhealthyNodeConditions: [{ type: 'Ready', status: 'Unknown', timeoutSeconds: 300 }] } });

test('a check is parsed once per generation', () => {
  const evaluator = new HealthEvaluator();
  const parsed = evaluator.parse(CHECK);
  expect(evaluator.parse({ ...CHECK, status: {} })).toBe(parsed);
  expect(evaluator.parse({ ...CHECK, metadata: { ...CHECK.metadata, generation: 2 } })).not.toBe(parsed);
});

test('only condition types of existing checks are watched', () => {
  const evaluator = new HealthEvaluator();
  evaluator.parse(CHECK);
  expect(evaluator.isCheckedType('Ready')).toBe(true);
  evaluator.forget(keyOf(CHECK));
  expect(evaluator.isCheckedType('Ready')).toBe(false);
});

test('a full list is due at once for a new check, and for another check of the same name', () => {
  const times = new FullListTimes();
  expect(times.nextAt(CHECK)).toBeUndefined();
  times.record(CHECK, NOW);
  expect(times.nextAt(CHECK)).toBe(after(NOW, FULL_LIST_INTERVAL_MS));
  expect(times.nextAt({ ...CHECK, metadata: { ...CHECK.metadata, uid: 'c-1' } })).toBeUndefined();
  times.record(CHECK, after(NOW, SECOND));
  times.forget(keyOf(CHECK));
  expect(times.nextAt(CHECK)).toBeUndefined();
});
