import { describe, expect, test } from 'vitest';
import { hasDrifted, type SpecHashes } from './spec-hash.ts';

describe('drift', () => {
  test.each<[string, SpecHashes, boolean]>([
    ['as the workflow left it', { applied: 'a', current: 'a' }, false],
    ['changed since', { applied: 'a', current: 'b' }, true],
    ['changed since, though it is as it was at the first look', { applied: 'a', first: 'b', current: 'b' }, true],
    ['nothing known of what the workflow left, first look', { current: 'b' }, false],
    ['nothing known of what the workflow left, same as at the first look', { first: 'b', current: 'b' }, false],
    ['nothing known of what the workflow left, changed since the first look', { first: 'b', current: 'c' }, true],
  ])('%s', (_, hashes, drifted) => expect(hasDrifted(hashes)).toBe(drifted));
});
