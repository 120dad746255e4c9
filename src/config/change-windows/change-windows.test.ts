import { describe, expect, test } from 'vitest';
import { HOUR, toTime } from '../../base/index.ts';
import type { ChangeWindow } from '../../controllers/change-window-settings.ts';
import { DEFAULT_SETTINGS } from '../../controllers/default-settings.ts';
import { changesBetween } from '../changes.ts';
import { parseConfig } from '../parse-config.ts';

const GOOD = `
changeFreezes:
  - name: weekend
    reason: the office is closed
    timeZone: Europe/Berlin
    start: "0 18 * * FRI"
    duration: 62h
    severities: [warning, info]
  - name: year-end
    timeZone: Europe/Berlin
    from: 2026-12-20
    until: 2027-01-06
    namespaces: [shop-*, bank]
    labels: { tier: critical, "kubernaut.ai/environment": production }
maintenanceWindows:
  - { name: night, from: "2026-12-01T22:00", until: "2026-12-02T04:00:30Z" }
`;

const windowsOf = (text: string) => {
  const parsed = parseConfig(text);
  return parsed.kind === 'valid' ? parsed.settings.changeWindows : undefined;
};

const problemsOf = (text: string): readonly string[] => {
  const parsed = parseConfig(text);
  return parsed.kind === 'valid' ? [] : parsed.problems.map(({ at, message }) => `${at?.line}: ${message}`);
};

const rangeOf = (window: ChangeWindow | undefined): readonly string[] =>
  window?.times.kind === 'range' ? [toTime(window.times.from), toTime(window.times.until)] : [];

describe('the sections of change windows', () => {
  test('without them nothing is forbidden', () => expect(windowsOf('dryRun: true')).toEqual({ changeFreezes: [], maintenanceWindows: [] }));

  test('are read whole', () => {
    const [weekend, yearEnd] = windowsOf(GOOD)?.changeFreezes ?? [];
    expect(weekend).toEqual({
      name: 'weekend',
      reason: 'the office is closed',
      timeZone: 'Europe/Berlin',
      times: { kind: 'cron', start: '0 18 * * FRI', durationMs: 62 * HOUR },
      scope: { severities: ['warning', 'info'] },
    });
    expect(yearEnd).toMatchObject({
      timeZone: 'Europe/Berlin',
      scope: { namespaces: ['shop-*', 'bank'], labels: { tier: 'critical', 'kubernaut.ai/environment': 'production' } },
    });
  });

  test('days begin and end at midnight of their zone, and the last day belongs to the range', () =>
    expect(rangeOf(windowsOf(GOOD)?.changeFreezes[1])).toEqual(['2026-12-19T23:00:00Z', '2027-01-06T23:00:00Z']));

  test('times are in UTC unless a zone is given, and may have one of their own', () =>
    expect(rangeOf(windowsOf(GOOD)?.maintenanceWindows[0])).toEqual(['2026-12-01T22:00:00Z', '2026-12-02T04:00:30Z']));

  test('a change of them is told by name, and applies at once', () => {
    const parsed = parseConfig(GOOD);
    if (parsed.kind !== 'valid') throw new Error('it is valid');
    const { applied, settings } = changesBetween(DEFAULT_SETTINGS, parsed.settings);
    expect(applied).toEqual(['changeFreezes: weekend, year-end', 'maintenanceWindows: night']);
    expect(settings.changeWindows).toBe(parsed.settings.changeWindows);
    expect(changesBetween(parsed.settings, DEFAULT_SETTINGS).applied).toContain('changeFreezes: none');
  });
});

/** A freeze that is right but for this line. */
const freeze = (line: string): string => `changeFreezes:\n  - name: a\n    ${line}\n`;
const cron = (line: string): string => freeze(`start: "0 18 * * 5"\n    duration: 8h\n    ${line}`);

describe('what is wrong is named by field and line', () => {
  test.each([
    { text: 'changeFreezes: weekend', want: '1: changeFreezes is "weekend": wants a list' },
    { text: 'changeFreezes:\n  - start: "0 18 * * 5"\n    duration: 8h', want: '2: changeFreezes[0] has no name, which is required' },
    { text: freeze('until: 2026-12-24'), want: '2: changeFreezes[0] has no from, which goes with the other' },
    { text: freeze('duration: 8h'), want: '2: changeFreezes[0] has no start, which goes with the other' },
    { text: freeze('reason: none'), want: '2: changeFreezes[0] wants either start (a cron expression) and duration, or from and until' },
    { text: cron('from: 2026-12-24'), want: '2: changeFreezes[0] wants either start' },
    { text: cron('timezone: UTC'), want: '5: changeFreezes[0].timezone is not a key: did you mean timeZone?' },
    {
      text: cron('timeZone: Berlin'),
      want: '5: changeFreezes[0].timeZone is "Berlin": wants the name of a time zone, such as Europe/Berlin',
    },
    { text: cron('namespaces: [Shop]'), want: '5: changeFreezes[0].namespaces[0] is "Shop": wants the name of a namespace' },
    { text: cron('namespaces: []'), want: '5: changeFreezes[0].namespaces is an empty list: wants at least one entry' },
    { text: cron('labels: { "": x }'), want: '5: changeFreezes[0].labels. is not the name of a label' },
    { text: cron('labels: { tier: 1 }'), want: '5: changeFreezes[0].labels.tier is 1: wants the value of a label, in quotes' },
    { text: cron('severities: [worst]'), want: '5: changeFreezes[0].severities[0] is "worst": wants critical or high' },
    { text: freeze('start: "* 18 * * 5"\n    duration: 8h'), want: '3: changeFreezes[0].start is "* 18 * * 5": wants the five fields' },
    { text: freeze('start: "0 0 31 2 *"\n    duration: 8h'), want: '3: changeFreezes[0].start is "0 0 31 2 *": wants a time that comes' },
    ...['0 0 * * *', '0 */4 * * *'].map((start) => ({
      text: freeze(`start: "${start}"\n    duration: 24h`),
      want: '4: changeFreezes[0].duration makes a freeze that never ends',
    })),
    { text: freeze('start: "0 1 * * *"\n    duration: 8 hours'), want: '4: changeFreezes[0].duration is "8 hours": wants a duration' },
    { text: freeze('from: 2026-12-24\n    until: 2026-12-23'), want: '4: changeFreezes[0].until is 2026-12-23: wants a time after from' },
    { text: freeze('from: 2026-02-30\n    until: 2026-12-23'), want: '3: changeFreezes[0].from is "2026-02-30": wants a day such as' },
    { text: freeze('from: 24.12.2026\n    until: 2026-12-23'), want: '3: changeFreezes[0].from is "24.12.2026": wants a day such as' },
    {
      text: `${cron('reason: x')}  - { name: a, start: "0 1 * * *", duration: 1h }`,
      want: '6: changeFreezes[1].name a is given twice: names must differ',
    },
    { text: 'changeFreezes: []\nChangeFreezes: []', want: '2: changeFreezes is given twice: wants to be there once' },
    { text: 'maintenanceWindows: [1]', want: '1: maintenanceWindows[0] is 1: wants the keys name, reason, timeZone' },
    { text: cron('name: b'), want: '2: changeFreezes[0].name stands there twice' },
  ])('$want', ({ text, want }) => {
    const [first, ...others] = problemsOf(text);
    expect(first).toContain(want);
    expect(others).toEqual([]);
  });
});
