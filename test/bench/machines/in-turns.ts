import { Machine } from '../../../src/api/machine/machine.ts';
import { createClient } from '../../../src/kube/client/api-client.ts';
import type { ApiRequest, Transport } from '../../../src/kube/client/transport.ts';
import { inFlight } from '../in-flight.ts';
import { CONNECTIONS, type Access } from '../orchestrator/part.ts';
import { spending } from '../orchestrator/spent.ts';
import type { Checker, Work } from './checker.ts';
import { NAMESPACE } from './fleet.ts';
import { sendAll, unjudged } from './raw-patches.ts';

/** Status patches of one side, all turns together. */
export interface Patches {
  readonly count: number;
  readonly seconds: number;
  /** CPU of the server and of the sender. */
  readonly serverMs: number;
  readonly senderMs: number;
}

/** What the product writes beside what the server takes at most. */
export interface InTurns {
  readonly ours: Patches;
  readonly raw: Patches;
}

export interface Site {
  readonly transport: Transport;
  readonly access: Access;
  readonly isEnough: (writes: Work['writes'], count: number) => boolean;
}

/**
 * A client clears the conditions of some Machines, and the product writes them again: patch for patch the same, on the same Machines, one
 * side a few seconds after the other. A machine with neighbours is now faster and now slower by a third, and both sides have their part of it.
 */
export async function inTurns(site: Site, checker: Checker, batches: readonly (readonly string[])[]): Promise<InTurns> {
  let sides: InTurns = { ours: NONE, raw: NONE };
  for (const names of batches) {
    checker.halt();
    const raw = await unjudge(site, names);
    const goOn = (): Promise<void> => Promise.resolve(checker.goOn());
    const ours = asPatches(await checker.during(goOn, (writes) => site.isEnough(writes, names.length)), names.length);
    sides = { ours: sum(sides.ours, ours), raw: sum(sides.raw, raw) };
  }
  return sides;
}

async function unjudge({ transport, access }: Site, names: readonly string[]): Promise<Patches> {
  const requests = await readAll(transport, names);
  const { result, spent } = await spending(access, async () => {
    const before = process.cpuUsage();
    const begun = performance.now();
    await sendAll(transport, requests);
    const seconds = (performance.now() - begun) / 1_000;
    const { user, system } = process.cpuUsage(before);
    return { seconds, senderMs: (user + system) / 1_000 };
  });
  return { count: requests.length, serverMs: spent.server, ...result };
}

/** One by one: a list of all would leave the server with much to clear away while it is measured. */
async function readAll(transport: Transport, names: readonly string[]): Promise<readonly ApiRequest[]> {
  const client = createClient(transport);
  const requests: ApiRequest[] = [];
  await inFlight(names, CONNECTIONS, async (name) => {
    requests.push(unjudged(await client.get(Machine, { namespace: NAMESPACE, name })));
  });
  return requests;
}

const asPatches = ({ seconds, cpuMs, spent }: Work, count: number): Patches => ({
  count,
  seconds,
  serverMs: spent.server,
  senderMs: cpuMs,
});

const NONE: Patches = { count: 0, seconds: 0, serverMs: 0, senderMs: 0 };

const sum = (a: Patches, b: Patches): Patches => ({
  count: a.count + b.count,
  seconds: a.seconds + b.seconds,
  serverMs: a.serverMs + b.serverMs,
  senderMs: a.senderMs + b.senderMs,
});
