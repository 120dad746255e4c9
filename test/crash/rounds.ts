import { isDeepStrictEqual } from 'node:util';
import { after, seededRandom, steadyClock, type Random } from '../../src/base/index.ts';
import { bearer } from '../../src/kube/http/http-config.ts';
import { httpTransport, type HttpTransport } from '../../src/kube/http/http-transport.ts';
import { killWhileStarting, startChild, type Child } from '../served/child.ts';
import { CONFIG_MAPS, requestOf, versionIn, type ConfigMap } from './config-maps.ts';
import { Ledger } from './ledger.ts';
import { Replica } from './replica.ts';

export interface RoundOptions {
  readonly path: string;
  readonly seed: number;
  readonly rounds: number;
  /** How many writes a life may see; it is killed somewhere before the last. */
  readonly writes: number;
  readonly onRound?: (round: number, report: CrashReport) => boolean;
}

/** What came of it. */
export interface CrashReport {
  readonly kills: number;
  readonly acknowledged: number;
  readonly refused: number;
  /** How often the watcher could go on, and how often it had to list again. */
  readonly resumes: number;
  readonly relists: number;
  readonly faults: readonly string[];
}

const PROGRAM = new URL('../served/sickbay.ts', import.meta.url);
const TOKEN = 'crash-test';
const WRITERS = 32;
const OBJECTS_EACH = 8;
/** About what a start takes. */
const START_MS = 800;
const PATIENCE_MS = 20_000;

/** One client's view of a server that dies again and again. */
class CrashTest {
  readonly #random: Random;
  readonly #options: RoundOptions;
  readonly #ledger: Ledger;
  readonly #replica = new Replica();
  readonly #faults: string[] = [];
  #kills = 0;

  constructor(options: RoundOptions) {
    this.#options = options;
    this.#random = seededRandom(options.seed);
    this.#ledger = new Ledger(this.#random);
  }

  report(): CrashReport {
    const { acknowledged, refused } = this.#ledger;
    const { resumes, relists, faults } = this.#replica;
    return { kills: this.#kills, acknowledged, refused, resumes, relists, faults: [...this.#faults, ...faults] };
  }

  /** Starts the server, looks whether everything is as it must be, writes, and kills it in the middle. */
  async life(): Promise<void> {
    if (this.#random.chance(0.2)) await this.#killWhileStarting();
    const child = await this.#start();
    const transport = httpTransport({ server: child.url, identity: bearer(TOKEN), limits: { connections: WRITERS } });
    const over = new AbortController();
    const following = this.#replica.follow(transport, over.signal);
    try {
      await this.#check(transport);
      await this.#writeUntilKilled(transport, child);
    } finally {
      await child.kill();
      over.abort(new Error('the life is over'));
      await following.catch((error: unknown) => this.#faults.push(`following: ${String(error)}`));
      await transport.close();
    }
    const missed = this.#replica.missed(this.#ledger.versions);
    if (missed.length > 0) this.#faults.push(`the watcher passed over ${missed.join(', ')}`);
  }

  /** A look at the end, from a server that is not killed any more. */
  async last(): Promise<void> {
    const child = await this.#start();
    const transport = httpTransport({ server: child.url, identity: bearer(TOKEN) });
    const over = new AbortController();
    const following = this.#replica.follow(transport, over.signal);
    await this.#check(transport);
    over.abort(new Error('the end'));
    await following.catch(() => undefined);
    await transport.close();
    await child.kill();
  }

  #start(): Promise<Child> {
    return startChild(PROGRAM, this.#childOptions());
  }

  #childOptions(): object {
    return { path: this.#options.path, token: TOKEN };
  }

  async #killWhileStarting(): Promise<void> {
    this.#kills++;
    await killWhileStarting(PROGRAM, this.#childOptions(), this.#random.int(START_MS));
  }

  /** Everything acknowledged is there, nothing refused is, versions go on, and the watcher sees the same as a list. */
  async #check(transport: HttpTransport): Promise<void> {
    const listed = await list(transport);
    this.#faults.push(...this.#ledger.reconcile(listed.values));
    if (listed.version < this.#replica.version) this.#faults.push(`version ${listed.version} after ${this.#replica.version}`);
    const marker = { kind: 'create', name: `marker-${this.#kills}`, value: 'here' } as const;
    const version = versionIn(await transport.request(requestOf(marker)))!;
    if (version <= listed.version) this.#faults.push(`a write took version ${version} after ${listed.version}`);
    await within(this.#replica.reached(version), `the watcher does not see version ${version}`);
    const seen = new Map([...this.#replica.values].filter(([name]) => name !== marker.name));
    if (!isDeepStrictEqual(seen, listed.values)) this.#faults.push(`the watcher's view differs at version ${version}`);
    await transport.request(requestOf({ kind: 'remove', name: marker.name, value: undefined }));
  }

  async #writeUntilKilled(transport: HttpTransport, child: Child): Promise<void> {
    let left = this.#random.int(this.#options.writes);
    let isKilled = false;
    const writer = async (id: number): Promise<void> => {
      for (let i = 0; !isKilled; i++) {
        const deed = this.#ledger.next(`w${id}-${i % OBJECTS_EACH}`);
        this.#ledger.asked(deed);
        const answer = await transport.request(requestOf(deed)).catch(() => undefined);
        if (!answer) return;
        const fault = this.#ledger.answered(deed, answer.code, versionIn(answer));
        if (fault !== undefined) this.#faults.push(fault);
        if (--left > 0 || isKilled) continue;
        isKilled = true;
        this.#kills++;
        await child.kill();
      }
    };
    await Promise.all(Array.from({ length: WRITERS }, (_, id) => writer(id)));
  }
}

async function list(transport: HttpTransport): Promise<{ readonly version: number; readonly values: ReadonlyMap<string, string> }> {
  const { body } = await transport.request({ method: 'GET', path: CONFIG_MAPS });
  const { metadata, items } = body as { metadata: { resourceVersion: string }; items: readonly ConfigMap[] };
  return { version: Number(metadata.resourceVersion), values: new Map(items.map((item) => [item.metadata.name, item.data?.value ?? ''])) };
}

/** A wait that must not take for ever: what it waits for may never come, which is what the test is about. */
async function within(work: Promise<void>, otherwise: string): Promise<void> {
  const stop = new AbortController();
  const late = steadyClock.waitUntil(after(steadyClock.now(), PATIENCE_MS), stop.signal).then(() => {
    throw new Error(otherwise);
  });
  late.catch(() => undefined);
  await Promise.race([work, late]);
  stop.abort(new Error('it came'));
}

/** Kills a server in the middle of writes, again and again on one state file, and reports every promise that it broke. */
export async function crashRounds(options: RoundOptions): Promise<CrashReport> {
  const test = new CrashTest(options);
  for (let round = 1; round <= options.rounds; round++) {
    await test.life();
    if (options.onRound?.(round, test.report()) === false) break;
  }
  await test.last();
  return test.report();
}
