import { fork, type ChildProcess } from 'node:child_process';
import { inFlight } from '../in-flight.ts';
import { heard } from '../../served/child.ts';
import type { BenchResult } from '../result.ts';
import type { ListsReport } from './lists-process.ts';

const PROGRAM = new URL('lists-process.ts', import.meta.url);
const MANY = 10_000;
const REQUESTS = 1_000;
const WARM_UP = 200;

/** What the first page of 10,000 remediations costs the server, against sending the same bytes from memory. */
export async function benchLists(): Promise<readonly BenchResult[]> {
  const child = fork(PROGRAM, [String(MANY)], { stdio: 'inherit' });
  try {
    const { ours, plain } = (await heard<ListsReport>(child)) as Extract<ListsReport, { readonly ours: string }>;
    for (const url of [ours, plain]) await read(url, WARM_UP);
    const [numerator, denominator] = [await costOf(child, ours), await costOf(child, plain)];
    return [{ name: 'first page of 10,000', ratio: numerator / denominator, numerator, denominator, unit: 'ms of CPU each', goal: '≤ 2' }];
  } finally {
    child.kill('SIGKILL');
  }
}

async function costOf(child: ChildProcess, url: string): Promise<number> {
  const before = await cpuOf(child);
  await read(url, REQUESTS);
  return ((await cpuOf(child)) - before) / REQUESTS;
}

async function read(url: string, times: number): Promise<void> {
  await inFlight(
    Array.from({ length: times }, () => url),
    4,
    async (address) => {
      const answer = await fetch(address, { headers: { authorization: 'Bearer admin' } });
      if (!answer.ok) throw new Error(`${address} answered with ${answer.status}`);
      await answer.arrayBuffer();
    },
  );
}

async function cpuOf(child: ChildProcess): Promise<number> {
  const report = heard<ListsReport>(child);
  child.send('cpu');
  return ((await report) as Extract<ListsReport, { readonly cpuMs: number }>).cpuMs;
}
