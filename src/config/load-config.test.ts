import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DEFAULT_SETTINGS } from '../controllers/default-settings.ts';
import { loadConfig } from './load-config.ts';
import { configError, problemText } from './problem.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sickbay-config-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function aFile(name: string, content: string | Uint8Array): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

const problemOf = async (path: string): Promise<string> => {
  const loaded = await loadConfig(path);
  return loaded.kind === 'refused' ? problemText('it', loaded.problems) : 'none';
};

describe('a config file', () => {
  test('is read, also through a link', async () => {
    const path = await aFile('good.yaml', 'dryRun: true # ✓');
    await symlink(path, join(folder, 'link.yaml'));
    for (const at of [path, join(folder, 'link.yaml')])
      expect(await loadConfig(at)).toEqual({ kind: 'valid', settings: { ...DEFAULT_SETTINGS, dryRun: true }, keys: ['dryRun'] });
  });

  test('that is not there, or is a folder, is named', async () => {
    expect(await problemOf(join(folder, 'none.yaml'))).toMatch(/^it: cannot be read: ENOENT/);
    expect(await problemOf(folder)).toMatch(/^it: cannot be read: EISDIR/);
  });

  test('must be text in UTF-8', async () => {
    expect(await problemOf(await aFile('latin1.yaml', Uint8Array.of(0x64, 0xe9)))).toBe('it: is not text in UTF-8');
    expect(await problemOf(await aFile('nul.yaml', 'dryRun: true\0'))).not.toBe('none');
  });

  test('is no larger than a ConfigMap', async () => {
    const spaces = (bytes: number) => `dryRun: true${' '.repeat(bytes - 12)}`;
    expect(await problemOf(await aFile('full.yaml', spaces(1_048_576)))).toBe('none');
    expect(await problemOf(await aFile('large.yaml', spaces(1_048_577)))).toBe('it: has 1048577 bytes: wants at most 1048576');
  });
});

describe('problems', () => {
  const at = { line: 2, column: 3 };

  test('one is told in one line', () => {
    expect(problemText('c.yaml', [{ at, key: 'a', message: 'a is 1' }])).toBe('c.yaml:2:3: a is 1');
    expect(problemText('c.yaml', [{ message: 'is gone' }])).toBe('c.yaml: is gone');
  });

  test('several are reported together, by an error that no retry fixes', () => {
    const error = configError('c.yaml', [{ message: 'x' }, { at, message: 'y' }]);
    expect(error).toMatchObject({ code: 'Invalid', retry: 'never' });
    expect(error.message).toBe('c.yaml has 2 problems:\n  c.yaml: x\n  c.yaml:2:3: y');
  });
});
