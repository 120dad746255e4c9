import { Deployment, Namespace } from '../../../src/api/builtin/index.ts';
import { RemediationRequest, RemediationWorkflow } from '../../../src/api/index.ts';
import { LABELS } from '../../../src/api/well-known.ts';
import { after, MINUTE, systemClock, systemRandom } from '../../../src/base/index.ts';
import { createClient } from '../../../src/kube/client/api-client.ts';
import type { KubeClient } from '../../../src/kube/client/client.ts';
import { installKinds } from '../../../src/kube/client/install-kinds.ts';
import type { Transport } from '../../../src/kube/client/transport.ts';
import { CHILDREN, openNamespace, requestDraft, targetDraft } from '../../../src/testkit/orchestrator/index.ts';
import { inFlight } from '../in-flight.ts';
import { Arrivals, type Course } from './arrivals.ts';
import { connect, CONNECTIONS, startPart, type Access, type Part, type PartReport } from './part.ts';
import { spending, type Spent } from './spent.ts';
import { Counter, type Tally } from './tally.ts';
import type { Template } from './raw-limit.ts';

const ORCHESTRATOR = new URL('./orchestrator-process.ts', import.meta.url);
const STAND_INS = new URL('./stand-ins-process.ts', import.meta.url);

/** A server with the kinds, an orchestrator and its stand-ins at work on it, and a client that opens requests and watches them. */
export interface Site {
  /** As the one who opens requests; not counted. */
  readonly transport: Transport;
  readonly client: KubeClient;
  readonly namespace: string;
  /** Where no controller works. */
  readonly emptyNamespace: string;
  /** Opens requests about targets of their own, all at once or one after the other, and waits until people know of the end of each. */
  play(names: readonly string[], atATime: number): Promise<Played>;
  stop(): Promise<void>;
}

/** What came of it, and what it took. */
export interface Played {
  readonly seconds: number;
  readonly spent: Spent;
  readonly courses: readonly Journey[];
  readonly opened: Tally;
  readonly orchestrator: PartReport;
  readonly standIns: PartReport;
}

export interface Journey extends Course {
  readonly name: string;
  /** When the request was sent, in ms of this process. */
  readonly from: number;
}

export interface SiteOptions {
  readonly access: Access;
  readonly workers: number;
  /** The request whose writes are kept. */
  readonly sampled: string;
}

/** Prepares the server and starts everybody. */
export async function openSite({ access, workers, sampled }: SiteOptions): Promise<Site> {
  const transport = connect(access);
  const client = createClient(transport);
  const suffix = systemRandom.uuid().slice(0, 8);
  const [namespace, emptyNamespace, targets] = [`bench-work-${suffix}`, `bench-rest-${suffix}`, `bench-shop-${suffix}`];
  await installKinds([RemediationRequest, ...CHILDREN, RemediationWorkflow], {
    client,
    clock: systemClock,
    until: after(systemClock.now(), MINUTE),
  });
  for (const name of [namespace, emptyNamespace]) await openNamespace(client, name);
  await openNamespace(client, targets, { [LABELS.managed]: 'true' });
  const stopped = new AbortController();
  const arrivals = new Arrivals();
  await arrivals.follow(client, namespace, stopped.signal);
  const options = { access, namespace, sampled, workers };
  const parts = await Promise.all([startPart(ORCHESTRATOR, options), startPart(STAND_INS, options)]);
  const gateway = new Gateway({ counter: new Counter(sampled), transport, namespace, targets });
  return {
    transport,
    client,
    namespace,
    emptyNamespace,
    play: (names, atATime) => play(names, atATime, { access, arrivals, gateway, parts }),
    async stop() {
      stopped.abort();
      await Promise.all(parts.map((part) => part.stop()));
      for (const name of [namespace, emptyNamespace, targets]) await client.delete(Namespace, { namespace: '', name });
      await transport.close();
    },
  };
}

interface Cast {
  readonly access: Access;
  readonly arrivals: Arrivals;
  readonly gateway: Gateway;
  readonly parts: readonly [Part, Part];
}

async function play(names: readonly string[], atATime: number, { access, arrivals, gateway, parts }: Cast): Promise<Played> {
  await gateway.prepare(names);
  await Promise.all(parts.map((part) => part.report()));
  const { result: seconds, spent } = await spending(access, async () => {
    const start = performance.now();
    for (let from = 0; from < names.length; from += atATime) {
      const wave = names.slice(from, from + atATime);
      await gateway.open(wave);
      await arrivals.allTold(wave);
    }
    return (performance.now() - start) / 1_000;
  });
  const [orchestrator, standIns] = await Promise.all([parts[0].report(), parts[1].report()]);
  const courses = names.map((name): Journey => {
    const course = arrivals.courses.get(name);
    const from = gateway.opened.get(name);
    if (!course || from === undefined) throw new Error(`${name} was never seen`);
    return { ...course, name, from };
  });
  return { seconds, spent, courses, opened: await gateway.take(), orchestrator, standIns };
}

/** Opens requests as the gateway does, each about a target of its own. */
class Gateway {
  readonly opened = new Map<string, number>();
  readonly #counter: Counter;
  readonly #client: KubeClient;
  readonly #uncounted: KubeClient;
  readonly #namespace: string;
  readonly #targets: string;

  constructor(site: { counter: Counter; transport: Transport; namespace: string; targets: string }) {
    this.#counter = site.counter;
    this.#client = createClient(site.counter.counted(site.transport));
    this.#uncounted = createClient(site.transport);
    this.#namespace = site.namespace;
    this.#targets = site.targets;
  }

  prepare(names: readonly string[]): Promise<void> {
    return inFlight(names, CONNECTIONS, (name) => this.#uncounted.create(Deployment, targetDraft(targetOf(name), this.#targets)));
  }

  open(names: readonly string[]): Promise<void> {
    return inFlight(names, CONNECTIONS, (name) => {
      this.opened.set(name, performance.now());
      const options = { target: targetOf(name), system: this.#namespace, namespace: this.#targets, now: systemClock.now() };
      return this.#client.create(RemediationRequest, requestDraft(name, options));
    });
  }

  take(): Promise<Tally> {
    return this.#counter.take();
  }
}

const targetOf = (request: string): string => `app-${request}`;

/** All writes of the sampled request, by any sender. */
export const templateOf = ({ opened, orchestrator, standIns }: Played, site: Site, name: string): Template => ({
  writes: [...opened.sample, ...orchestrator.sample, ...standIns.sample],
  name,
  namespace: site.namespace,
});
