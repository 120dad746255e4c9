/**
 * 1,000 assessments of 100 workloads that come due at the same time, again and again: how often Prometheus is asked, against how many
 * different questions there are; how fast it goes; and whether memory stays as it is.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { MINUTE, SECOND, steadyClock } from '../../../src/base/index.ts';
import { DEFAULT_SETTINGS } from '../../../src/controllers/default-settings.ts';
import { openMonitoring } from '../../../src/monitoring/index.ts';
import type { BenchResult } from '../result.ts';
import { startCountingServer, type Counted, type CountingServer } from './counting-server.ts';
import { openSite, type Site } from './site.ts';

const ASSESSMENTS = 1_000;
const WORKLOADS = 100;
/** Until what is kept of answers is as much as is ever kept. */
const WARM_UP = 5;
const ROUNDS = 6;
const QUERIES_EACH = 5;

interface Round extends Counted {
  readonly seconds: number;
  readonly cpuMs: number;
  readonly heap: number;
}

export async function benchAssessments(): Promise<readonly BenchResult[]> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const server = await startCountingServer();
  const places = { ...DEFAULT_SETTINGS.external, prometheusUrl: server.url, alertManagerUrl: server.url };
  const monitoring = openMonitoring(places, { clock: steadyClock, steady: steadyClock });
  const site = await openSite(WORKLOADS, monitoring);
  const rounds: Round[] = [];
  try {
    for (let round = 0; round < WARM_UP + ROUNDS; round++) {
      const measured = await playRound(site, server, round);
      collect();
      rounds.push({ ...measured, heap: process.memoryUsage().heapUsed });
    }
  } finally {
    await site.stop();
    await monitoring.close();
    await server.stop();
  }
  return results(rounds.slice(WARM_UP));
}

/** All are ordered within one minute, come due five minutes later, and are looked at with the scrape that ends that minute. */
async function playRound(site: Site, server: CountingServer, round: number): Promise<Omit<Round, 'heap'>> {
  const { clock } = site;
  await clock.advance(MINUTE - (clock.now() % MINUTE));
  await server.begin(clock.now());
  for (let index = 0; index < ASSESSMENTS; index++) {
    await site.order(`ea-${round}-${index}`, index % WORKLOADS);
    if (index % 20 === 19) await clock.advance(SECOND);
  }
  const cpu = process.cpuUsage();
  const begun = steadyClock.now();
  await Promise.all([site.ended(ASSESSMENTS), clock.advance(6 * MINUTE - (clock.now() % MINUTE))]);
  const seconds = (steadyClock.now() - begun) / SECOND;
  const { user, system } = process.cpuUsage(cpu);
  const counted = await server.begin(0);
  await site.clear();
  return { ...counted, seconds, cpuMs: (user + system) / 1_000 };
}

function results(rounds: readonly Round[]): readonly BenchResult[] {
  const sum = (of: (round: Round) => number): number => rounds.reduce((all, round) => all + of(round), 0);
  const first = rounds[0]?.heap ?? Number.NaN;
  const last = rounds.at(-1)?.heap ?? Number.NaN;
  const queries = sum((round) => round.queries);
  const distinct = sum((round) => round.distinct);
  const total = rounds.length * ASSESSMENTS;
  return [
    {
      name: 'assessments: Prometheus queries ÷ distinct (query, window) pairs',
      numerator: queries,
      denominator: distinct,
      ratio: queries / distinct,
      unit: 'queries',
      goal: '≤ 1',
      details: [
        `${ASSESSMENTS} assessments of ${WORKLOADS} workloads at once, ${rounds.length} times: ${(queries / rounds.length).toFixed(0)} queries each time, ${ASSESSMENTS * QUERIES_EACH} without sharing; Alertmanager ${(sum((round) => round.alerts) / rounds.length).toFixed(0)}`,
        `${(total / sum((round) => round.seconds)).toFixed(0)} assessments/s, CPU ${(sum((round) => round.cpuMs) / total).toFixed(2)} ms each with the API server in the process and without the two that are asked`,
      ],
    },
    {
      name: 'assessments: heap after the last round ÷ after the first',
      numerator: last / 1024 ** 2,
      denominator: first / 1024 ** 2,
      ratio: last / first,
      unit: 'MB',
      goal: '≤ 1.05',
      details: [
        `growth per 1,000 assessments: ${((last - first) / 1024 / (rounds.length - 1)).toFixed(1)} KB; after each round: ${rounds.map(({ heap }) => (heap / 1024 ** 2).toFixed(2)).join(', ')} MB`,
      ],
    },
  ];
}
