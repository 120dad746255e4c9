import { describe, expect, test } from 'vitest';
import type { BmcAccess } from './bmc.ts';
import { quote } from './quote.ts';

const access = (password: string): BmcAccess => ({ address: 'https://bmc', username: 'admin', password, insecureSkipVerify: false });
const base64 = (text: string): string => Buffer.from(text).toString('base64');

describe('a quote has nothing of the password', () => {
  const password = 'a "b"/c d\\ü of their host';
  const sent = base64(`admin:${password}`);

  test.each([
    { form: 'as it is', said: `bad password ${password}!`, want: 'bad password ********!' },
    { form: 'as it was sent', said: `bad header Basic ${sent}!`, want: 'bad header Basic ********=!' },
    { form: 'as it was sent, not filled up', said: `bad header Basic ${sent.replace('=', '')}!`, want: 'bad header Basic ********!' },
    { form: 'as JSON has it', said: `bad body {"Password":${JSON.stringify(password)}}`, want: 'bad body {"Password":"********"}' },
    { form: 'as addresses have it', said: `bad query ?p=${encodeURIComponent(password)}`, want: 'bad query ?p=********' },
    { form: 'several times', said: `${password} is not ${password}`, want: '******** is not ********' },
  ])('$form', ({ said, want }) => expect(quote(said, access(password))).toBe(want));

  test('where it is found in what was sent, too', () => {
    const [short] = sent.match(/^.{4}/) ?? [''];
    expect(quote(`Basic ${base64(`admin:${short}`)}`, access(short))).toMatch(/^Basic \*{8}=*$/);
  });

  test.each([1, 5, 18, 30])('where the quote ends %i characters into it', (into) => {
    for (const secret of [password, sent])
      expect(quote(`${'x'.repeat(50 - into)}${secret} is wrong`, access(password), 50)).toMatch(/^x+\**(…|=? is wrong)$/);
  });

  test('where it is no text that can be encoded', () => expect(quote('bad \ud800', access('\ud800'))).toBe('bad ********'));
});

test('where there is no password, all of it is quoted', () => expect(quote('bad YWRtaW46', access(''))).toBe('bad YWRtaW46'));

test('a quote is not longer than it may be', () => {
  expect(quote('x'.repeat(500), access('secret'))).toHaveLength(300);
  expect(quote('x'.repeat(500), access('secret'), 100)).toBe(`${'x'.repeat(99)}…`);
});
