import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { keyFileWarnings } from './key-file-warnings.ts';
import { makeKeys } from './key-file.ts';

function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sickbay-keys-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

test('a key file that Sickbay made, and one that is not there, need no warning', () => {
  const path = join(aFolder(), 'keys');
  expect(keyFileWarnings(path)).toEqual([]);
  makeKeys(path);
  expect(keyFileWarnings(path)).toEqual([]);
});

test.for([0o640, 0o604])('a key file with mode %o is warned of', (mode) => {
  const path = join(aFolder(), 'keys');
  makeKeys(path);
  chmodSync(path, mode);
  expect(keyFileWarnings(path)).toEqual([expect.stringContaining('can be read by other users of this machine')]);
});

test('a key file without an end of line is warned of, since a further key would be joined to the last one', () => {
  const path = join(aFolder(), 'keys');
  writeFileSync(path, 'k'.repeat(32), { mode: 0o600 });
  expect(keyFileWarnings(path)).toEqual([`${path} does not end with a newline: begin a new line before you add a key`]);
});
