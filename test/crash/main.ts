/**
 * npm run crash-writes: kills a server with SIGKILL in the middle of 5,000 writes, a hundred times on one state file, and tells
 * every promise that it broke. Usage: npm run crash-writes -- [--rounds N] [--writes N] [--seed N] [--minutes N]
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { after, messageOf, steadyClock } from '../../src/base/index.ts';
import { crashRounds, type CrashReport } from './rounds.ts';

const MINUTE_MS = 60_000;
const print = (line: string): void => void process.stdout.write(`${line}\n`);

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '100' },
    writes: { type: 'string', default: '5000' },
    seed: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '60' },
  },
});

const text = ({ kills, acknowledged, refused, resumes, relists, faults }: CrashReport): string =>
  `${kills} kills, ${acknowledged} writes acknowledged, ${refused} refused, watcher resumed ${resumes} and listed again ${relists} times, ${faults.length} faults`;

async function main(): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'sickbay-crash-'));
  const path = join(folder, 'state.db');
  const until = after(steadyClock.now(), Number(values.minutes) * MINUTE_MS);
  const onRound = (round: number, report: CrashReport): boolean => {
    if (round % 10 === 0) print(`round ${round}: ${text(report)}`);
    return steadyClock.now() < until && report.faults.length === 0;
  };
  try {
    const report = await crashRounds({
      path,
      seed: Number(values.seed),
      rounds: Number(values.rounds),
      writes: Number(values.writes),
      onRound,
    });
    print(`${text(report)}; state file ${statSync(path).size} bytes`);
    for (const fault of report.faults) print(`FAULT ${fault}`);
    return report.faults.length === 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

main().then(
  (isWell) => (process.exitCode = isWell ? 0 : 1),
  (error: unknown) => {
    process.stderr.write(`crash-writes: ${messageOf(error)}\n`);
    process.exitCode = 1;
  },
);
