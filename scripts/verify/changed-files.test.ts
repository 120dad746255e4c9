import { expect, test } from 'vitest';
import { changedFiles } from './changed-files.ts';

const cases = [
  { reason: 'nothing changed', before: { a: '1' }, after: { a: '1' }, want: [] },
  { reason: 'content changed', before: { a: '1', b: '1' }, after: { a: '2', b: '1' }, want: ['a'] },
  { reason: 'a new file', before: {}, after: { a: '1' }, want: ['a'] },
  { reason: 'a removed file', before: { a: '1' }, after: {}, want: ['a'] },
  { reason: 'several, in order', before: { b: '1' }, after: { b: '2', a: '1' }, want: ['a', 'b'] },
];

test.each(cases)('$reason', ({ before, after, want }) => {
  expect(changedFiles(new Map(Object.entries(before)), new Map(Object.entries(after)))).toEqual(want);
});
