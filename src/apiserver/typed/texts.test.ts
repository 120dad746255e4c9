import { describe, expect, test } from 'vitest';
import { readBase64, readMicroTime, readTime } from './texts.ts';

describe('moments', () => {
  test.each([
    { given: '2026-01-01T00:00:00Z', kept: '2026-01-01T00:00:00Z' },
    { given: '2026-01-01T01:00:00.5+01:00', kept: '2026-01-01T00:00:00Z' },
  ])('$given is kept in whole seconds of UTC', ({ given, kept }) => expect(readTime(given)).toEqual({ value: kept }));

  test.each(['yesterday', '', '2026-01-01'])('%j is none', (given) => {
    const refused = `parsing time ${JSON.stringify(given)} as "2006-01-02T15:04:05Z07:00": cannot parse`;
    expect(readTime(given)).toEqual({ refused });
  });

  test('six digits of a second are kept as they are', () => {
    expect(readMicroTime('2026-01-01T01:00:00.123456+01:00')).toEqual({ value: '2026-01-01T00:00:00.123456Z' });
  });

  test.each(['2026-01-01T00:00:00Z', '2026-01-01T00:00:00.5Z', '2026-13-01T00:00:00.000000Z', 'x'])('%j has not six digits', (given) =>
    expect(readMicroTime(given)).toHaveProperty('refused'),
  );
});

describe('bytes', () => {
  test.each([
    { given: '', kept: '' },
    { given: 'ZA==', kept: 'ZA==' },
    { given: 'ZGU=', kept: 'ZGU=' },
    { given: 'ZGVm', kept: 'ZGVm' },
    { given: 'ZG\r\nVm\n', kept: 'ZGVm' },
    { given: 'ZB==', kept: 'ZA==' },
  ])('$given', ({ given, kept }) => expect(readBase64(given)).toEqual({ value: kept }));

  test.each([
    { given: '???', at: 0 },
    { given: 'ZA', at: 0 },
    { given: 'ZGVm-_==', at: 4 },
    { given: 'Z===', at: 1 },
  ])('$given is none', ({ given, at }) => expect(readBase64(given)).toEqual({ refused: `illegal base64 data at input byte ${at}` }));

  test('nothing comes after the end', () => expect(readBase64('ZA==ZA==')).toHaveProperty('refused'));
});
