import { describe, expect, test } from 'vitest';
import { parseTime, toTime } from '../../base/index.ts';
import type { ChangeWindow, WindowScope } from '../change-window-settings.ts';
import { judgeChange, type ChangedThing } from './judge-change.ts';

const when = (text: string) => parseTime(text)!;
const NOW = when('2026-11-20T12:00:00Z');

/** A window of this day, in hours of UTC. */
const from = (name: string, begin: number, end: number, scope: WindowScope = {}): ChangeWindow => ({
  name,
  timeZone: 'UTC',
  times: { kind: 'range', from: when(`2026-11-20T${String(begin).padStart(2, '0')}:00:00Z`), until: when(`2026-11-20T${end}:00:00Z`) },
  scope,
});

const THING: ChangedThing = { namespace: 'shop', labels: { kind: 'value', value: { tier: 'web' } }, severity: 'warning' };
const UNREADABLE: ChangedThing = { ...THING, labels: { kind: 'unreadable', reason: 'forbidden' } };
const NODE: ChangedThing = { labels: { kind: 'value', value: {} }, severity: 'critical' };

interface Case {
  readonly reason: string;
  readonly freezes?: readonly ChangeWindow[];
  readonly windows?: readonly ChangeWindow[];
  readonly thing?: ChangedThing;
  readonly want: string;
}

const CASES: readonly Case[] = [
  { reason: 'nothing is configured', want: 'open' },
  { reason: 'a freeze of everything', freezes: [from('all', 8, 18)], want: 'ChangeFreeze all until 18' },
  { reason: 'a freeze that has ended', freezes: [from('all', 8, 12)], want: 'open' },
  { reason: 'a freeze that begins later', freezes: [from('all', 13, 18)], want: 'open' },
  {
    reason: 'of two that overlap, the one that ends last',
    freezes: [from('a', 8, 14), from('b', 10, 20)],
    want: 'ChangeFreeze b until 20',
  },
  { reason: 'the order does not matter', freezes: [from('b', 10, 20), from('a', 8, 14)], want: 'ChangeFreeze b until 20' },
  {
    reason: 'only those in scope count',
    freezes: [from('a', 8, 14), from('b', 10, 20, { namespaces: ['bank'] })],
    want: 'ChangeFreeze a until 14',
  },
  { reason: 'a namespace by its name', freezes: [from('a', 8, 18, { namespaces: ['bank', 'shop'] })], want: 'ChangeFreeze a until 18' },
  { reason: 'a pattern', freezes: [from('a', 8, 18, { namespaces: ['s*p'] })], want: 'ChangeFreeze a until 18' },
  { reason: 'a pattern that matches no more than a part', freezes: [from('a', 8, 18, { namespaces: ['sho'] })], want: 'open' },
  { reason: 'a pattern that would need letters twice', freezes: [from('a', 8, 18, { namespaces: ['sho*op'] })], want: 'open' },
  { reason: 'a pattern of several parts', freezes: [from('a', 8, 18, { namespaces: ['*h*o*'] })], want: 'ChangeFreeze a until 18' },
  { reason: 'parts in another order', freezes: [from('a', 8, 18, { namespaces: ['*o*h*'] })], want: 'open' },
  { reason: 'a Node is in no namespace', freezes: [from('a', 8, 18, { namespaces: ['*'] })], thing: NODE, want: 'open' },
  { reason: 'a Node without a scope', freezes: [from('a', 8, 18)], thing: NODE, want: 'ChangeFreeze a until 18' },
  { reason: 'its label', freezes: [from('a', 8, 18, { labels: { tier: 'web' } })], want: 'ChangeFreeze a until 18' },
  { reason: 'another value', freezes: [from('a', 8, 18, { labels: { tier: 'db' } })], want: 'open' },
  { reason: 'all labels', freezes: [from('a', 8, 18, { labels: { tier: 'web', team: 'x' } })], want: 'open' },
  { reason: 'labels that cannot be read', freezes: [from('a', 8, 18, { labels: { tier: 'db' } })], thing: UNREADABLE, want: 'unknown' },
  {
    reason: 'labels that do not matter, since the namespace is another',
    freezes: [from('a', 8, 18, { labels: { tier: 'db' }, namespaces: ['bank'] })],
    thing: UNREADABLE,
    want: 'open',
  },
  {
    reason: 'labels that do not matter, since another freeze is in force',
    freezes: [from('a', 8, 18, { labels: { tier: 'db' } }), from('b', 8, 14)],
    thing: UNREADABLE,
    want: 'ChangeFreeze b until 14',
  },
  { reason: 'its severity', freezes: [from('a', 8, 18, { severities: ['warning', 'info'] })], want: 'ChangeFreeze a until 18' },
  { reason: 'medium is warning', freezes: [from('a', 8, 18, { severities: ['medium'] })], want: 'ChangeFreeze a until 18' },
  { reason: 'another severity', freezes: [from('a', 8, 18, { severities: ['info'] })], want: 'open' },
  {
    reason: 'a severity that is not known may be any',
    freezes: [from('a', 8, 18, { severities: ['info'] })],
    thing: { ...THING, severity: 'unknown' },
    want: 'ChangeFreeze a until 18',
  },
  { reason: 'inside a maintenance window', windows: [from('m', 10, 14)], want: 'open' },
  { reason: 'before it', windows: [from('m', 14, 18)], want: 'MaintenanceWindow m until 14' },
  { reason: 'after the last one', windows: [from('m', 10, 11)], want: 'MaintenanceWindow m for good' },
  {
    reason: 'of several the first that opens',
    windows: [from('n', 15, 18), from('m', 14, 18), from('o', 1, 10)],
    want: 'MaintenanceWindow m until 14',
  },
  { reason: 'one that is open is enough', windows: [from('n', 15, 18), from('m', 10, 14)], want: 'open' },
  {
    reason: 'a window about severities does not open for one that is not known',
    windows: [from('m', 10, 14, { severities: ['info'] })],
    thing: { ...THING, severity: 'unknown' },
    want: 'MaintenanceWindow m for good',
  },
  {
    reason: 'another window opens for a severity that is not known',
    windows: [from('m', 10, 14, { severities: ['info'] }), from('n', 15, 18)],
    thing: { ...THING, severity: 'unknown' },
    want: 'MaintenanceWindow n until 15',
  },
  { reason: 'a window about another namespace forbids nothing', windows: [from('m', 14, 18, { namespaces: ['bank'] })], want: 'open' },
  {
    reason: 'a freeze inside a maintenance window',
    freezes: [from('a', 8, 18)],
    windows: [from('m', 10, 14)],
    want: 'ChangeFreeze a until 18',
  },
  {
    reason: 'labels of a window that cannot be read',
    windows: [from('m', 14, 18, { labels: { a: 'b' } })],
    thing: UNREADABLE,
    want: 'unknown',
  },
  {
    reason: 'labels that do not matter, since another window is open',
    windows: [from('m', 14, 18, { labels: { a: 'b' } }), from('n', 10, 14)],
    thing: UNREADABLE,
    want: 'open',
  },
];

describe('whether a target may be changed', () => {
  test.each(CASES)('$reason: $want', ({ freezes = [], windows = [], thing = THING, want }) => {
    const verdict = judgeChange({ changeFreezes: freezes, maintenanceWindows: windows }, thing, NOW);
    if (verdict.kind !== 'closed') return expect(verdict.kind).toBe(want);
    const until = verdict.until === undefined ? 'for good' : `until ${toTime(verdict.until).slice(11, 13)}`;
    expect(`${verdict.by} ${verdict.window.name} ${until}`).toBe(want);
  });
});
