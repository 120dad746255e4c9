import { DatabaseSync } from 'node:sqlite';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { describe, expect, onTestFinished, test } from 'vitest';
import { keyPathOf, openAuditLog, type AuditEvent } from '../../store/index.ts';
import type { EventFlags, ShowFlags, VerifyFlags } from './audit-commands.ts';
import { auditCheckpoint, auditExport, auditShow } from './audit-show.ts';
import { auditVerify } from './audit-verify.ts';

/** Threads start slowly on a busy machine. */
const TIMEOUT_MS = 60_000;

const anEvent = (id: string, correlationId: string, more: Partial<AuditEvent> = {}): AuditEvent => ({
  id,
  type: 'orchestrator.phase.transitioned',
  correlationId,
  subject: { kind: 'RemediationRequest', namespace: 'sickbay-system', name: correlationId, uid: 'u-1' },
  at: '2026-03-02T10:00:05Z',
  data: { phase: id },
  ...more,
});

/** A trail of four events. */
async function aTrail(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'sickbay-audit-command-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'audit.db');
  const log = openAuditLog(path);
  await log.append([
    anEvent('a', 'rr-1'),
    anEvent('b', 'rr-2', { data: { text: 'it said "\u009b31m"' } }),
    anEvent('c', 'rr-1', { type: 'orchestrator.approval.approved', at: '2026-03-02T11:00:00Z' }),
    anEvent('d', 'rr-1', { type: 'orchestrator.lifecycle.completed', at: '2026-03-02T12:00:00Z' }),
  ]);
  await log.close();
  return path;
}

function tamper(path: string, sql: string): void {
  const db = new DatabaseSync(path);
  db.exec(['target', 'root', 'pre', 'post', 'rootPost'].map((name) => `drop index event_by_${name};`).join(''));
  db.exec(`drop trigger event_stays; drop trigger event_lasts; ${sql}`);
  db.close();
}

async function verify(path: string, flags: Partial<VerifyFlags> = {}): Promise<{ readonly ok: boolean; readonly said: string }> {
  const said: string[] = [];
  const ok = await auditVerify(path, { output: 'text', ...flags }, (line) => void said.push(line));
  return { ok, said: said.join('\n') };
}

async function exported(path: string, flags: EventFlags = {}): Promise<string> {
  let text = '';
  // One line at a time, so that the export has to wait.
  const to = new Writable({
    highWaterMark: 1,
    write: (chunk: Buffer, _, done) => {
      text += chunk.toString();
      queueMicrotask(done);
    },
  });
  await auditExport(path, flags, to);
  await new Promise((done) => to.end(done));
  return text;
}

async function show(path: string, flags: Partial<ShowFlags> = {}): Promise<string> {
  const said: string[] = [];
  await auditShow(path, { limit: 100, output: 'text', ...flags }, (line) => void said.push(line));
  return said.join('\n');
}

describe('sickbay audit verify', { timeout: TIMEOUT_MS }, () => {
  test('says what is proved, and what is not without a checkpoint', async () => {
    const path = await aTrail();
    const { ok, said } = await verify(path);
    expect(ok).toBe(true);
    expect(said).toContain(`${path}: verified: 4 events, none changed, none missing between them`);
    expect(said).toContain('not proved: without a checkpoint that was kept elsewhere, later events may be missing');
  });

  test('with a checkpoint proves the end, too', async () => {
    const path = await aTrail();
    const checkpoints = `${path}.checkpoints`;
    await auditCheckpoint(path, '2026-03-02T13:00:00Z', (line) => writeFileSync(checkpoints, `${line}\n`));
    expect((await verify(path, { checkpoints })).said).toContain('complete up to event 4, by the checkpoint of 2026-03-02T13:00:00Z');
    tamper(path, 'delete from event where seq = 4');
    expect((await verify(path)).ok).toBe(true);
    const { ok, said } = await verify(path, { checkpoints });
    expect(ok).toBe(false);
    expect(said).toContain('TAMPERED WITH: see below; 3 events');
    expect(said).toContain('Truncated    event 4 is missing at the end');
  });

  test('prints everything as JSON', async () => {
    const path = await aTrail();
    tamper(path, `update event set data = '{}' where seq = 2`);
    const { ok, said } = await verify(path, { output: 'json' });
    expect(ok).toBe(false);
    expect(JSON.parse(said)).toMatchObject({
      trail: path,
      verified: false,
      events: 4,
      end: { sequence: 4 },
      findings: [{ kind: 'Changed', from: 2, to: 2 }],
    });
  });

  test.for([
    { name: 'a file that is not there', path: (path: string) => `${path}.gone`, says: /reading .*audit\.db\.gone: ENOENT/ },
    { name: 'a key file', path: keyPathOf, says: /there is no file .*audit\.db\.key\.key with its keys/ },
    { name: 'a folder', path: (path: string) => join(path, '..'), says: /it is not a file/ },
  ])('$name is refused with what to do', async ({ path, says }) => {
    const trail = await aTrail();
    await expect(verify(path(trail))).rejects.toThrow(says);
  });

  test('a file of something else is refused', async () => {
    const path = await aTrail();
    await expect(verify(keyPathOf(path), { key: keyPathOf(path) })).rejects.toThrow(
      /audit\.db\.key, line 1: it is no event of an audit trail/,
    );
    await expect(verify(path, { checkpoints: keyPathOf(path) })).rejects.toThrow(/line 1: it is no checkpoint/);
  });
});

describe('sickbay audit export', { timeout: TIMEOUT_MS }, () => {
  test('prints a trail that can be verified as it can', async () => {
    const path = await aTrail();
    const file = `${path}.jsonl`;
    const text = await exported(path);
    writeFileSync(file, text);
    expect(await verify(file, { key: keyPathOf(path) })).toMatchObject({ ok: true });
    writeFileSync(file, text.replace('orchestrator.approval.approved', 'orchestrator.approval.rejected'));
    expect((await verify(file, { key: keyPathOf(path) })).said).toContain('Changed      event 3 does not fit its hash');
  });

  test('of a trail with data that is no JSON any more does not hide that', async () => {
    const path = await aTrail();
    tamper(path, `update event set data = '{ "phase":"a"}' where seq = 1; update event set data = 'broken' where seq = 2`);
    const file = `${path}.jsonl`;
    writeFileSync(file, await exported(path));
    expect((await verify(file, { key: keyPathOf(path) })).said).toContain('Changed      events 1 to 2 do not fit their hashes');
  });

  test('of some events only is refused by the verification, not called tampered with', async () => {
    const path = await aTrail();
    const file = `${path}.jsonl`;
    writeFileSync(file, await exported(path, { remediation: 'rr-1' }));
    await expect(verify(file, { key: keyPathOf(path) })).rejects.toThrow(
      'line 1: it is an export of some events only, which cannot be verified',
    );
    expect(await show(file, { limit: 1, output: 'json' })).not.toContain('filtered');
  });

  test('is read in pieces, wherever they end', async () => {
    const path = await aTrail();
    const log = openAuditLog(path);
    await log.append(Array.from({ length: 40 }, (_, i) => anEvent(`long-${i}`, 'rr-3', { data: { text: 'ä€😀'.repeat(1_000) } })));
    await log.close();
    const file = `${path}.jsonl`;
    writeFileSync(file, await exported(path));
    expect((await verify(file, { key: keyPathOf(path) })).said).toContain('verified: 44 events');
  });

  test('prints what fits', async () => {
    const path = await aTrail();
    const ids = async (flags: EventFlags) =>
      (await exported(path, flags)).split('\n').flatMap((line) => (line === '' ? [] : [(JSON.parse(line) as AuditEvent).id]));
    expect(await ids({ remediation: 'rr-1' })).toEqual(['a', 'c', 'd']);
    expect(await ids({ remediation: 'rr-1', since: '2026-03-02T11:00:00Z' })).toEqual(['c', 'd']);
    expect(await ids({ type: 'orchestrator.approval.approved, orchestrator.lifecycle.completed' })).toEqual(['c', 'd']);
    await expect(ids({ type: 'made.up' })).rejects.toThrow('--type: "made.up" is unknown; known are orchestrator.lifecycle.created');
  });
});

describe('sickbay audit show', { timeout: TIMEOUT_MS }, () => {
  test('prints the last events as a table', async () => {
    const lines = (await show(await aTrail(), { remediation: 'rr-1', limit: 2 })).split('\n');
    expect(lines[0]).toMatch(/^EVENT +AT +TYPE +REMEDIATION +OBJECT +DATA$/);
    expect(lines.slice(1)).toEqual([
      '3      2026-03-02T11:00:00Z  orchestrator.approval.approved    rr-1         RemediationRequest/rr-1  {"phase":"c"}',
      '4      2026-03-02T12:00:00Z  orchestrator.lifecycle.completed  rr-1         RemediationRequest/rr-1  {"phase":"d"}',
    ]);
  });

  test('prints them as JSON, and says when there are none', async () => {
    const path = await aTrail();
    expect(JSON.parse(await show(path, { limit: 1, output: 'json' }))).toMatchObject([{ sequence: 4, id: 'd', data: { phase: 'd' } }]);
    expect(await show(path, { remediation: 'rr-9' })).toBe('no event fits');
  });
});
