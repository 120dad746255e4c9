import { describe, expect, test } from 'vitest';
import { hasDrifted, type SpecHashes } from './spec-hash.ts';

describe('drift of a target that the workflow changes itself', () => {
  test.each<[string, SpecHashes, boolean]>([
    ['as the workflow left it', { applied: 'a', current: 'a' }, false],
    ['changed since', { applied: 'a', current: 'b' }, true],
    ['changed since, though it is as it was at the first look', { applied: 'a', first: 'b', current: 'b' }, true],
    ['nothing known of what the workflow left, first look', { current: 'b' }, false],
    ['nothing known of what the workflow left, same as at the first look', { first: 'b', current: 'b' }, false],
    ['nothing known of what the workflow left, changed since the first look', { first: 'b', current: 'c' }, true],
    ['a baseline is for others', { baseline: 'b', current: 'c' }, false],
  ])('%s', (_, hashes, drifted) => expect(hasDrifted(hashes, { isAsync: false })).toBe(drifted));
});

describe('[EM-181] drift of a target that others apply changes to', () => {
  test.each<[string, SpecHashes, boolean]>([
    ['changed while the change was on its way', { applied: 'a', baseline: 'b', current: 'b' }, false],
    ['changed after it had arrived', { applied: 'a', baseline: 'b', current: 'c' }, true],
    ['changed back to what the workflow left', { applied: 'a', baseline: 'b', current: 'a' }, true],
    ['not seen when the change arrived, first look', { applied: 'a', current: 'b' }, false],
    ['not seen when the change arrived, changed since the first look', { applied: 'a', first: 'b', current: 'c' }, true],
  ])('%s', (_, hashes, drifted) => expect(hasDrifted(hashes, { isAsync: true })).toBe(drifted));
});
