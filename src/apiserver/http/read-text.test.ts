import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { readJson, readYaml } from './read-text.ts';

describe('JSON', () => {
  const repeating: readonly { readonly text: string; readonly fields: readonly string[]; readonly reason?: string }[] = [
    { text: '{"a":1,"a":2}', fields: ['a'] },
    { text: '{"a":{"b":1,"c":2,"b":3}}', fields: ['a.b'] },
    { text: '{"a":[{"b":1},{"b":1,"b":2}]}', fields: ['a[1].b'] },
    { text: '{"a":1,"a":2,"a":3}', fields: ['a'], reason: 'told once' },
    { text: '{"a":{"b":1},"a":{"b":2}}', fields: ['a'], reason: 'what stands in two objects is no repeat' },
    { text: '{"metadata":{"name":"a","name":"b"},"spec":{"x":1},"spec":{}}', fields: ['metadata.name', 'spec'] },
    { text: String.raw`{"a":1,"\u0061":2}`, fields: ['a'], reason: 'the same name, written differently' },
    { text: String.raw`{"a\"b":":","a\"b":"\\"}`, fields: ['a"b'] },
    { text: '{"a" : 1,\n "a"\t: 2}', fields: ['a'] },
  ];
  test.each(repeating)('$text', ({ text, fields }) => {
    const { value, repeats } = readJson(text);
    expect(value).toEqual(JSON.parse(text));
    expect(repeats).toEqual({
      warnings: fields.map((field) => `duplicate field ${JSON.stringify(field)}`),
      summary: fields.map((field) => `duplicate field ${JSON.stringify(field)}`).join(', '),
    });
  });

  test('what stands there once is no repeat, whatever it is', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        // Generated objects may have `__proto__`, which plain assignment would lose.
        expect(readJson(text)).toEqual({ value: JSON.parse(text) as unknown });
      }),
    );
  });

  test.each(['{"a":', '', 'a: 1', '{"a":1}}'])('%j is none', (text) => {
    expect(() => readJson(text)).toThrow(/not JSON/);
  });
});

describe('YAML', () => {
  test('says the same as JSON', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({ minLength: 1 }), fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null))),
        (value) => {
          expect(readYaml(stringify(value, { version: '1.1' }))).toEqual({ value });
        },
      ),
    );
  });

  test('keys that stand twice are told by their lines', () => {
    const text = 'apiVersion: v1\nmetadata:\n  name: a\n  name: b\ndata:\n  - k: 1\n    k: 2\n';
    const warnings = ['line 4: key "name" already set in map', 'line 7: key "k" already set in map'];
    expect(readYaml(text)).toEqual({
      value: { apiVersion: 'v1', metadata: { name: 'b' }, data: [{ k: 2 }] },
      repeats: { warnings, summary: `yaml: unmarshal errors:\n  ${warnings.join('\n  ')}` },
    });
  });

  test('JSON is YAML', () => {
    expect(readYaml('{"a": [1, "b"]}')).toEqual({ value: { a: [1, 'b'] } });
  });

  test.each(['a: [1,\n b: }', 'a: b: c', '"'])('%j is none', (text) => {
    expect(() => readYaml(text)).toThrow(/not YAML/);
  });

  test('aliases that multiply are refused', () => {
    const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefgh'.replaceAll(/./g, (name) => {
      const before = String.fromCharCode(name.charCodeAt(0) - 1);
      return `${name}: &${name} [${Array.from({ length: 9 }, () => `*${before}`).join(',')}]\n`;
    })}`;
    expect(() => readYaml(bomb)).toThrow(/not YAML/);
  });
});
