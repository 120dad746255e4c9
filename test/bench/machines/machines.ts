/**
 * Health checks of Machines on a real kube-apiserver: 5,000 in one check until all are judged, then node events, then 250 Nodes lost at
 * once; beside what the same server takes of the same patches without any decisions, and beside the same with 500 Machines.
 */
import type { BenchResult } from '../result.ts';
import type { Access } from '../orchestrator/part.ts';
import { totalOf } from '../orchestrator/tally.ts';
import type { Work } from './checker.ts';
import type { InTurns, Patches } from './in-turns.ts';
import { CHECK_WRITE, EVENT_WRITE, MACHINE_WRITE, run, SORTS, type Loss, type Measured, type Plan, type Sort } from './run.ts';

const LARGE: Plan = { machines: 5_000, lost: 250, losses: 3, events: 1_500, perSecond: 50, turns: 6, perTurn: 700 };
const SMALL: Plan = { ...LARGE, machines: 500, lost: 25, turns: 0 };

/**
 * Cluster API's controller of MachineHealthChecks with 5,000 Machines on a machine of this class: the best that was seen, without its own
 * limits where they slow it down.
 */
const PEER = { firstSeconds: 67, firstCpuSeconds: 22, markedSeconds: 5.3, markedWrites: 750, eventsEach: 2, cpuMsPerBeat: 61 } as const;

type OnControlPlane = <T>(bench: (plane: Access) => Promise<T>) => Promise<T>;

/** Each size has a server of its own: what was there before would be in its memory. */
export async function benchMachines(onControlPlane: OnControlPlane): Promise<readonly BenchResult[]> {
  const small = await onControlPlane((plane) => run(plane, SMALL));
  const large = await onControlPlane((plane) => run(plane, LARGE));
  return results(small, large);
}

function results(small: Measured, large: Measured): readonly BenchResult[] {
  const { first, inTurns } = large;
  const { marked, handedOut } = middleLoss(large);
  return [
    {
      ...compare('status patches ÷ raw limit, in turns', [rateOf(inTurns.ours), rateOf(inTurns.raw)], 'patches/s', '≥ 0.8'),
      details: [patchesText(inTurns), ...details(large), 'with 500 Machines:', ...details(small)],
    },
    compare('CPU of server and sender per patch, raw ÷ ours', [cpuOf(inTurns.raw), cpuOf(inTurns.ours)], 'ms', '≥ 0.8'),
    compare('start to first full status ÷ Cluster API', [first.seconds, PEER.firstSeconds], 's', '≤ 1'),
    compare('CPU until then ÷ Cluster API', [first.cpuMs / 1_000, PEER.firstCpuSeconds], 's', '≤ 1'),
    compare('250 Nodes lost until all are marked ÷ Cluster API', [marked.seconds, PEER.markedSeconds], 's', '≤ 1'),
    compare('the same until all owners are asked ÷ Cluster API', [handedOut.seconds, PEER.markedSeconds], 's', '≤ 1'),
    compare('writes for it ÷ Cluster API', [totalOf(handedOut.writes), PEER.markedWrites], 'writes', '≤ 1.02'),
    compare('Events per Machine ÷ Cluster API', [(handedOut.writes[EVENT_WRITE] ?? 0) / LARGE.lost, PEER.eventsEach], 'Events', '≤ 0.5'),
    compare('CPU per heartbeat ÷ Cluster API', [cpuEach(large, 'beat'), PEER.cpuMsPerBeat], 'ms', '≤ 0.1'),
    ...SORTS.map((sort) =>
      compare(`CPU per node event (${TOLD[sort]}), 5,000 ÷ 500`, [cpuEach(large, sort), cpuEach(small, sort)], 'ms', '≤ 1.25'),
    ),
    compare('Machines looked at ÷ node events', [evaluated(large), SORTS.length * LARGE.events], 'Machines', '≤ 1.05'),
  ];
}

const TOLD: Readonly<Record<Sort, string>> = { beat: 'heartbeat', aside: 'what no check asks for', flip: 'not ready and ready again' };

const compare = (name: string, [numerator, denominator]: readonly [number, number], unit: string, goal: string): BenchResult => ({
  name: `machines: ${name}`,
  numerator,
  denominator,
  ratio: numerator / denominator,
  unit,
  goal,
});

const rateOf = ({ count, seconds }: Patches): number => count / seconds;

/** What a patch costs wherever it runs: unlike rates, neighbours on the machine change it little. */
const cpuOf = ({ count, serverMs, senderMs }: Patches): number => (serverMs + senderMs) / count;

/** Of several the one in the middle, by when the last owner was asked. */
function middleLoss({ losses }: Measured): Loss {
  const middle = losses.toSorted((a, b) => a.handedOut.seconds - b.handedOut.seconds)[Math.floor(losses.length / 2)];
  if (!middle) throw new Error('no Node was lost');
  return middle;
}

const cpuEach = ({ events }: Measured, sort: Sort): number => events[sort].cpuMs / LARGE.events;

const evaluated = ({ events }: Measured): number => SORTS.reduce((sum, sort) => sum + events[sort].evaluated, 0);

function details({ first, readSeconds, idle, events, losses }: Measured): readonly string[] {
  return [
    `all judged ${first.seconds.toFixed(1)} s after the start, ${readSeconds.toFixed(1)} s of them to read everything: ${workText(first)}`,
    `status patches meanwhile, from when everything was read: ${((first.writes[MACHINE_WRITE] ?? 0) / (first.seconds - readSeconds)).toFixed(0)} a second`,
    ...SORTS.map(
      (sort) =>
        `node events, ${TOLD[sort]}: ${(events[sort].cpuMs / LARGE.events).toFixed(3)} ms CPU each, ${(events[sort].evaluated / LARGE.events).toFixed(3)} Machines looked at: ${workText(events[sort])}`,
    ),
    `idle: ${(idle.cpuMs / idle.seconds).toFixed(2)} ms CPU per second`,
    ...losses.flatMap(({ marked, handedOut }) => [
      `Nodes lost: all marked after ${marked.seconds.toFixed(2)} s: ${workText(marked)}`,
      `all owners asked after ${handedOut.seconds.toFixed(2)} s: ${workText(handedOut)}`,
    ]),
  ];
}

const patchesText = ({ ours, raw }: InTurns): string => `in turns: ours ${sideText(ours)}; raw ${sideText(raw)}`;

const sideText = (side: Patches): string =>
  `${side.count} patches, ${rateOf(side).toFixed(0)} a second (CPU each: server ${(side.serverMs / side.count).toFixed(1)} ms, sender ${(side.senderMs / side.count).toFixed(2)} ms)`;

function workText({ cpuMs, seconds, evaluated: looked, reads, writes, refused, spent }: Work): string {
  const machines = writes[MACHINE_WRITE] ?? 0;
  const checks = writes[CHECK_WRITE] ?? 0;
  const told = writes[EVENT_WRITE] ?? 0;
  const cores = (ms: number): string => (ms / 1_000 / seconds).toFixed(2);
  return `CPU ${(cpuMs / 1_000).toFixed(2)} s, ${totalOf(writes)} writes (${machines} on Machines, ${checks} on the check, ${told} Events), ${refused} refused, ${reads} reads, ${looked} looked at; cores in use ${cores(spent.machine)}, by the server ${cores(spent.server)}`;
}
