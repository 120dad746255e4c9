import { describe, expect, test } from 'vitest';
import { HOUR } from '../base/index.ts';
import { DEFAULT_SETTINGS } from '../controllers/default-settings.ts';
import type { Settings } from '../controllers/settings.ts';
import { changesBetween } from './changes.ts';

describe('what changes between two sets of settings', () => {
  test('nothing', () =>
    expect(changesBetween(DEFAULT_SETTINGS, { ...DEFAULT_SETTINGS })).toEqual({
      settings: DEFAULT_SETTINGS,
      applied: [],
      needRestart: [],
    }));

  test('is told as a file would write it', () => {
    const next: Settings = {
      ...DEFAULT_SETTINGS,
      retentionMs: 48 * HOUR,
      routing: { ...DEFAULT_SETTINGS.routing, noActionRequiredDelayMs: 2 * HOUR, onDuplicateResolved: 'Inherit' },
      budget: { ...DEFAULT_SETTINGS.budget, paused: 'freeze' },
    };
    expect(changesBetween(DEFAULT_SETTINGS, next)).toEqual({
      settings: next,
      applied: [
        'routing.noActionRequiredDelayHours: 24 → 2',
        'routing.onDuplicateResolved: Requeue → Inherit',
        'budget.paused: none → "freeze"',
        'retention.period: 24h → 48h',
      ],
      needRestart: [],
    });
    expect(changesBetween(next, DEFAULT_SETTINGS).applied).toContain('budget.paused: "freeze" → none');
  });

  test('keeps what needs a restart as it was', () => {
    const next = { ...DEFAULT_SETTINGS, namespace: 'a', executionNamespace: 'b', clusterID: 'c', dryRun: true };
    expect(changesBetween(DEFAULT_SETTINGS, next)).toEqual({
      settings: { ...DEFAULT_SETTINGS, dryRun: true },
      applied: ['dryRun: false → true'],
      needRestart: ['namespace: "sickbay-system" → "a"', 'executionNamespace: "kubernaut-workflows" → "b"', 'clusterName: "" → "c"'],
    });
  });
});
