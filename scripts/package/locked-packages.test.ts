import { describe, expect, test } from 'vitest';
import { lockedPackages, type LockedPackages } from './locked-packages.ts';

const LOCKED: LockedPackages = {
  'node_modules/a': { dependencies: { b: '1' }, optionalDependencies: { absent: '1' } },
  'node_modules/a/node_modules/b': { dependencies: { c: '1', b2: '1' } },
  'node_modules/b': {},
  'node_modules/b2': { dependencies: { a: '1' } },
  'node_modules/c': {},
  'node_modules/unrelated': {},
};

describe('the packages that others need', () => {
  test('are those that Node finds from the folder of each, without optional ones that are not there', () => {
    expect(lockedPackages(LOCKED, ['a'])).toEqual(['node_modules/a', 'node_modules/a/node_modules/b', 'node_modules/b2', 'node_modules/c']);
  });

  test('are not the nested ones of another package', () => {
    expect(lockedPackages(LOCKED, ['b'])).toEqual(['node_modules/b']);
  });

  test('must be in the lockfile', () => {
    expect(() => lockedPackages(LOCKED, ['missing'])).toThrow('package-lock.json has no missing');
  });
});
