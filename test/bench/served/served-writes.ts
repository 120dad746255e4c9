/**
 * P5: writes served over HTTP, durable, with schema, defaults, CEL and watches on, against the bare path.
 * P6: what full durability costs. P7: the same with 50 watchers. P8: against a real kube-apiserver on etcd.
 */
import type { ControlPlaneAccess } from '../../../src/testkit/control-plane.ts';
import type { BenchResult } from '../result.ts';
import { inTurn } from '../sides.ts';
import { startWatchers, writesPerSecond, type Site } from './load.ts';
import { install, startBare, startOurs, type ServedSite } from './sites.ts';

/** Until the engine has compiled what is measured. */
const WARM_UP = 6_000;
const WRITES = 1_500;
const WATCHERS = 50;
const ROUNDS = 5;
const WRITES_OF_REAL = 600;

const rate =
  (site: Site, writes = WRITES) =>
  (): Promise<number> =>
    writesPerSecond(site, writes);

/** Both servers up, for as long as they are measured. */
async function withBoth<T>(
  starting: readonly [Promise<ServedSite>, Promise<ServedSite>],
  measure: (a: ServedSite, b: ServedSite) => Promise<T>,
): Promise<T> {
  const [a, b] = await Promise.all(starting);
  try {
    for (const site of [a, b]) await writesPerSecond(site, WARM_UP);
    return await measure(a, b);
  } finally {
    await Promise.all([a.stop(), b.stop()]);
  }
}

export const benchServed = (): Promise<readonly BenchResult[]> =>
  withBoth([startOurs('FULL'), startBare('FULL')], async (ours, bare) => {
    const sides = await inTurn(rate(ours), rate(bare), ROUNDS);
    const [numerator, denominator] = [(await ours.loopDelay()).p99, (await bare.loopDelay()).p99];
    return [
      { name: 'P5 served writes ÷ bare path, both FULL, 32 connections', ...sides, unit: 'writes/s', goal: '≥ 0.7' },
      {
        name: 'P5 event-loop delay p99 under that load ÷ bare path',
        ratio: numerator / denominator,
        numerator,
        denominator,
        unit: 'ms',
        goal: 'printed',
      },
    ];
  });

export const benchServedDurability = (): Promise<readonly BenchResult[]> =>
  withBoth([startOurs('FULL'), startOurs('NORMAL')], async (full, normal) => [
    {
      name: 'P6 served writes FULL ÷ NORMAL, 32 connections',
      ...(await inTurn(rate(full), rate(normal), ROUNDS)),
      unit: 'writes/s',
      goal: '≥ 0.67',
    },
  ]);

export const benchServedFanOut = (): Promise<readonly BenchResult[]> =>
  withBoth([startOurs('FULL'), startOurs('FULL')], async (watched, alone) => [
    {
      name: 'P7 lines delivered to 50 watchers over HTTP ÷ 50 × writes without',
      ...(await inTurn(
        () => delivered(watched),
        async () => (await writesPerSecond(alone, WRITES)) * WATCHERS,
        ROUNDS,
      )),
      unit: 'lines/s, none lost',
      goal: '≥ 0.8 with cores for the readers',
    },
  ]);

/** Lines per second until every watcher has every line; throws when one is missing or there is one too many. */
async function delivered(site: Site): Promise<number> {
  const watchers = await startWatchers(site, WATCHERS);
  const start = performance.now();
  await writesPerSecond(site, WRITES);
  await watchers.received(WRITES * WATCHERS);
  const seconds = (performance.now() - start) / 1_000;
  await watchers.stop();
  if (watchers.count !== WRITES * WATCHERS) throw new Error(`${watchers.count} lines arrived, ${WRITES * WATCHERS} were expected`);
  return (WRITES * WATCHERS) / seconds;
}

/** Same kind, same client, same connections. */
export async function benchAgainstReal(plane: Pick<ControlPlaneAccess, 'url' | 'token' | 'caData'>): Promise<BenchResult> {
  const real: Site = { url: plane.url, token: plane.token, ca: plane.caData };
  await install(real);
  const ours = await startOurs('FULL');
  try {
    const sides = await inTurn(rate(ours), rate(real, WRITES_OF_REAL), 3);
    return { name: 'P8 our writes ÷ kube-apiserver on etcd', ...sides, unit: 'writes/s', goal: '≥ 1' };
  } finally {
    await ours.stop();
  }
}
