import { describe, expect, test } from 'vitest';
import { HOUR } from '../../base/index.ts';
import { ManualClock } from '../../testkit/manual-clock.ts';
import type { Caller } from './caller.ts';
import { LinkSessions, type OpenSessions } from './link-sessions.ts';

const caller = { user: 'admin', groups: [], via: 'link' } as unknown as Caller;
const PORT = 8080;
const codeOf = ({ path }: LinkSessions): string => new URL(path, 'http://localhost').searchParams.get('code') ?? '';
const opened = (sessions: LinkSessions): string => sessions.open(codeOf(sessions), { port: PORT })!.split(';')[0]!;
const newSessions = (clock = new ManualClock()) => new LinkSessions({ clock, caller });

describe('the link', () => {
  test('works once, and then another one does', () => {
    const sessions = newSessions();
    let used = 0;
    sessions.onUsed = () => used++;
    const code = codeOf(sessions);
    expect(sessions.open('', { port: PORT })).toBeUndefined();
    expect(sessions.open(`${code}x`, { port: PORT })).toBeUndefined();
    expect(used).toBe(0);
    expect(sessions.open(code, { port: PORT })).toMatch(
      /^sickbay-session-8080=[\w-]{43}; Path=\/; Max-Age=604800; HttpOnly; SameSite=Strict$/,
    );
    expect(used).toBe(1);
    expect(sessions.open(code, { port: PORT })).toBeUndefined();
    expect(codeOf(sessions)).not.toBe(code);
    expect(sessions.open(codeOf(sessions), { port: PORT, isEncrypted: true })).toMatch(/; SameSite=Strict; Secure$/);
  });
});

describe('a session', () => {
  const host = '127.0.0.1:8080';

  test('acts as its user', () => {
    const sessions = newSessions();
    const cookie = opened(sessions);
    expect(sessions.callerOf({ headers: { cookie, host } })).toBe(caller);
    expect(sessions.callerOf({ headers: { cookie: `other=1; ${cookie}; sickbay-session-9=x`, host } })).toBe(caller);
  });

  test.each([undefined, '', 'sickbay-session-8080', 'sickbay-session-8080=', 'sickbay-session-8080=x', 'a=b; c', '=', ';;;'])(
    'is not one that was made up: %s',
    (cookie) => expect(newSessions().callerOf({ headers: { cookie, host } })).toBeUndefined(),
  );

  test('of another run counts for nothing', () => {
    const cookie = opened(newSessions());
    expect(newSessions().callerOf({ headers: { cookie, host } })).toBeUndefined();
  });

  test('that an earlier process opened goes on until its own end', () => {
    const clock = new ManualClock();
    let kept: OpenSessions = new Map();
    const first = new LinkSessions({ clock, caller, onOpened: (open) => (kept = new Map(open)) });
    const headers = { cookie: opened(first), host };
    expect([...kept.keys()].join()).not.toContain(headers.cookie.split('=')[1]);
    clock.jump(6 * 24 * HOUR);
    const second = new LinkSessions({ clock, caller, open: kept });
    expect(second.callerOf({ headers })).toBe(caller);
    clock.jump(24 * HOUR);
    expect(second.callerOf({ headers })).toBeUndefined();
  });

  test('ends after a week', () => {
    const clock = new ManualClock();
    const sessions = newSessions(clock);
    const headers = { cookie: opened(sessions), host };
    clock.jump(7 * 24 * HOUR - 1);
    expect(sessions.callerOf({ headers })).toBe(caller);
    clock.jump(1);
    expect(sessions.callerOf({ headers })).toBeUndefined();
  });

  test('ends when many newer ones were opened, the oldest first', () => {
    const sessions = newSessions();
    const [first, second, ...others] = Array.from({ length: 33 }, () => opened(sessions));
    expect(sessions.callerOf({ headers: { cookie: first, host } })).toBeUndefined();
    for (const cookie of [second, ...others]) expect(sessions.callerOf({ headers: { cookie, host } })).toBe(caller);
  });

  const foreign = [
    { origin: 'http://evil.example.org', reason: 'another site' },
    { origin: 'http://127.0.0.1:9999', reason: 'another program on this machine, which cookies do not tell apart' },
    { origin: 'null', reason: 'a sandboxed page' },
    { origin: 'http://127.0.0.1:8080.evil.example.org', reason: 'a name that begins alike' },
    { 'sec-fetch-site': 'same-site', reason: 'a browser that tells only how near the page is' },
    { 'sec-fetch-site': 'cross-site', reason: 'a link on another site' },
  ];
  test.each(foreign)('is refused to a page of another origin: $reason', ({ reason: _reason, ...headers }) => {
    const sessions = newSessions();
    const cookie = opened(sessions);
    expect(() => sessions.callerOf({ headers: { cookie, host, ...headers } })).toThrow(/only the console of this server/);
  });

  test('is given to the page of this server', () => {
    const sessions = newSessions();
    const cookie = opened(sessions);
    const headers = { cookie, host, origin: 'http://127.0.0.1:8080', 'sec-fetch-site': 'same-origin' };
    expect(sessions.callerOf({ headers })).toBe(caller);
  });
});
