import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { configMapHash, configMapPart } from './index.ts';
import { ABSENT, aConfigMap, UNREADABLE, value } from './testing/builders.ts';

const sha256 = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`;

describe('configMapHash', () => {
  test.each<[string, Parameters<typeof configMapHash>[0], string]>([
    ['nothing', {}, ''],
    ['data, by key', { data: { b: '2', a: '1' } }, 'd:a=1\nd:b=2'],
    ['a key that begins like another', { data: { 'a-b': '2', a: '1' } }, 'd:a=1\nd:a-b=2'],
    ['binary data after the rest', { binaryData: { a: 'AAE=' }, data: { z: '1' } }, 'd:z=1\nb:a=AAE='],
    ['a value of several lines', { data: { a: 'x\ny\n' } }, 'd:a=x\ny\n'],
  ])('[EM-184] is over %s', (_, content, text) => expect(configMapHash(content)).toBe(sha256(text)));

  test('[EM-185] does not depend on the order of keys', () =>
    expect(configMapHash({ data: { a: '1', b: '2' }, binaryData: { c: 'AA==', d: 'AQ==' } })).toBe(
      configMapHash({ binaryData: { d: 'AQ==', c: 'AA==' }, data: { b: '2', a: '1' } }),
    ));

  test('[EM-186] changes with binary data alone', () =>
    expect(configMapHash({ data: { a: '1' }, binaryData: { b: 'AA==' } })).not.toBe(
      configMapHash({ data: { a: '1' }, binaryData: { b: 'AQ==' } }),
    ));

  test('[EM-187] differs for data and binary data', () =>
    expect(configMapHash({ data: { a: 'AA==' } })).not.toBe(configMapHash({ binaryData: { a: 'AA==' } })));

  test('[EM-188] does not see labels, annotations and versions', () => {
    const metadata = { ...aConfigMap().metadata, labels: { a: '1' }, annotations: { b: '2' }, resourceVersion: '9' };
    expect(configMapHash(aConfigMap({ a: '1' }, { metadata, immutable: true }))).toBe(configMapHash(aConfigMap({ a: '1' })));
  });

  const line = fc.constantFrom('x', 'd:b=2', 'b:c=AA==', '\\d:b=2', '\\', '', 'd:');
  const text = fc.oneof(
    fc.string(),
    fc.array(line, { maxLength: 4 }).map((lines) => lines.join('\n')),
  );
  const key = fc.constantFrom('a', 'b', 'a-b', 'a.b', '__proto__', 'constructor');
  const entries = fc.uniqueArray(fc.tuple(key, text), { selector: ([name]) => name, maxLength: 4 });
  const content = fc.record({ data: entries.map(Object.fromEntries), binaryData: entries.map(Object.fromEntries) });

  test('differs for any two contents, whatever their values look like', () =>
    fc.assert(
      fc.property(content, content, (one, other) => {
        expect(configMapHash(one) === configMapHash(other)).toBe(sameContent(one, other));
      }),
      { numRuns: 1_000 },
    ));

  test('a value that looks like the next entry is not one', () => {
    expect(configMapHash({ data: { a: '1\nd:b=2' } })).not.toBe(configMapHash({ data: { a: '1', b: '2' } }));
    expect(configMapHash({ data: { a: '1\n\\d:b=2' } })).not.toBe(configMapHash({ data: { a: '1\nd:b=2' } }));
  });
});

const sameContent = (one: object, other: object): boolean => ordered(one) === ordered(other);

const ordered = (content: object): string =>
  JSON.stringify(Object.entries(content).map(([field, entries]) => [field, Object.entries(entries as object).toSorted(byKey)]));

const byKey = ([a]: [string, unknown], [b]: [string, unknown]): number => (a < b ? -1 : 1);

describe('configMapPart', () => {
  test('[EM-201, EM-202, EM-203] absent, unreadable and empty are three states, each of its own name', () => {
    const parts = ['a', 'b'].flatMap((name) => [configMapPart(name, ABSENT), configMapPart(name, UNREADABLE)]);
    expect(new Set([...parts, configMapPart('a', value(aConfigMap()))]).size).toBe(5);
  });

  test('[EM-203] one that cannot be read has the same mark whatever the reason', () =>
    expect(configMapPart('a', UNREADABLE)).toBe(configMapPart('a', { kind: 'unreadable', reason: 'connection refused' })));

  test('[EM-202] one that does not exist has the mark of the seed', () =>
    expect(configMapPart('a', ABSENT)).toBe(sha256('d:__sentinel__=__absent:a__')));
});
