/**
 * npm run bench: ratios with both of their sides, measured in one run. Prints a table and writes reports/bench.json.
 * Nothing is asserted: machines differ and are noisy; a goal that is missed is printed as such.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { messageOf } from '../../src/base/index.ts';
import { startControlPlane, type ControlPlaneAccess } from '../../src/testkit/control-plane.ts';
import { benchAssessments } from './assessments/assessments.ts';
import { benchCacheMemory } from './cache-memory.ts';
import { benchClient } from './client.ts';
import { benchGateway } from './gateway.ts';
import { benchMachines } from './machines/machines.ts';
import { benchDurability, benchFanOut, benchWrites } from './memory-api.ts';
import { benchOrchestrator } from './orchestrator/orchestrator.ts';
import { benchQueue } from './queue.ts';
import type { BenchResult } from './result.ts';
import { benchRouting } from './routing.ts';
import { benchLists } from './lists/lists.ts';
import { benchStreams } from './streams/streams.ts';
import { benchRestart } from './served/restart.ts';
import { benchAgainstReal, benchServed, benchServedDurability, benchServedFanOut } from './served/served-writes.ts';

const REPORT = 'reports/bench.json';

interface Bench {
  readonly name: string;
  /** The setting without which it is left out. */
  readonly needs?: string;
  run(): Promise<readonly BenchResult[]>;
}

const BINARIES = 'KUBEBUILDER_ASSETS';

async function onControlPlane<T>(bench: (plane: ControlPlaneAccess) => Promise<T>): Promise<T> {
  const plane = await startControlPlane({ binaries: process.env[BINARIES] ?? '' });
  try {
    return await bench(plane);
  } finally {
    await plane.stop();
  }
}

const benches: readonly Bench[] = [
  { name: 'writes', run: benchWrites },
  { name: 'durability', run: async () => [await benchDurability()] },
  { name: 'fan-out', run: async () => [await benchFanOut()] },
  { name: 'served', run: benchServed },
  { name: 'served-durability', run: benchServedDurability },
  { name: 'served-fan-out', run: benchServedFanOut },
  { name: 'restart', run: async () => [await benchRestart()] },
  { name: 'cache', run: async () => [await benchCacheMemory()] },
  { name: 'queue', run: async () => [await benchQueue()] },
  { name: 'routing', run: async () => [await benchRouting()] },
  { name: 'assessments', run: benchAssessments },
  { name: 'gateway', run: benchGateway },
  { name: 'streams', run: benchStreams },
  { name: 'lists', run: benchLists },
  {
    name: 'client',
    needs: BINARIES,
    run: () => onControlPlane(async (plane) => [await benchClient(plane), await benchAgainstReal(plane)]),
  },
  { name: 'orchestrator', needs: BINARIES, run: () => onControlPlane(benchOrchestrator) },
  { name: 'machines', needs: BINARIES, run: () => benchMachines(onControlPlane) },
];

const figure = (value: number): string => (value >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(3));

const line = (result: BenchResult): string =>
  [
    `${result.ratio.toFixed(2).padStart(6)}  ${result.name}  (${figure(result.numerator)} ÷ ${figure(result.denominator)} ${result.unit}; goal ${result.goal}${isMissed(result) ? ': MISSED' : ''})`,
    ...(result.details ?? []).map((detail) => `          ${detail}`),
  ].join('\n');

/** A goal without a number is only printed. */
function isMissed({ goal, ratio }: BenchResult): boolean {
  const [, relation, bound] = /^([≥≤]) ([\d.]+)/.exec(goal) ?? [];
  if (relation === undefined) return false;
  return relation === '≥' ? ratio < Number(bound) : ratio > Number(bound);
}

async function main(wanted: readonly string[]): Promise<void> {
  const unknown = wanted.find((name) => !benches.some((bench) => bench.name === name));
  if (unknown !== undefined) throw new Error(`no benchmark '${unknown}'; there are: ${benches.map((bench) => bench.name).join(', ')}`);
  const results: BenchResult[] = [];
  for (const bench of benches.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) {
    if (bench.needs !== undefined && !process.env[bench.needs]) {
      process.stdout.write(`left out: ${bench.name} (set ${bench.needs})\n`);
      continue;
    }
    const measured = await bench.run();
    results.push(...measured);
    for (const result of measured) process.stdout.write(`${line(result)}\n`);
  }
  mkdirSync('reports', { recursive: true });
  writeFileSync(REPORT, `${JSON.stringify(results, null, 2)}\n`);
  process.stdout.write(`written: ${REPORT}\n`);
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`bench: ${messageOf(error)}\n`);
  process.exitCode = 1;
});
