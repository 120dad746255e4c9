import { expect, test } from 'vitest';
import type { AuditLog } from '../audit-log.ts';
import { anEvent } from './an-event.ts';

export const idsIn = async (found: ReturnType<AuditLog['find']>): Promise<readonly string[]> => (await found).map(({ id }) => id);
const ids = idsIn;

/** What every audit log does, wherever it keeps its events. */
export function testAuditLog(open: () => AuditLog | Promise<AuditLog>): void {
  test('gives every event back as it was', async () => {
    const log = await open();
    const odd = anEvent('a', { data: { text: '\u0000 "\\ \u{1f600}', list: [1.5, null, true], inner: { empty: {} } } });
    await log.append([odd]);
    expect(await log.find({})).toEqual([odd]);
  });

  test('an event that is appended again is recorded once, as it was first', async () => {
    const log = await open();
    await log.append([anEvent('a'), anEvent('b')]);
    await log.append([anEvent('b', { data: { phase: 'another' } }), anEvent('c'), anEvent('c')]);
    expect(await ids(log.find({}))).toEqual(['a', 'b', 'c']);
    expect((await log.find({}))[1]).toEqual(anEvent('b'));
  });

  test('[CO-132] finds the events of one remediation, of one type, or both', async () => {
    const log = await open();
    await log.append([
      anEvent('1'),
      anEvent('2', { correlationId: 'rr-other' }),
      anEvent('3', { type: 'orchestrator.lifecycle.completed' }),
      anEvent('4', { type: 'orchestrator.lifecycle.completed', correlationId: 'rr-other' }),
    ]);
    expect(await ids(log.find({ correlationId: 'rr-other' }))).toEqual(['2', '4']);
    expect(await ids(log.find({ type: 'orchestrator.lifecycle.completed' }))).toEqual(['3', '4']);
    expect(await ids(log.find({ correlationId: 'rr-checkout-7f3a', type: 'orchestrator.lifecycle.completed' }))).toEqual(['3']);
    expect(await ids(log.find({ correlationId: 'rr-none' }))).toEqual([]);
  });

  test('finds several types at once, what happened since, and what the data says', async () => {
    const log = await open();
    await log.append([
      anEvent('1', { at: '2026-03-02T09:59:59Z', data: { target: 'a' } }),
      anEvent('2', { data: { root: 'a', target: 'b' } }),
      anEvent('3', { type: 'orchestrator.lifecycle.completed', data: { target: 'a' } }),
      anEvent('4', { type: 'orchestrator.lifecycle.failed', data: { target: 'b' }, correlationId: 'rr-other' }),
      anEvent('5', { data: { root: 'a', target: 'a' } }),
      anEvent('6', { data: { other: 'a' } }),
    ]);
    expect(await ids(log.find({ type: ['orchestrator.lifecycle.completed', 'orchestrator.lifecycle.failed'] }))).toEqual(['3', '4']);
    expect(await ids(log.find({ type: [] }))).toEqual([]);
    expect(await ids(log.find({ since: '2026-03-02T10:00:05Z' }))).toEqual(['2', '3', '4', '5', '6']);
    expect(await ids(log.find({ says: { in: ['target'], value: 'a' } }))).toEqual(['1', '3', '5']);
    expect(await ids(log.find({ says: { in: ['root', 'target'], value: 'a' } }))).toEqual(['1', '2', '3', '5']);
    expect(await ids(log.find({ says: { in: ['target', 'root'], value: 'a' }, limit: 2 }))).toEqual(['3', '5']);
    expect(await ids(log.find({ says: { in: ['target'], value: 'b' }, correlationId: 'rr-other' }))).toEqual(['4']);
    expect(await ids(log.find({ says: { in: ['pre'], value: 'a' } }))).toEqual([]);
  });

  testEdges(open);
}

function testEdges(open: () => AuditLog | Promise<AuditLog>): void {
  test('of too many it gives the newest, in the order in which they came', async () => {
    const log = await open();
    await log.append(Array.from({ length: 1_200 }, (_, i) => anEvent(`${i}`)));
    expect(await ids(log.find({ limit: 2 }))).toEqual(['1198', '1199']);
    expect(await log.find({})).toHaveLength(1_000);
  });

  test('takes nothing to append as a question whether it could', async () => {
    const log = await open();
    await expect(log.append([])).resolves.toBeUndefined();
    expect(await log.find({})).toEqual([]);
  });

  test('may be closed twice', async () => {
    const log = await open();
    await log.append([anEvent('a')]);
    await Promise.all([log.close(), log.close()]);
    await log.close();
  });
}
