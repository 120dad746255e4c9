import { expect, test } from 'vitest';
import type { KubeObject } from '../../kube/meta.ts';
import type { WatchLine } from '../../kube/client/transport.ts';
import { LineTexts } from './line-texts.ts';

/** An object that counts how often it is put into words. */
const counting = (name: string): { readonly line: WatchLine; words(): number } => {
  let words = 0;
  const metadata = { name, uid: '', resourceVersion: '1', creationTimestamp: '' };
  const object = { apiVersion: 'v1', kind: 'T', metadata, toJSON: () => (words++, { name }) } as KubeObject;
  return { line: { type: 'ADDED', object }, words: () => words };
};

test('a line is one line of JSON', () => {
  const { line } = counting('a');
  expect(new LineTexts().of(line)).toBe('{"type":"ADDED","object":{"name":"a"}}\n');
});

test('an object is put into words once for all its watchers, whatever it means to each', () => {
  const texts = new LineTexts();
  const { line, words } = counting('a');
  for (const type of ['ADDED', 'MODIFIED', 'MODIFIED'] as const) expect(texts.of({ ...line, type })).toContain(`{"type":"${type}",`);
  expect(words()).toBe(1);
});

test('texts of long ago are not kept', () => {
  const texts = new LineTexts();
  const first = counting('first');
  texts.of(first.line);
  for (let i = 0; i < 256; i++) texts.of(counting(`later-${i}`).line);
  texts.of(first.line);
  expect(first.words()).toBe(2);
});
