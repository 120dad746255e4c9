import { describe, expect, test } from 'vitest';
import { checkTimeout, queryNumber, writeOptions } from './options.ts';
import { versionProblem } from './version-text.ts';

describe('options', () => {
  test.each(['', '0', '10s', '1m30s', '1.5h', '.5s', '-1ms', '3us', '3µs'])('a timeout of %j is one', (timeout) =>
    expect(() => checkTimeout({ timeout })).not.toThrow(),
  );

  test.each(['soon', '10', '1d', 's', '1.s.', '10 s', '+'])('a timeout of %j is none', (timeout) =>
    expect(() => checkTimeout({ timeout })).toThrow(/invalid duration/),
  );

  test.each([
    { text: '7', number: 7 },
    { text: '-7', number: -7 },
    { text: '+7', number: 7 },
    { text: '9223372036854775807', number: 2 ** 63 },
  ])('$text is a whole number', ({ text, number }) => expect(queryNumber(text)).toBe(number));

  test.each([
    { text: '', says: /invalid syntax/ },
    { text: '1.5', says: /invalid syntax/ },
    { text: ' 1', says: /invalid syntax/ },
    { text: '9223372036854775808', says: /out of range/ },
    { text: '-9223372036854775809', says: /out of range/ },
  ])('"$text" is no whole number', ({ text, says }) => expect(() => queryNumber(text)).toThrow(says));

  test.each(['kubectl', 'kubectl edit', 'ä', 'x'.repeat(128)])('%j may manage fields', (fieldManager) =>
    expect(writeOptions({ fieldManager }, 'CreateOptions')).toEqual({ dryRun: false, fieldValidation: 'Warn' }),
  );

  test.each(['x'.repeat(129), 'ä'.repeat(65), 'a\u0001', 'a\nb', 'a\u00A0b', 'a\u2028b'])('%j may not', (fieldManager) =>
    expect(() => writeOptions({ fieldManager }, 'CreateOptions')).toThrow(/fieldManager/),
  );

  test.each([
    { text: '', problem: undefined },
    { text: '0', problem: undefined },
    { text: '18446744073709551615', problem: undefined },
    { text: '18446744073709551616', problem: 'value out of range' },
    { text: '-1', problem: 'invalid syntax' },
    { text: 'q', problem: 'invalid syntax' },
  ])('version "$text": $problem', ({ text, problem }) => expect(versionProblem(text)?.split(': ').at(-1)).toBe(problem));
});
