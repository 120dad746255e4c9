import { describe, expect, test } from 'vitest';
import { PlatformError, type Fields } from '../base/index.ts';
import { ManualClock } from '../testkit/manual-clock.ts';
import { createLogger, type LoggerOptions } from './logger.ts';

function logging(level: LoggerOptions['level'] = 'debug'): {
  log: ReturnType<typeof createLogger>;
  lines: () => Record<string, unknown>[];
  text: () => string;
} {
  const written: string[] = [];
  const log = createLogger({ clock: new ManualClock(), level, destination: { write: (line: string) => void written.push(line) } });
  return { log, lines: () => written.map((line) => JSON.parse(line) as Record<string, unknown>), text: () => written.join('') };
}

describe('log lines', () => {
  test('are JSON, with the level in words and the time by our clock', () => {
    const { log, lines } = logging();
    log.info('pass done', { key: 'default/a', writes: 2 });
    expect(lines()).toEqual([{ level: 'info', time: '2026-11-15T03:00:00.000000Z', key: 'default/a', writes: 2, msg: 'pass done' }]);
  });

  test('carry the fields of the log they come from', () => {
    const { log, lines } = logging();
    log.with({ controller: 'things' }).with({ key: 'a' }).warn('x');
    expect(lines()[0]).toMatchObject({ level: 'warn', controller: 'things', key: 'a', msg: 'x' });
  });

  const levels = [
    { level: 'debug', want: ['debug', 'info', 'warn', 'error'] },
    { level: 'warn', want: ['warn', 'error'] },
    { level: 'silent', want: [] },
  ] as const;
  test.each(levels)('from level $level on', ({ level, want }) => {
    const { log, lines } = logging(level);
    log.debug('x');
    log.info('x');
    log.warn('x');
    log.error('x');
    expect(lines().map((line) => line['level'])).toEqual(want);
  });

  test('an error is its code, its words and its cause; the stack only of unforeseen errors', () => {
    const { log, lines } = logging();
    const cause = new TypeError('undefined is not a function');
    log.error('pass not finished', { error: new PlatformError('Unavailable', 'reading pods', { cause }) });
    const { error } = lines()[0] as { error: { cause: Record<string, unknown> } };
    expect(error).toMatchObject({ code: 'Unavailable', message: 'reading pods', cause: { message: 'undefined is not a function' } });
    expect(error).not.toHaveProperty('stack');
    expect(error.cause['stack']).toContain('logger.test.ts');
  });
});

describe('secrets stay out', () => {
  const SECRET = 'c2VjcmV0LXZhbHVl';
  const cases: readonly { fields: Fields; reason: string }[] = [
    { fields: { token: SECRET }, reason: 'token' },
    { fields: { bearerToken: SECRET }, reason: 'camel case' },
    { fields: { headers: { Authorization: SECRET } }, reason: 'a header' },
    { fields: { headers: { 'Set-Cookie': [SECRET] } }, reason: 'a cookie' },
    { fields: { config: { client_secret: SECRET } }, reason: 'snake case' },
    { fields: { a: { b: [{ apiKey: SECRET }] } }, reason: 'deep down' },
    { fields: { 'private-key': SECRET, password: SECRET, credentials: { user: SECRET } }, reason: 'several' },
    { fields: { note: `sent Authorization: Bearer ${SECRET}` }, reason: 'inside a text' },
    { fields: { error: new Error(`401 for Basic ${SECRET}`) }, reason: 'inside an error' },
    { fields: { a: { b: { c: { d: { e: SECRET } } } } }, reason: 'deeper than a line should go' },
  ];
  test.each(cases)('$reason', ({ fields }) => {
    const { log, text } = logging();
    log.info('x', fields);
    log.with(fields).info('y');
    expect(text()).not.toContain(SECRET);
    expect(text()).toMatch(/redacted|deeper/);
  });

  test('in the message too', () => {
    const { log, text } = logging();
    log.info(`got bearer ${SECRET}`);
    expect(text()).not.toContain(SECRET);
  });

  const harmless: readonly Fields[] = [
    { secretName: 'db' },
    { tokens: 12 },
    { tokenExpiresAt: 'noon' },
    { cookies: 'none' },
    { message: 'the token bearer of news' },
    { list: [1, null, true] },
  ];
  test.each(harmless)('what only sounds like one is kept: %o', (fields) => {
    const { log, lines } = logging();
    log.info('x', fields);
    expect(lines()[0]).toMatchObject(fields);
  });
});
