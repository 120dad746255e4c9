import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../program.ts';
import { idsAnswered, idsInTitle, rowsIn } from './rows.ts';

const PAGE = 'docs/requirements/002-machine-health.md';

/** Requirements that only a test on a real server can prove, and what that server provides. */
const BEYOND: Readonly<Record<string, string>> = {
  'MH-045': 'definitions that Cluster API brought',
  'MH-155': 'the rights of a role',
  'MH-162': 'an installation into a cluster that was there before',
  'MH-166': 'a running cluster',
};

const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const found = (patterns: readonly string[]): readonly string[] => globSync(patterns, { cwd: root });

test('[MH-165] every case of machine health is covered by a test that needs no server and no node, or is answered', () => {
  const files = found(['src/**/*.test.ts', 'scripts/**/*.test.ts', 'test/**/*.test.ts', 'test/**/*.suite.ts']).filter(
    (file) => !/\.(real|cluster)\.test\.ts$/.test(file),
  );
  const covered = new Set(files.flatMap((file) => idsInTitle(read(file))));
  const answered = new Set(found(['docs/decisions/*.md']).flatMap((page) => idsAnswered(read(page))));
  const rows = rowsIn(PAGE, read(PAGE));
  expect(rows).toHaveLength(169);
  const open = rows.map(({ id }) => id).filter((id) => !covered.has(id) && !answered.has(id) && !(id in BEYOND));
  expect(open).toEqual([]);
});
