/**
 * The orchestrator on a real kube-apiserver: 1,000 requests about 1,000 targets at once, with children that are done at once, beside what
 * the same server takes of the same writes without any decisions.
 */
import { availableParallelism } from 'node:os';
import type { BenchResult } from '../result.ts';
import { figuresOf, latencies, MINIMAL_WRITES, MINIMUM, MOST_STATUS_WRITES, type Figures } from './figures.ts';
import type { Access } from './part.ts';
import { rawLimit } from './raw-limit.ts';
import { openSite, templateOf, type Journey, type Played } from './run.ts';
import { spending } from './spent.ts';

const REQUESTS = 1_000;
const ALONE = 20;
/** How many remediations' writes the raw limit is taken from, before and after. */
const RAW = 300;
const WORKERS = 8;

/** The public Go orchestrator of these kinds on a machine of this class, with children that finish at once. */
const PEER = { perSecond: 3, writes: 34.7, cpuMs: 60, serverCpuMs: 340 } as const;

/** All of one length, so that one can stand for another byte by byte. */
const namesOf = (series: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, i) => `rr-${series}-${String(i).padStart(5, '0')}`);

export async function benchOrchestrator(access: Access): Promise<readonly BenchResult[]> {
  const alone = namesOf('a', ALONE);
  const sampled = alone.at(-1) ?? '';
  const site = await openSite({ access, workers: WORKERS, sampled });
  try {
    const single = await site.play(alone, 1);
    const template = templateOf(single, site, sampled);
    const raw = async (series: string): Promise<RawLimit> => {
      const to = { namespace: site.emptyNamespace, names: namesOf(series, RAW) };
      const { result: perSecond, spent } = await spending(access, () => rawLimit(site.transport, template, to));
      const serverCpuMs = spent.server / (RAW * template.writes.length);
      return { perSecond, serverCpuMs, serverCores: (serverCpuMs * perSecond) / 1_000 };
    };
    const before = await raw('b');
    const burst = await site.play(namesOf('c', REQUESTS), REQUESTS);
    const limits = [before, await raw('d')];
    demandSuccess([...single.courses, ...burst.courses]);
    return results({ single, burst, limits, writesEach: template.writes.length });
  } finally {
    await site.stop();
  }
}

function demandSuccess(courses: readonly Journey[]): void {
  const other = courses.find(({ outcome }) => outcome !== 'Completed Remediated');
  if (other) throw new Error(`${other.name} came to ${other.outcome}: what is measured is the plain way`);
}

interface RawLimit {
  readonly perSecond: number;
  /** Of the server, for one write. */
  readonly serverCpuMs: number;
  /** How much of the machine the server had: what else runs takes it from either side. */
  readonly serverCores: number;
}

interface Measured {
  readonly single: Played;
  readonly burst: Played;
  readonly limits: readonly RawLimit[];
  /** All writes of one remediation, by any sender. */
  readonly writesEach: number;
}

function results(measured: Measured): readonly BenchResult[] {
  const figures = figuresOf(measured.burst);
  // A limit is the most that was seen.
  const raw = Math.max(...measured.limits.map(({ perSecond }) => perSecond));
  const compare = (name: string, numerator: number, denominator: number, rest: Pick<BenchResult, 'unit' | 'goal'>): BenchResult => ({
    name: `orchestrator: ${name}`,
    numerator,
    denominator,
    ratio: numerator / denominator,
    ...rest,
  });
  return [
    {
      ...compare('all writes while it works ÷ raw limit', figures.allWritesPerSecond, raw, { unit: 'writes/s', goal: '≥ 0.5' }),
      details: details(measured, figures),
    },
    compare('its writes per remediation ÷ minimum', figures.writes, MINIMAL_WRITES, { unit: 'writes', goal: '≤ 1' }),
    compare('most status writes on a request ÷ visible phases + 1', figures.mostStatusWrites, MOST_STATUS_WRITES, {
      unit: 'writes',
      goal: '≤ 1',
    }),
    compare('remediations per second ÷ the Go orchestrator', figures.perSecond, PEER.perSecond, { unit: 'remediations/s', goal: '≥ 3' }),
    compare('writes per remediation ÷ the Go orchestrator', figures.writes, PEER.writes, { unit: 'writes', goal: '≤ 0.5' }),
    compare('CPU per remediation ÷ the Go orchestrator', figures.cpuMs, PEER.cpuMs, { unit: 'ms', goal: 'printed' }),
    compare('server CPU per remediation ÷ under the Go orchestrator', figures.serverCpuMs, PEER.serverCpuMs, {
      unit: 'ms',
      goal: 'printed',
    }),
  ];
}

function details({ single, burst, limits, writesEach }: Measured, figures: Figures): readonly string[] {
  const { children, phases, told } = MINIMUM;
  const kinds = Object.entries(figures.writesByKind).map(([kind, writes]) => `${kind} ${writes.toFixed(2)}`);
  return [
    `${burst.courses.length} requests at once, ${WORKERS} passes at a time: ${figures.perSecond.toFixed(1)} remediations/s in ${burst.seconds.toFixed(1)} s`,
    `minimum: ${children} creates + ${phases} visible phases + ${told} for people told = ${MINIMAL_WRITES}; made: ${figures.writes.toFixed(2)} (no Events: the narrator is not run)`,
    `by kind: ${kinds.join(', ')}; refused ${figures.refused.toFixed(3)}; reads ${figures.reads.toFixed(2)}`,
    `status writes on a request: ${figures.statusWrites.toFixed(2)}, at most ${figures.mostStatusWrites} of ${MOST_STATUS_WRITES}`,
    `with stand-ins and opening: ${writesEach} writes each; raw limit of the same writes before and after: ${limits.map(rawText).join(' and ')}`,
    `CPU per remediation: orchestrator ${figures.cpuMs.toFixed(2)} ms, stand-ins ${(burst.standIns.cpuMs / burst.courses.length).toFixed(2)} ms, server ${figures.serverCpuMs.toFixed(1)} ms`,
    `server CPU per write: ${(figures.serverCpuMs / writesEach).toFixed(2)} ms, raw ${mean(limits.map(({ serverCpuMs }) => serverCpuMs)).toFixed(2)} ms`,
    `cores in use: ${coresOf(burst.spent.machine, burst)} of ${availableParallelism()}, by the server ${coresOf(burst.spent.server, burst)}, the orchestrator ${coresOf(burst.orchestrator.cpuMs, burst)}, the stand-ins ${coresOf(burst.standIns.cpuMs, burst)}; the rest by etcd, the watcher and whatever else runs here`,
    `ms from opening, p50/p99: alone ${stationText(single.courses)}`,
    `ms from opening, p50/p99: at once ${stationText(burst.courses)}`,
  ];
}

const rawText = ({ perSecond, serverCores }: RawLimit): string =>
  `${perSecond.toFixed(0)} writes/s with the server on ${serverCores.toFixed(2)} cores`;

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

const coresOf = (cpuMs: number, { seconds }: Played): string => (cpuMs / 1_000 / seconds).toFixed(2);

const stationText = (courses: readonly Journey[]): string =>
  latencies(courses)
    .map(({ station, p50, p99 }) => `${station} ${p50.toFixed(0)}/${p99.toFixed(0)}`)
    .join(', ');
