import { MachineHealthCheck } from '../../../src/api/machine-health-check/machine-health-check.ts';
import { Machine } from '../../../src/api/machine/machine.ts';
import { after, MINUTE, SECOND, systemClock } from '../../../src/base/index.ts';
import { createClient } from '../../../src/kube/client/api-client.ts';
import type { KubeClient } from '../../../src/kube/client/client.ts';
import { installKinds } from '../../../src/kube/client/install-kinds.ts';
import type { Transport } from '../../../src/kube/client/transport.ts';
import { openNamespace } from '../../../src/testkit/orchestrator/index.ts';
import { inFlight } from '../in-flight.ts';
import { connect, CONNECTIONS, type Access } from '../orchestrator/part.ts';
import { Checker, pause, type Work } from './checker.ts';
import { CHECK, NAMESPACE, namesOf, openCheck, openFleet, say, STATES } from './fleet.ts';
import { inTurns, type InTurns } from './in-turns.ts';

export const MACHINE_WRITE = 'patch machines/status';
export const CHECK_WRITE = 'patch machinehealthchecks/status';
export const EVENT_WRITE = 'create events';

export interface Plan {
  readonly machines: number;
  /** Nodes that are lost at once, and how often. */
  readonly lost: number;
  readonly losses: number;
  /** Node events of each sort, and how many come in a second. */
  readonly events: number;
  readonly perSecond: number;
  /** How often product and server alone take turns, and the patches in each. */
  readonly turns: number;
  readonly perTurn: number;
}

/** What became of it. */
export interface Measured {
  /** From the start of the process until every Machine and the check say that all is well. */
  readonly first: Work;
  /** Of this until everything was read. */
  readonly readSeconds: number;
  readonly idle: Work;
  /** By sort of node event. */
  readonly events: Readonly<Record<Sort, Work>>;
  readonly losses: readonly Loss[];
  readonly inTurns: InTurns;
}

/** Nodes that are lost at once. */
export interface Loss {
  readonly marked: Work;
  /** From the first Node that was lost until the owner of the last Machine was asked. */
  readonly handedOut: Work;
}

export const SORTS = ['beat', 'aside', 'flip'] as const;
export type Sort = (typeof SORTS)[number];

interface Site {
  readonly client: KubeClient;
  readonly transport: Transport;
  readonly names: readonly string[];
  readonly plan: Plan;
}

/** A fleet on a server of its own, first judged, then spoken of by its Nodes, then losing some of them. */
export async function run(access: Access, plan: Plan): Promise<Measured> {
  const transport = connect(access);
  const client = createClient(transport);
  const site: Site = { client, transport, names: namesOf(plan.machines), plan };
  await installKinds([Machine, MachineHealthCheck], { client, clock: systemClock, until: after(systemClock.now(), MINUTE) });
  await openNamespace(client, NAMESPACE);
  await openFleet(client, site.names);
  await openCheck(client);
  try {
    return { ...(await judgeAll(site, access)), ...(await live(site, access)) };
  } finally {
    await transport.close();
  }
}

/** From the start of a process until all are judged. */
async function judgeAll(site: Site, access: Access): Promise<Pick<Measured, 'first' | 'readSeconds'>> {
  const { client, plan } = site;
  const begun = performance.now();
  const checker = await Checker.start(access);
  try {
    const readSeconds = (performance.now() - begun) / 1_000;
    const judged = await checker.during(
      nothing,
      async (writes) => countOf(writes, MACHINE_WRITE) >= plan.machines && (await isAllWell(site)),
    );
    await demand(client, { type: 'HealthCheckSucceeded', status: 'True', times: plan.machines });
    return { first: { ...judged, seconds: judged.seconds + readSeconds }, readSeconds };
  } finally {
    await checker.stop();
  }
}

/** What happens to a fleet that is judged already, once a process has looked at all of it. */
async function live(site: Site, access: Access): Promise<Pick<Measured, 'idle' | 'events' | 'losses' | 'inTurns'>> {
  const { client, plan, names, transport } = site;
  const checker = await Checker.start(access);
  try {
    await checker.during(() => pause(SETTLE_MS), always);
    const idle = await checker.during(() => pause((plan.events / plan.perSecond) * SECOND), always);
    const events = {
      beat: await speak(site, checker, 'beat'),
      aside: await speak(site, checker, 'aside'),
      flip: await speak(site, checker, 'flip'),
    };
    const losses: Loss[] = [];
    for (const lost of batchesOf(names, { count: plan.losses, size: plan.lost })) losses.push(await lose(site, checker, lost));
    await checker.during(() => pause(SETTLE_MS), always);
    const well = names.slice(plan.losses * plan.lost);
    const isEnough = (writes: Work['writes'], count: number): boolean => countOf(writes, MACHINE_WRITE) >= count;
    const batches = batchesOf(well, { count: plan.turns, size: plan.perTurn });
    const turns = await inTurns({ transport, access, isEnough }, checker, batches);
    await demand(client, { type: 'HealthCheckSucceeded', status: 'True', times: well.length });
    return { idle, events, losses, inTurns: turns };
  } finally {
    await checker.stop();
  }
}

const SETTLE_MS = 10 * SECOND;
const nothing = (): Promise<void> => Promise.resolve();
const always = (): boolean => true;
const countOf = (writes: Work['writes'], kind: string): number => writes[kind] ?? 0;

async function isAllWell({ client, plan: { machines } }: Site): Promise<boolean> {
  const { status } = await client.get(MachineHealthCheck, CHECK);
  return status?.expectedMachines === machines && status.currentHealthy === machines;
}

/** How many Machines say so. */
async function saying(client: KubeClient, { type, status: holds }: { readonly type: string; readonly status: string }): Promise<number> {
  const { items } = await client.list(Machine, { namespace: NAMESPACE });
  return items.filter(({ status }) => status?.conditions?.some((condition) => condition.type === type && condition.status === holds))
    .length;
}

/** Nodes speak one after the other, and it lasts long enough after the last for everything to be seen and counted. */
const speak = ({ client, names, plan }: Site, checker: Checker, sort: Sort): Promise<Work> =>
  checker.during(async () => {
    for (let i = 0; i < plan.events; i++) {
      const due = pause(SECOND / plan.perSecond);
      // Those that fall silent speak again at once.
      const name = names[(sort === 'flip' ? Math.floor(i / 2) : i) % names.length] ?? '';
      await say(client, name, wordsOf(sort, i));
      await due;
    }
    await pause(7 * SECOND);
  }, always);

function wordsOf(sort: Sort, turn: number) {
  if (sort === 'beat') return STATES.beat();
  if (sort === 'aside') return STATES.aside(turn);
  return turn % 2 === 0 ? STATES.silent() : STATES.well();
}

const batchesOf = (names: readonly string[], { count, size }: { readonly count: number; readonly size: number }) =>
  Array.from({ length: count }, (_, i) => names.slice(i * size, (i + 1) * size));

async function lose({ client, names }: Site, checker: Checker, lost: readonly string[]): Promise<Loss> {
  // An Event tells of each that was marked, after it was.
  const marked = await checker.during(
    () => inFlight(lost, CONNECTIONS, (name) => say(client, name, STATES.lost())),
    (writes) => countOf(writes, EVENT_WRITE) >= lost.length,
  );
  const toBeAsked = 2 * lost.length - countOf(marked.writes, MACHINE_WRITE);
  const asked = await checker.during(nothing, (writes) => countOf(writes, MACHINE_WRITE) >= toBeAsked);
  const times = names.indexOf(lost.at(-1) ?? '') + 1;
  for (const type of ['HealthCheckSucceeded', 'OwnerRemediated']) await demand(client, { type, status: 'False', times });
  return { marked, handedOut: joined(marked, asked) };
}

/** Looked at only when all is done: a list of thousands takes the server as long as many writes. */
async function demand(
  client: KubeClient,
  wanted: { readonly type: string; readonly status: string; readonly times: number },
): Promise<void> {
  const found = await saying(client, wanted);
  if (found !== wanted.times) throw new Error(`${found} Machines and not ${wanted.times} say ${wanted.type} ${wanted.status}`);
}

function joined(a: Work, b: Work): Work {
  const kinds = new Set([...Object.keys(a.writes), ...Object.keys(b.writes)]);
  return {
    seconds: a.seconds + b.seconds,
    cpuMs: a.cpuMs + b.cpuMs,
    evaluated: a.evaluated + b.evaluated,
    reads: a.reads + b.reads,
    refused: a.refused + b.refused,
    writes: Object.fromEntries([...kinds].map((kind) => [kind, countOf(a.writes, kind) + countOf(b.writes, kind)])),
    spent: { server: a.spent.server + b.spent.server, machine: a.spent.machine + b.spent.machine },
  };
}
