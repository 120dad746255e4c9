/**
 * npm run e2e:day: a day of real faults on a real cluster, with a real Prometheus, Alertmanager and kube-state-metrics, each with its expected
 * end. Usage: npm run e2e:day -- [--only NAME,…] [--at-once N] [--list] [--transcript FILE]
 */
import { appendFileSync, copyFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { messageOf } from '../../src/base/index.ts';
import { Day } from './day.ts';
import { FAULTS } from './faults/index.ts';
import { programsOfDay } from './programs.ts';
import { replayDay } from './replay.ts';
import { report } from './report.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    'at-once': { type: 'string', default: '4' },
    list: { type: 'boolean', default: false },
    transcript: { type: 'string' },
    log: { type: 'string' },
  },
});

function print(line: string): void {
  process.stdout.write(`${line}\n`);
  if (values.transcript !== undefined) appendFileSync(values.transcript, `${line}\n`);
}

async function main(): Promise<boolean> {
  if (values.list) {
    for (const { name, expected } of FAULTS) print(`${name.padEnd(22)} ${expected}`);
    return true;
  }
  if (values.transcript !== undefined) writeFileSync(values.transcript, '');
  const wanted = values.only?.split(',');
  const faults = FAULTS.filter(({ name }) => wanted?.includes(name) ?? true);
  const { programs, missing } = programsOfDay();
  if (missing.length > 0) throw new Error(`set ${missing.join(', ')}: see "Tests" in README.md`);
  const day = await Day.open({ ...programs, sendsNodes: true, print });
  try {
    const results = await replayDay(day, faults, Number(values['at-once']));
    for (const line of report(results)) print(line);
    return results.every(({ stage }) => stage.wrongs.length === 0);
  } finally {
    if (values.log !== undefined) copyFileSync(day.log, values.log);
    await day.close();
  }
}

main().then(
  (isWell) => (process.exitCode = isWell ? 0 : 1),
  (error: unknown) => {
    process.stderr.write(`e2e:day: ${messageOf(error)}\n`);
    process.exitCode = 1;
  },
);
