import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { silent } from '../../base/index.ts';
import { kubeconfigOfLocalRun, noteLocalRun } from './local-run-file.ts';

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'sickbay-home-'));
});
afterEach(() => rm(home, { recursive: true }));

test('a local run is found while it runs, and leaves nothing behind', async () => {
  expect(await kubeconfigOfLocalRun(home)).toBeUndefined();
  const forget = await noteLocalRun('/a/kubeconfig', silent, home);
  expect(await kubeconfigOfLocalRun(home)).toBe('/a/kubeconfig');
  await forget();
  expect(await readdir(home)).toEqual([]);
});

test('one that ends does not take away the note of one that was started later', async () => {
  const forget = await noteLocalRun('/a/kubeconfig', silent, home);
  await noteLocalRun('/b/kubeconfig', silent, home);
  await forget();
  expect(await kubeconfigOfLocalRun(home)).toBe('/b/kubeconfig');
});

test('a home that cannot be written keeps no run from starting', async () => {
  const file = join(home, 'file');
  await writeFile(file, '');
  const forget = await noteLocalRun('/a/kubeconfig', silent, file);
  expect(await kubeconfigOfLocalRun(file)).toBeUndefined();
  await forget();
});
