import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openStateFolder } from './state-folder.ts';

let scratch: string;
beforeEach(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'sickbay-test-'));
});
afterEach(() => rm(scratch, { recursive: true }));

const modeOf = async (path: string): Promise<string> => ((await stat(path)).mode & 0o777).toString(8);

describe('a folder made for one run', () => {
  test('is for its owner alone, and goes away with everything in it', async () => {
    const folder = await openStateFolder(undefined);
    const file = await folder.write('kubeconfig', 'token');
    expect([await modeOf(folder.path), await modeOf(file), await readFile(file, 'utf8')]).toEqual(['700', '600', 'token']);
    await folder.close();
    await expect(stat(folder.path)).rejects.toThrow('ENOENT');
    await folder.close();
  });

  test('keeps a secret that was made up once', async () => {
    const folder = await openStateFolder(undefined);
    const asked = [await folder.secret('key', () => 'first'), await folder.secret('key', () => 'second')];
    expect([asked, await modeOf(join(folder.path, 'key'))]).toEqual([['first', 'first'], '600']);
    await folder.close();
  });

  test('is another one each time', async () => {
    const [one, two] = await Promise.all([openStateFolder(undefined), openStateFolder(undefined)]);
    expect(one.path).not.toBe(two.path);
    await Promise.all([one.close(), two.close()]);
  });
});

describe('a folder that was named', () => {
  test('is made for its owner alone, and stays', async () => {
    const path = join(scratch, 'state');
    const folder = await openStateFolder(path);
    const file = await folder.write('kubeconfig', 'token');
    expect([folder.path, await modeOf(path), await modeOf(file)]).toEqual([path, '700', '600']);
    await folder.close();
    expect(await readdir(path)).toEqual(['kubeconfig']);
  });

  test('is taken as it is when it is there, but a file that others could read is closed to them', async () => {
    await writeFile(join(scratch, 'kubeconfig'), 'old and longer');
    await chmod(join(scratch, 'kubeconfig'), 0o644);
    await writeFile(join(scratch, 'notes'), 'mine');
    const folder = await openStateFolder(scratch);
    const file = await folder.write('kubeconfig', 'new');
    expect([await modeOf(file), await readFile(file, 'utf8')]).toEqual(['600', 'new']);
    await folder.close();
    expect((await readdir(scratch)).toSorted()).toEqual(['kubeconfig', 'notes']);
  });

  test.each([
    { path: 'file', want: /--state: .*file is not a folder/, reason: 'it is a file' },
    { path: 'file/below', want: /--state: .*ENOTDIR/, reason: 'it is below a file' },
    { path: 'none/below', want: /--state: there is no folder .*none$/, reason: 'the folder that it is in is not there' },
  ])('is refused when $reason', async ({ path, want }) => {
    await writeFile(join(scratch, 'file'), '');
    await expect(openStateFolder(join(scratch, path))).rejects.toThrow(want);
    expect(await readdir(scratch)).toEqual(['file']);
  });
});
