import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { crashRounds } from './rounds.ts';

test('kill -9 in the middle of writes: what was acknowledged is there, what was refused is not, watchers miss nothing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sickbay-crash-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const report = await crashRounds({ path: join(folder, 'state.db'), seed: 5, rounds: 4, writes: 600 });
  expect(report.faults).toEqual([]);
  expect(report.kills).toBeGreaterThanOrEqual(4);
  expect(report.acknowledged).toBeGreaterThan(200);
  expect(report.refused).toBeGreaterThan(0);
  expect(report.resumes + report.relists).toBeGreaterThan(0);
}, 120_000);
