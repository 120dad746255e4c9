import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readJson } from './read-json.ts';

describe('a body', () => {
  test.each([
    ['{"a":1,"a":2}', '"a"', 'the same key'],
    ['{"a":{"b":[{"c":1,"d":{},"c":1}]}}', '"c"', 'deep inside'],
    ['{"labels":{"pod":"a","p\\u006fd":"b"}}', '"p\\u006fd"', 'the same key in another spelling'],
    ['{"__proto__":1,"__proto__":2}', '"__proto__"', 'a name that objects inherit'],
    ['{"a":"x:y","\\"":1,"b":{"a":1},"\\"":2}', '"\\""', 'quotes and colons inside of strings'],
  ])('%s is refused, and %s is named', (text, key) =>
    expect(readJson(text)).toEqual({ kind: 'refused', why: `the body has a key twice in one object: ${key}` }),
  );

  test.each([
    ['{"alerts":[{"n":1e400}]}', 'alerts[0].n'],
    ['[-1e999]', '[0]'],
    ['1e999', 'the body'],
  ])('%s has a number that is too large, at %s', (text, path) =>
    expect(readJson(text)).toEqual({ kind: 'refused', why: `${path} is a number that is too large` }),
  );

  test.each(['', '{', '{"a":1}x', "{'a':1}", '{"a":NaN}', '\u0000{}'])('%j is not JSON', (text) =>
    expect(readJson(text)).toEqual({ kind: 'refused', why: 'the body is not JSON' }),
  );

  test('may use names that objects inherit, which change nothing', () => {
    const read = readJson('{"__proto__":{"polluted":true},"constructor":"x"}');
    expect(read.kind === 'value' && Object.keys(read.value as object)).toEqual(['__proto__', 'constructor']);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  test('is read as JSON.parse reads it, whatever it holds', () =>
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(readJson(text)).toEqual({ kind: 'value', value: JSON.parse(text) as unknown });
      }),
    ));
});
