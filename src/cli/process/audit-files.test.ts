import { describe, expect, test } from 'vitest';
import { auditFilesOf, trailOf, type AuditFlags } from './audit-files.ts';

const URL = 'postgres://sickbay:secret@db.example:5432/audit';
const OPEN = 'postgresql://sickbay@db.example/audit';

describe('where the audit trail is', () => {
  test.each<{ flags: AuditFlags; url?: string; want: unknown }>([
    { flags: {}, want: undefined },
    { flags: {}, url: '', want: undefined },
    { flags: { audit: 'a.db' }, want: { path: 'a.db' } },
    { flags: { audit: 'a.db' }, url: URL, want: { path: 'a.db' } },
    { flags: { audit: 'a.db', auditKey: 'k', auditCheckpoints: 'c' }, want: { path: 'a.db', keys: 'k', checkpoints: 'c' } },
    { flags: { auditKey: 'k' }, url: URL, want: { path: URL, keys: 'k' } },
    { flags: { auditKey: 'k' }, url: `${OPEN}?password=p`, want: { path: `${OPEN}?password=p`, keys: 'k' } },
    { flags: { audit: OPEN, auditKey: 'k' }, url: URL, want: { path: OPEN, keys: 'k' } },
  ])('$flags with $url', ({ flags, url, want }) => {
    expect(auditFilesOf(flags, url)).toEqual(want);
  });

  test.each<{ flags: AuditFlags; url?: string; says: string }>([
    { flags: { auditKey: 'k' }, says: 'they need --audit or DATABASE_URL' },
    { flags: { auditCheckpoints: 'c' }, says: 'they need --audit or DATABASE_URL' },
    { flags: {}, url: URL, says: 'needs --audit-key' },
    { flags: { audit: URL, auditKey: 'k' }, says: 'a password on the command line can be seen by other users' },
    { flags: { audit: `${OPEN}?password=secret`, auditKey: 'k' }, says: 'a password on the command line can be seen by other users' },
    { flags: { audit: `${OPEN}?sslpassword=secret`, auditKey: 'k' }, says: 'a password on the command line can be seen by other users' },
    { flags: { auditKey: 'k' }, url: 'postgres://sickbay:12/secret@db.example/audit', says: 'DATABASE_URL: it has an @ after its host' },
    { flags: { auditKey: 'k' }, url: 'postgres://sickbay:12?secret@db.example/audit', says: 'DATABASE_URL: it has an @ after its host' },
    { flags: { auditKey: 'k' }, url: 'postgres://sickbay:12#secret@db.example/audit', says: 'DATABASE_URL: it has an @ after its host' },
    { flags: { audit: 'mysql://db/audit', auditKey: 'k' }, says: '--audit: it takes an address such as postgres://' },
    { flags: { auditKey: 'k' }, url: 'audit', says: 'DATABASE_URL: it takes an address such as postgres://' },
    { flags: { auditKey: 'k' }, url: 'postgres://user@:x/', says: 'DATABASE_URL: it takes an address' },
  ])('refuses $flags with $url, and shows no password', ({ flags, url, says }) => {
    expect(() => auditFilesOf(flags, url)).toThrow(says);
    expect(() => auditFilesOf(flags, url)).not.toThrow('secret');
  });

  test('a command may be given an export or a database', () => {
    expect(trailOf('trail.jsonl', URL)).toBe('trail.jsonl');
    expect(trailOf(undefined, URL)).toBe(URL);
    expect(trailOf(undefined, undefined)).toBeUndefined();
  });
});
