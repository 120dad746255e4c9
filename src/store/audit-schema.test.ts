import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { alter } from '../base/sqlite/testing/alter.ts';
import { keyPathOf } from './chain/key-file.ts';
import { adoptTrail } from './adopt-trail.ts';
import { openAuditLog } from './sqlite-audit-log.ts';
import { aChainedTrail, keyOf } from './testing/a-trail.ts';
import { anAuditFile, anAuditPath, anEvent } from './testing/an-event.ts';
import { VERSION_1 } from './testing/version-1.ts';
import { rowsOfTrail, verifyFile } from './trail-reader.ts';

/** Threads start slowly on a busy machine. */
const TIMEOUT_MS = 60_000;

/** A trail of the first version with these events. */
function anOldTrail(count: number): string {
  const path = anAuditPath();
  const db = new DatabaseSync(path);
  db.exec(VERSION_1);
  const insert = db.prepare(`insert into event values (?, ?, 'orchestrator.phase.transitioned', 'rr-checkout-7f3a', '2026-03-02T10:00:05Z',
    'RemediationRequest', 'sickbay-system', 'rr-checkout-7f3a', 'u-1', '{"phase":"Processing"}')`);
  db.exec('begin');
  for (let i = 1; i <= count; i++) insert.run(i, `${i}`);
  db.exec('commit');
  db.close();
  return path;
}

const verified = (path: string) => verifyFile({ path, keys: keyPathOf(path) }, []);

describe('a trail of the first version', { timeout: TIMEOUT_MS }, () => {
  test('gets its chain when it is opened, and says which events are older than that', async () => {
    const path = anOldTrail(2_500);
    const log = anAuditFile(path);
    await log.append([anEvent('new'), anEvent('7')]);
    expect(await log.find({ limit: 1 })).toEqual([anEvent('new')]);
    expect(verified(path)).toMatchObject({ findings: [], events: 2_501, adopted: 2_500 });
    expect([...rowsOfTrail(path)].at(-1)).toMatchObject({ sequence: 2_501, adopted: false });
  });

  test('is protected afterwards as before', async () => {
    const path = anOldTrail(3);
    await anAuditFile(path).append([]);
    expect(() => alter(path, `update event set at = ''`)).toThrow('the audit trail is never changed');
  });

  test('from which events had been deleted does not hide that', async () => {
    const path = anOldTrail(6);
    alter(path, 'drop trigger event_lasts; delete from event where seq in (2, 3)');
    await anAuditFile(path).append([anEvent('new')]);
    expect(verified(path).findings).toMatchObject([{ kind: 'Missing', from: 2, to: 3 }]);
  });

  test('that is found with a key is not sealed by itself', async () => {
    const path = anOldTrail(3);
    writeFileSync(keyPathOf(path), `${'k'.repeat(32)}\n`);
    await expect(anAuditFile(path).append([])).rejects.toThrow(`"sickbay audit adopt ${path} --key ${keyPathOf(path)}"`);
    expect(adoptTrail({ path, keys: keyPathOf(path) })).toBe(3);
    expect(verified(path)).toMatchObject({ findings: [], events: 3, adopted: 3 });
  });

  test('with an event before the first does not hide that', async () => {
    const path = anOldTrail(2);
    alter(
      path,
      'drop trigger event_stays; update event set seq = -1 where seq = 1; create trigger event_stays before update on event begin select 1; end',
    );
    await anAuditFile(path).append([anEvent('new')]);
    expect(verified(path).findings).toMatchObject([
      { kind: 'OutOfOrder', from: -1 },
      { kind: 'Missing', from: 1, to: 1 },
    ]);
  });

  test('cannot be verified before that', () => {
    const path = anOldTrail(1);
    writeFileSync(keyPathOf(path), `${'k'.repeat(32)}\n`);
    expect(() => verified(path)).toThrow(`reading ${path}: it has no chain; a Sickbay that is started with it adds one`);
  });

  test('of two processes that open it at once, one adds the chain', async () => {
    const path = anOldTrail(500);
    const logs = [openAuditLog(path), openAuditLog(path)];
    await Promise.all(logs.map((log, i) => log.append([anEvent(`new-${i}`)])));
    await Promise.all(logs.map((log) => log.close()));
    expect(verified(path)).toMatchObject({ findings: [], events: 502, adopted: 500 });
  });
});

describe('the key file of a trail', { timeout: TIMEOUT_MS }, () => {
  test('that lacks the key of the last event, seals nothing until it has it, or says that it is lost', async () => {
    const path = await aChainedTrail();
    const old = readFileSync(keyPathOf(path), 'utf8');
    const { id } = keyOf(path);
    writeFileSync(keyPathOf(path), `${'k'.repeat(32)}\n`);
    const log = anAuditFile(path);
    await expect(log.append([anEvent('late')])).rejects.toThrow(`event, 12, is sealed with key ${id}, which is not in ${keyPathOf(path)}`);
    writeFileSync(keyPathOf(path), old);
    await log.append([anEvent('late')]);
    expect(verified(path)).toMatchObject({ findings: [], events: 13 });
    await log.close();
    writeFileSync(keyPathOf(path), `# lost: ${id}\n${'k'.repeat(32)}\n`);
    await anAuditFile(path).append([anEvent('later')]);
    expect(verified(path).findings).toMatchObject([{ kind: 'UnknownKey', from: 1, to: 13 }]);
  });

  test('is made with it, for its owner only', async () => {
    const path = await aChainedTrail();
    expect((statSync(keyPathOf(path)).mode & 0o777).toString(8)).toBe('600');
  });

  test('may be elsewhere', async () => {
    const path = anAuditPath();
    const keys = `${path}-elsewhere`;
    writeFileSync(keys, `${'k'.repeat(32)}\n`);
    const log = openAuditLog(path, { keys });
    await log.append([anEvent('a')]);
    await log.close();
    expect(() => statSync(keyPathOf(path))).toThrow('ENOENT');
    expect(verifyFile({ path, keys }, [])).toMatchObject({ findings: [], events: 1 });
  });

  test('is not replaced when it is lost: the error says what to do, and works once that is done', async () => {
    const path = await aChainedTrail();
    const key = readFileSync(keyPathOf(path));
    rmSync(keyPathOf(path));
    const log = anAuditFile(path);
    await expect(log.append([anEvent('late')])).rejects.toThrow(
      /the file of its keys, .*audit\.db\.key, is gone; restore it from a backup/,
    );
    writeFileSync(keyPathOf(path), key);
    await log.append([anEvent('late')]);
    expect(verified(path)).toMatchObject({ findings: [], events: 13 });
  });

  test.for([
    { text: '', says: 'it holds no key' },
    { text: '# only a comment\n\n', says: 'it holds no key' },
    { text: `${'k'.repeat(32)}\nshort\n`, says: 'the key on line 2 has fewer than 32 characters' },
  ])('with $says is refused', async ({ text, says }) => {
    const path = anAuditPath();
    writeFileSync(keyPathOf(path), text);
    await expect(anAuditFile(path).append([])).rejects.toThrow(says);
  });
});
