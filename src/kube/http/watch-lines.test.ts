import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { WatchLines } from './watch-lines.ts';
import { aWidget } from '../testing/widget.ts';

const line = (name: string, colour = 'red'): string => JSON.stringify({ type: 'ADDED', object: aWidget({ name, version: 1, colour }) });

/** The names in the lines, batch by batch. */
const feed = (chunks: readonly Buffer[]): readonly (readonly string[])[] => {
  const lines = new WatchLines();
  return chunks.map((chunk) => lines.push(chunk).map(({ object }) => object.metadata.name));
};

describe('cutting a stream into lines', () => {
  test('gives all lines of a chunk in one batch', () => {
    expect(feed([Buffer.from(`${line('a')}\n${line('b')}\n`)])).toEqual([['a', 'b']]);
  });

  test('keeps what is not complete', () => {
    const text = `${line('a')}\n${line('b')}\n`;
    expect(feed([Buffer.from(text.slice(0, 40)), Buffer.from(text.slice(40, -1)), Buffer.from('\n')])).toEqual([[], ['a'], ['b']]);
  });

  test('passes over empty lines and carriage returns', () => {
    expect(feed([Buffer.from(`\n\r\n${line('a')}\r\n\n`)])).toEqual([['a']]);
  });

  test('gives the same lines however the bytes are cut, inside characters too', () => {
    const names = ['ascii', 'größe', '日本語', '🚑🩺', '\u2028'];
    const bytes = Buffer.from(names.map((name) => `${line(name)}\n`).join(''));
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: bytes.length })), (cuts) => {
        const edges = [0, ...cuts.toSorted((a, b) => a - b), bytes.length];
        const chunks = edges.slice(1).map((end, i) => bytes.subarray(edges[i], end));
        expect(feed(chunks).flat()).toEqual(names);
      }),
    );
  });

  test('takes a line of several megabytes in many chunks', () => {
    const bytes = Buffer.from(`${line('big', 'x'.repeat(3_000_000))}\n`);
    const chunks = Array.from({ length: Math.ceil(bytes.length / 16_384) }, (_, i) => bytes.subarray(i * 16_384, (i + 1) * 16_384));
    expect(feed(chunks).flat()).toEqual(['big']);
  });

  test('knows when the stream ends inside a line', () => {
    const lines = new WatchLines();
    lines.push(Buffer.from(`${line('a')}\n{"type"`));
    expect(lines.pendingBytes).toBe(7);
    lines.push(Buffer.from(`:"ADDED","object":{}}\n`));
    expect(lines.pendingBytes).toBe(0);
  });
});

describe('what is no watch line', () => {
  test.each([
    { name: 'no JSON', text: '{"type":' },
    { name: 'a page', text: '<html>login</html>' },
    { name: 'no object', text: '[]' },
    { name: 'an unknown type', text: '{"type":"RENAMED","object":{}}' },
    { name: 'a line without object', text: '{"type":"ADDED"}' },
    { name: 'a line whose object is none', text: '{"type":"ADDED","object":"x"}' },
  ])('$name is refused, and a list follows', ({ text }) => {
    expect(() => new WatchLines().push(Buffer.from(`${text}\n`))).toThrow(expect.objectContaining({ code: 'Internal' }));
  });

  test('a line without end is refused before it fills the memory', () => {
    const lines = new WatchLines();
    const chunk = Buffer.alloc(8 * 1024 * 1024, 'x');
    expect(() => {
      for (let i = 0; i < 10; i++) lines.push(chunk);
    }).toThrow(expect.objectContaining({ code: 'Internal' }));
  });
});
