import { appendFileSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { adoptTrail } from '../adopt-trail.ts';
import { openAuditLog } from '../sqlite-audit-log.ts';
import { anEvent } from '../testing/an-event.ts';
import { aChainedTrail, keyOf, rewrite, tamper } from '../testing/a-trail.ts';
import { VERSION_1_TRIGGERS } from '../testing/version-1.ts';
import { rowsOfTrail, verifyFile } from '../trail-reader.ts';
import { keysIn } from './audit-keys.ts';
import type { Checkpoint } from './checkpoint.ts';
import { keyPathOf } from './key-file.ts';
import { sealed } from './trail-row.ts';
import type { Verification } from './verify-trail.ts';

/** Threads start slowly on a busy machine. */
const TIMEOUT_MS = 60_000;

const verified = (path: string, checkpoints: readonly Checkpoint[] = []): Verification =>
  verifyFile({ path, keys: keyPathOf(path) }, checkpoints);

/** What is wrong, in short: `Changed 4-4`. */
const findings = (path: string, checkpoints: readonly Checkpoint[] = []): readonly string[] =>
  verified(path, checkpoints).findings.map(({ kind, from, to }) => `${kind} ${from}-${to}`);

const checkpointOf = (path: string): Checkpoint => ({ ...verified(path).end!, at: '2026-03-02T12:00:00Z' });

/** Another key of the right form. */
const [STRANGE] = keysIn('made-up-by-the-attacker-0123456789abcdef', 'test');

describe('a trail that was not tampered with', { timeout: TIMEOUT_MS }, () => {
  test('proves all of its events, and fits its checkpoint', async () => {
    const path = await aChainedTrail();
    const checkpoint = checkpointOf(path);
    expect(verified(path, [checkpoint])).toEqual({
      findings: [],
      events: 12,
      adopted: 0,
      end: { sequence: 12, hash: checkpoint.hash },
      checkpoint,
    });
  });

  test('goes on with the chain after a restart', async () => {
    const path = await aChainedTrail();
    const checkpoint = checkpointOf(path);
    const log = openAuditLog(path);
    await log.append([anEvent('e3'), anEvent('e13')]);
    expect(await log.verify([checkpoint])).toMatchObject({ findings: [], events: 13, checkpoint });
    expect(await log.end()).toMatchObject({ sequence: 13 });
    await log.close();
  });

  test('with a new key proves the events of the old one, too', async () => {
    const path = await aChainedTrail();
    const old = keyOf(path);
    appendFileSync(keyPathOf(path), '# since March\nanother-key-0123456789abcdef0123456789\n');
    const log = openAuditLog(path);
    await log.append([anEvent('e13')]);
    await log.close();
    expect(keyOf(path).id).not.toBe(old.id);
    expect([...rowsOfTrail(path)].map(({ keyId }) => keyId)).toEqual([...Array<string>(12).fill(old.id), keyOf(path).id]);
    expect(verified(path)).toMatchObject({ findings: [], events: 13 });
  });

  test('two processes that append in turn make one chain', async () => {
    const path = await aChainedTrail();
    const [one, other] = [openAuditLog(path), openAuditLog(path)];
    for (let i = 0; i < 5; i++) {
      await one.append([anEvent(`one-${i}`)]);
      await other.append([anEvent(`other-${i}`), anEvent(`one-${i}`)]);
    }
    await Promise.all([one.close(), other.close()]);
    expect(verified(path)).toMatchObject({ findings: [], events: 22 });
  });
});

/** Every kind of tampering, by someone who has every right on the file but not the key. */
describe('tampering is found without the help of a checkpoint:', { timeout: TIMEOUT_MS }, () => {
  const sql = (text: string) => (db: DatabaseSync) => db.exec(text);

  test.for([
    { name: 'an edit of what happened', change: sql(`update event set data = '{"phase":"nicer"}' where seq = 4`), want: ['Changed 4-4'] },
    {
      name: 'an edit of when it happened',
      change: sql(`update event set at = '2026-01-01T00:00:00Z' where seq = 12`),
      want: ['Changed 12-12'],
    },
    { name: 'an edit of whose it is', change: sql(`update event set correlation_id = 'rr-b' where seq = 1`), want: ['Changed 1-1'] },
    { name: 'an edit of whom it is about', change: sql(`update event set subject_uid = 'u-9' where seq = 2`), want: ['Changed 2-2'] },
    {
      name: 'an edit that claims to be older than the chain',
      change: sql('update event set adopted = 1 where seq = 2'),
      want: ['Changed 2-2'],
    },
    { name: 'deletion of one event', change: sql('delete from event where seq = 5'), want: ['Missing 5-5'] },
    { name: 'deletion of the first events', change: sql('delete from event where seq <= 3'), want: ['Missing 1-3'] },
    {
      name: 'deletion of one event, with the others moved up',
      change: sql('delete from event where seq = 5; update event set seq = seq - 1 where seq > 5'),
      want: ['Changed 5-11'],
    },
    {
      name: 'deletion of a whole remediation',
      change: sql(`delete from event where correlation_id = 'rr-b'`),
      want: ['Missing 2-2', 'Missing 5-5', 'Missing 8-8', 'Missing 11-11'],
    },
    {
      name: 'another order',
      change: sql(
        'update event set seq = 99 where seq = 6; update event set seq = 6 where seq = 7; update event set seq = 7 where seq = 99',
      ),
      want: ['Changed 6-8'],
    },
    {
      name: 'a copy of one event in the place of another',
      change: sql(`delete from event where seq = 9; insert into event select 9, 'again', type, correlation_id, at, subject_kind,
        subject_namespace, subject_name, subject_uid, data, key_id, hash, adopted from event where seq = 3`),
      want: ['Changed 9-10'],
    },
    {
      name: 'an event that never happened, at the end',
      change: sql(`insert into event select 13, 'new', type, correlation_id, at, subject_kind, subject_namespace, subject_name, subject_uid,
        data, key_id, hash, adopted from event where seq = 12`),
      want: ['Changed 13-13'],
    },
    ...[-3, 0].map((seq) => ({
      name: `an event that never happened, with number ${seq}`,
      change: sql(`pragma ignore_check_constraints = on; insert into event select ${seq}, 'new', type, correlation_id, at, subject_kind,
        subject_namespace, subject_name, subject_uid, data, key_id, hash, adopted from event where seq = 12`),
      want: [`OutOfOrder ${seq}-${seq}`],
    })),
  ])('$name', async ({ change, want }) => {
    const path = await aChainedTrail();
    tamper(path, (db) => void change(db));
    expect(findings(path)).toEqual(want);
  });

  test('a number that no event gets, which ends the verification with an error', async () => {
    const path = await aChainedTrail();
    const number = '9007199254740993';
    tamper(path, (db) => {
      db.exec(`pragma ignore_check_constraints = on; update event set seq = ${number} where seq = 12`);
    });
    expect(() => verified(path)).toThrow(number);
  });

  test('a chain that was removed, to have it made again over changed events', async () => {
    const path = await aChainedTrail();
    tamper(path, (db) => {
      for (const column of ['key_id', 'hash', 'adopted']) db.exec(`alter table event drop column ${column}`);
      db.exec(`update event set data = '{}' where seq = 3; pragma user_version = 1; ${VERSION_1_TRIGGERS}`);
    });
    const log = openAuditLog(path);
    await expect(log.append([anEvent('e13')])).rejects.toThrow(/it has no chain, but there are keys for it in .*audit\.db\.key: a person/);
    await log.close();
    expect(() => verified(path)).toThrow('it has no chain');
    // Asked for, it is done, and stays visible.
    expect(adoptTrail({ path, keys: keyPathOf(path) })).toBe(12);
    expect(verified(path)).toMatchObject({ findings: [], adopted: 12 });
    expect(() => adoptTrail({ path, keys: keyPathOf(path) })).toThrow('it has its chain, there is nothing to adopt');
  });

  test('another key: all events sealed again with a key of the attacker', async () => {
    const path = await aChainedTrail();
    rewrite(path, STRANGE, (row) => ({ ...row, data: '{}' }));
    expect(findings(path)).toEqual(['UnknownKey 1-12']);
    expect(verified(path).findings[0]?.message).toBe(`events 1 to 12 are sealed with key ${STRANGE.id}, which is not in the key file`);
  });

  test('another key under the name of the right one', async () => {
    const path = await aChainedTrail();
    rewrite(path, { ...STRANGE, id: keyOf(path).id }, (row) => ({ ...row, data: '{}' }));
    expect(findings(path)).toEqual(['Changed 1-12']);
  });

  test('a key that was replaced, which an attacker may know by now', async () => {
    const path = await aChainedTrail();
    const old = keyOf(path);
    appendFileSync(keyPathOf(path), 'another-key-0123456789abcdef0123456789\n');
    const log = openAuditLog(path);
    await log.append([anEvent('e13'), anEvent('e14')]);
    await log.close();
    tamper(path, (db) => {
      const rows = [...rowsOfTrail(path)];
      const forged = sealed({ ...rows[13]!, data: '{}' }, rows[12]!, { key: old });
      db.prepare('update event set data = ?, key_id = ?, hash = ? where seq = 14').run(forged.data, forged.keyId, forged.hash);
    });
    expect(findings(path)).toEqual(['OlderKey 14-14']);
  });
});

describe('tampering that a checkpoint shows:', { timeout: TIMEOUT_MS }, () => {
  test('deletion of the tail', async () => {
    const path = await aChainedTrail();
    const checkpoint = checkpointOf(path);
    tamper(path, (db) => {
      db.exec('delete from event where seq > 9');
    });
    expect(findings(path)).toEqual([]);
    expect(findings(path, [checkpoint])).toEqual(['Truncated 10-12']);
    expect(verified(path, [checkpoint]).findings[0]?.message).toBe(
      'events 10 to 12 are missing at the end: the checkpoint of 2026-03-02T12:00:00Z knows of event 12',
    );
  });

  test('deletion of everything', async () => {
    const path = await aChainedTrail();
    const checkpoint = checkpointOf(path);
    tamper(path, (db) => {
      db.exec('delete from event');
    });
    expect(verified(path)).toMatchObject({ findings: [], events: 0, end: undefined });
    expect(findings(path, [checkpoint])).toEqual(['Truncated 1-12']);
  });

  test('deletion of the tail, and other events in its place', async () => {
    const path = await aChainedTrail();
    const checkpoint = checkpointOf(path);
    tamper(path, (db) => {
      db.exec('delete from event where seq > 9');
      // What protects the file is back, as if nothing had been done.
    });
    const log = openAuditLog(path);
    await log.append(['x', 'y', 'z', 'zz'].map((id) => anEvent(id)));
    await log.close();
    expect(findings(path)).toEqual([]);
    expect(findings(path, [checkpoint])).toEqual(['Rewritten 1-12']);
  });

  test('a full rewrite, by someone who also has the key', async () => {
    const path = await aChainedTrail();
    const checkpoint = checkpointOf(path);
    rewrite(path, keyOf(path), (row) => (row.sequence === 3 ? { ...row, data: '{"phase":"nicer"}' } : row));
    expect(findings(path)).toEqual([]);
    expect(findings(path, [checkpoint])).toEqual(['Rewritten 1-12']);
  });

  test('and an old checkpoint still proves what came before it', async () => {
    const path = await aChainedTrail();
    const early: Checkpoint = { ...[...rowsOfTrail(path)][7]!, at: '2026-03-01T00:00:00Z' };
    tamper(path, (db) => {
      db.exec('delete from event where seq > 9');
    });
    expect(verified(path, [early])).toMatchObject({ findings: [], checkpoint: early });
  });

  test('but none after an event that does not fit', async () => {
    const path = await aChainedTrail();
    const checkpoint = checkpointOf(path);
    const early: Checkpoint = { ...[...rowsOfTrail(path)][1]!, at: '2026-03-01T00:00:00Z' };
    tamper(path, (db) => {
      db.exec('delete from event where seq = 5');
    });
    expect(verified(path, [early, checkpoint])).toMatchObject({ checkpoint: early });
    expect(verified(path, [checkpoint]).checkpoint).toBeUndefined();
  });
});
