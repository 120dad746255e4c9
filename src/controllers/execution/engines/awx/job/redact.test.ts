import { expect, test } from 'vitest';
import type { Secret } from '../../../../../api/builtin/index.ts';
import { redact, secretTexts } from './redact.ts';

const secret = (...values: readonly string[]): Secret =>
  ({ data: Object.fromEntries(values.map((value, i) => [`k${i}`, Buffer.from(value).toString('base64')])) }) as unknown as Secret;

test.each<{ reason: string; values: readonly string[]; text: string; want: string }>([
  { reason: 'as it is', values: ['hunter2'], text: 'login with hunter2 failed', want: 'login with ******** failed' },
  { reason: 'encoded', values: ['hunter2'], text: Buffer.from('hunter2').toString('base64'), want: '********' },
  { reason: 'in an address', values: ['p@ss/w'], text: 'http://u:p%40ss%2Fw@db', want: 'http://u:********@db' },
  { reason: 'in JSON', values: ['a"b\\c!'], text: '{"p":"a\\"b\\\\c!"}', want: '{"p":"********"}' },
  { reason: 'one line of several', values: ['-----BEGIN\nabcdef\n-----END'], text: 'key abcdef shown', want: 'key ******** shown' },
  { reason: 'the longer one first', values: ['pass', 'password'], text: 'password', want: '********' },
  { reason: 'a short one only where it stands alone', values: ['1'], text: 'took 1 of 10', want: 'took ******** of 10' },
  { reason: 'what looks like a pattern is none', values: ['a.c+'], text: 'abc+ a.c+', want: 'abc+ ********' },
  { reason: 'a token by its looks', values: [], text: 'Bearer eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJ4In0.c2ln', want: 'Bearer ********' },
  { reason: 'colours go', values: [], text: '\u001B[0;31mfatal\u001B[0m', want: 'fatal' },
  { reason: 'one of four letters also within a word', values: ['abcd'], text: 'xabcdx', want: 'x********x' },
  { reason: 'one of three letters not within a word', values: ['abc'], text: 'xabcx abc', want: 'xabcx ********' },
  { reason: 'without the space around it', values: ['  spaced  '], text: 'is spaced.', want: 'is ********.' },
  { reason: 'an entry of spaces hides nothing', values: ['    '], text: 'a    b', want: 'a    b' },
  { reason: 'an empty entry hides nothing', values: ['', '\n'], text: 'all is told', want: 'all is told' },
])('$reason', ({ values, text, want }) => expect(redact(text, secretTexts([secret(...values)]))).toBe(want));
