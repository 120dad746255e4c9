import { describe, expect, test } from 'vitest';
import { keyOf, keyText, type KubeObject, type ObjectKey } from '../../api/meta.ts';
import { resourceName, type Resource } from '../../api/resource.ts';
import { after, instant, PlatformError, seededRandom, turn, type Fields, type Logger } from '../../base/index.ts';
import type { Cache, StoreOptions } from '../../kube/cache/cache.ts';
import { anObject, fakeClient, lostReply, refusal, type FakeCall } from '../../testkit/fake-client.ts';
import { FakeStore } from '../../testkit/fake-store.ts';
import { ManualClock } from '../../testkit/manual-clock.ts';
import { createControlLoop, type ControlLoopOptions } from './control-loop.ts';
import type { Controller, Decision, Effect, Subject, Watch } from '../reconcile/controller.ts';
import { soleTerm, type Term, type WorkEnd } from '../election/term.ts';

const THING: Resource = { group: 'test.sickbay.dev', version: 'v1', kind: 'Thing', plural: 'things', namespaced: true };
const PART: Resource = { group: 'test.sickbay.dev', version: 'v1', kind: 'Part', plural: 'parts', namespaced: true };

const aThing = (name: string, version = '1'): KubeObject => anObject('Thing', { metadata: { name, resourceVersion: version } });
const aPart = (name: string, owner: string): KubeObject => anObject('Part', { metadata: { name, labels: { owner } } });
const ownerOf = (object: KubeObject): readonly ObjectKey[] => [{ namespace: 'default', name: object.metadata.labels?.['owner'] ?? '' }];

class Bench {
  readonly clock = new ManualClock();
  readonly stop = new AbortController();
  readonly lost = new AbortController();
  readonly things = new FakeStore(THING);
  readonly parts = new FakeStore(PART);
  readonly stored: StoreOptions<KubeObject>[] = [];
  readonly passes: string[] = [];
  readonly logged: { level: string; message: string; fields: Fields }[] = [];
  readonly calls: FakeCall[];
  synced: Promise<void> = Promise.resolve();
  leading = true;
  readonly #client;

  constructor(answer?: (call: FakeCall) => unknown) {
    const { client, calls } = fakeClient(answer);
    this.#client = client;
    this.calls = calls;
  }

  get cache(): Cache {
    return {
      store: (wanted) => {
        this.stored.push(wanted as unknown as StoreOptions<KubeObject>);
        return (resourceName(wanted.resource) === resourceName(THING) ? this.things : this.parts) as never;
      },
      run: () => Promise.resolve(),
      synced: (signal) =>
        Promise.race([
          this.synced,
          new Promise<void>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
        ]),
      client: this.#client,
    };
  }

  get log(): Logger {
    const at =
      (level: string) =>
      (message: string, fields: Fields = {}) =>
        void this.logged.push({ level, message, fields });
    const logger: Logger = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error'), with: () => logger };
    return logger;
  }

  get term(): Term {
    return { stop: this.stop.signal, lost: this.lost.signal, mayAct: () => this.leading };
  }

  controller(decide: (seen: Subject, now: number) => Decision = () => ({ effects: [] }), watches: readonly Watch[] = []): Controller {
    return {
      name: 'things',
      primary: THING,
      watches,
      observe: (key, reader) => {
        const read = reader.get(THING, key);
        this.passes.push(`${keyText(key)}@${this.clock.now() - START}`);
        return read.kind === 'value' ? { object: read.value } : undefined;
      },
      decide,
    };
  }

  run(controller: Controller, more: Partial<ControlLoopOptions> = {}): Promise<WorkEnd> {
    const loop = createControlLoop({
      controllers: [controller],
      cache: this.cache,
      clock: this.clock,
      random: seededRandom(1),
      log: this.log,
      events: { record: () => Promise.resolve() },
      backoff: { baseMs: 10, maxMs: 1_000 },
      ...more,
    });
    return loop.run(this.term);
  }

  took(): string[] {
    return this.passes.splice(0);
  }
}

const START = new ManualClock().now();

/** Runs, lets the test act, and stops; nothing may be left running. */
async function during(bench: Bench, controller: Controller, story: () => Promise<void>): Promise<void> {
  const running = bench.run(controller);
  await turn();
  await story();
  bench.stop.abort();
  await running;
  await turn();
  expect(bench.clock.waiting).toBe(0);
  expect(bench.things.listeners + bench.parts.listeners).toBe(0);
}

describe('what wakes a key', () => {
  test('everything that exists at the start, and every change after', async () => {
    const bench = new Bench();
    bench.things.put(aThing('a'));
    bench.things.put(aThing('b'));
    await during(bench, bench.controller(), async () => {
      expect(bench.took()).toEqual(['default/a@0', 'default/b@0']);
      bench.things.put(aThing('c'));
      await turn();
      bench.things.put(aThing('a', '2'));
      bench.things.remove({ namespace: 'default', name: 'b' });
      await turn();
      expect(bench.took()).toEqual(['default/c@0', 'default/a@0', 'default/b@0']);
    });
  });

  test('what changes goes before what was found at the start', async () => {
    const bench = new Bench();
    for (const name of ['a', 'b', 'c']) bench.things.put(aThing(name));
    const slow = bench.controller();
    let first = true;
    const controller: Controller = {
      ...slow,
      async observe(key, reader, now) {
        const seen = await slow.observe(key, reader, now);
        if (first) {
          first = false;
          bench.things.put(aThing('new'));
        }
        return seen;
      },
    };
    const running = bench.run(controller, { workers: 1 });
    await turn();
    expect(bench.took().map((pass) => pass.split('@')[0])).toEqual(['default/a', 'default/new', 'default/b', 'default/c']);
    bench.stop.abort();
    await running;
  });

  test('another kind’s objects wake whom they name: before and after a change, and when they go', async () => {
    const bench = new Bench();
    const watch: Watch = { resource: PART, keys: ownerOf };
    await during(bench, bench.controller(undefined, [watch]), async () => {
      bench.parts.put(aPart('p', 'a'));
      await turn();
      expect(bench.took()).toEqual(['default/a@0']);
      bench.parts.put(aPart('p', 'b'));
      await turn();
      expect(bench.took()).toEqual(['default/b@0', 'default/a@0']);
      bench.parts.remove({ namespace: 'default', name: 'p' });
      await turn();
      expect(bench.took()).toEqual(['default/b@0']);
    });
  });

  test('a watch on the primary kind itself adds to what wakes, and takes nothing away', async () => {
    const bench = new Bench();
    const indexes = { phase: () => [] };
    const watch: Watch = { resource: THING, keys: () => [{ namespace: 'default', name: 'sibling' }], indexes };
    await during(bench, bench.controller(undefined, [watch]), async () => {
      bench.things.put(aThing('a'));
      await turn();
      expect(bench.took()).toEqual(['default/a@0', 'default/sibling@0']);
    });
    expect(bench.stored).toEqual([expect.objectContaining({ resource: THING, indexes })]);
  });

  test('a mapping that throws is logged and does not block other keys', async () => {
    const bench = new Bench();
    const watch: Watch = {
      resource: PART,
      keys: () => {
        throw new Error('oops');
      },
    };
    await during(bench, bench.controller(undefined, [watch]), async () => {
      bench.parts.put(aPart('p', 'a'));
      bench.things.put(aThing('a'));
      await turn();
      expect(bench.took()).toEqual(['default/a@0']);
    });
    expect(bench.logged.map(({ level }) => level)).toEqual(['error']);
  });

  test('a mapping of the primary kind that throws does not cost an object its own pass', async () => {
    const bench = new Bench();
    const watch: Watch = {
      resource: THING,
      keys: () => {
        throw new Error('oops');
      },
    };
    await during(bench, bench.controller(undefined, [watch]), async () => {
      bench.things.put(aThing('a'));
      await turn();
      expect(bench.took()).toEqual(['default/a@0']);
    });
    expect(bench.logged).toEqual([expect.objectContaining({ level: 'error', fields: { object: 'default/a', error: 'oops' } })]);
  });

  test('absolute wake-ups: the last pass’s word counts', async () => {
    const bench = new Bench();
    bench.things.put(aThing('a'));
    const wakes = [100, 500, undefined];
    const decide = (): Decision => {
      const at = wakes.shift();
      return { effects: [], ...(at !== undefined && { wakeAt: instant(START + at) }) };
    };
    await during(bench, bench.controller(decide), async () => {
      await bench.clock.advance(50);
      bench.things.put(aThing('a', '2'));
      await bench.clock.advance(5_000);
      expect(bench.took()).toEqual(['default/a@0', 'default/a@50', 'default/a@500']);
    });
  });

  test('a wake-up in the past does not spin', async () => {
    const bench = new Bench();
    bench.things.put(aThing('a'));
    await during(
      bench,
      bench.controller((_seen, now) => ({ effects: [], wakeAt: instant(now) })),
      async () => {
        await bench.clock.advance(200);
        expect(bench.took().map((pass) => pass.split('@')[1])).toEqual(['0', '10', '30', '70', '150']);
      },
    );
  });
});

describe('how a pass ends', () => {
  const failing: readonly { reason: string; error: unknown; waits: readonly string[]; level: string }[] = [
    { reason: 'a failure backs off', error: lostReply(), waits: ['0', '10', '30', '70'], level: 'warn' },
    { reason: 'a stale view comes back, silently', error: refusal(409, 'Conflict'), waits: ['0', '10', '30', '70'], level: 'debug' },
    {
      reason: 'what is final is not tried again',
      error: new PlatformError('Terminal', 'no', { retry: 'never' }),
      waits: ['0'],
      level: 'error',
    },
  ];
  test.each(failing)('$reason', async ({ error, waits, level }) => {
    const bench = new Bench((call) => {
      if (call.verb === 'patchStatus' && call.target.endsWith('/bad')) throw error as Error;
    });
    bench.things.put(aThing('bad'));
    bench.things.put(aThing('good'));
    await during(
      bench,
      bench.controller(() => ({ status: { phase: 'x' }, effects: [] })),
      async () => {
        await bench.clock.advance(100);
        const passes = bench.took();
        expect(passes.filter((pass) => pass.startsWith('default/bad')).map((pass) => pass.split('@')[1])).toEqual(waits);
        expect(passes.filter((pass) => pass.startsWith('default/good'))).toEqual(['default/good@0']);
      },
    );
    expect(new Set(bench.logged.map((line) => line.level))).toEqual(new Set([level]));
  });

  test('success resets the backoff', async () => {
    let failures = 3;
    const bench = new Bench(() => {
      if (failures-- > 0) throw lostReply();
    });
    bench.things.put(aThing('a'));
    await during(
      bench,
      bench.controller(() => ({ status: { phase: 'x' }, effects: [] })),
      async () => {
        await bench.clock.advance(1_000);
        expect(bench.took().length).toBe(4);
        failures = 1;
        bench.things.put(aThing('a', '2'));
        await bench.clock.advance(10);
        expect(bench.took().map((pass) => pass.split('@')[1])).toEqual(['1000', '1010']);
      },
    );
  });

  test('a decision that throws is logged as a bug, and only its key suffers', async () => {
    const bench = new Bench();
    bench.things.put(aThing('bad'));
    bench.things.put(aThing('good'));
    const decide = (seen: Subject): Decision => {
      if (seen.object.metadata.name === 'bad') throw new TypeError('undefined is not a function');
      return { effects: [] };
    };
    await during(bench, bench.controller(decide), async () => {
      await bench.clock.advance(15);
      expect(bench.took()).toEqual(['default/bad@0', 'default/good@0', 'default/bad@10']);
    });
    expect(bench.logged[0]).toMatchObject({ level: 'error', fields: { key: 'default/bad', step: 'decide' } });
  });

  test('a cache that is behind puts the pass off until the store has caught up', async () => {
    const bench = new Bench();
    bench.things.put(aThing('a'));
    bench.things.behind.add('default/a');
    await during(
      bench,
      bench.controller(() => ({ status: { phase: 'x' }, effects: [] })),
      async () => {
        expect(bench.calls).toEqual([]);
        bench.things.put(aThing('b'));
        await turn();
        expect(bench.calls.map(({ target }) => target)).toEqual(['things.test.sickbay.dev default/b']);
        bench.things.put(aThing('a', '2'));
        await turn();
        expect(bench.calls.map(({ target }) => target)).toContain('things.test.sickbay.dev default/a');
      },
    );
  });

  test.each([
    { name: 'an answer that comes after the watch has shown the write wakes at once', settle: true },
    { name: 'a store that caught up without a word is noticed all the same', settle: false },
  ])('$name', async ({ settle }) => {
    const bench = new Bench();
    bench.things.put(aThing('a'));
    bench.things.behind.add('default/a');
    const act = async (): Promise<void> => {
      await bench.clock.advance(900);
      expect(bench.calls).toEqual([]);
      bench.things.behind.clear();
      if (settle) bench.things.settle({ namespace: 'default', name: 'a' });
      await turn();
      expect(bench.calls).toHaveLength(settle ? 1 : 0);
      await bench.clock.advance(200);
      expect(bench.calls).toHaveLength(1);
    };
    await during(
      bench,
      bench.controller(() => ({ status: { phase: 'x' }, effects: [] })),
      act,
    );
  });

  test('leadership that returns within the term finds its keys again', async () => {
    const bench = new Bench();
    bench.leading = false;
    bench.things.put(aThing('a'));
    await during(
      bench,
      bench.controller(() => ({ status: { phase: 'x' }, effects: [] })),
      async () => {
        expect(bench.calls).toEqual([]);
        bench.leading = true;
        await bench.clock.advance(10);
        expect(bench.calls).toHaveLength(1);
      },
    );
  });
});

describe('workers', () => {
  /** Passes wait until the test lets them go on. */
  function gated(bench: Bench): { controller: Controller; open: string[]; most: () => number; release: () => void } {
    const open: string[] = [];
    let waiting: (() => void)[] = [];
    let most = 0;
    const effect: Effect = { kind: 'Call', run: 'gate', key: '', input: null };
    const controller = bench.controller(() => ({ effects: [effect] }));
    const gate = async (call: { subject: KubeObject }): Promise<void> => {
      const key = keyText(keyOf(call.subject));
      expect(open).not.toContain(key);
      open.push(key);
      most = Math.max(most, open.length);
      await new Promise<void>((resolve) => waiting.push(resolve));
      open.splice(open.indexOf(key), 1);
    };
    gates.set(controller, gate);
    const release = (): void => {
      const now = waiting;
      waiting = [];
      for (const go of now) go();
    };
    return { controller, open, most: () => most, release };
  }
  const gates = new WeakMap<Controller, (call: { subject: KubeObject }) => Promise<void>>();

  test('several at a time, one per key; an add meanwhile runs once more after', async () => {
    const bench = new Bench();
    for (const name of ['a', 'b', 'c', 'd']) bench.things.put(aThing(name));
    const { controller, open, most, release } = gated(bench);
    const running = bench.run(controller, { workersOf: { things: 3 }, calls: { gate: gates.get(controller)! } });
    await turn();
    expect(open).toEqual(['default/a', 'default/b', 'default/c']);
    bench.things.put(aThing('a', '2'));
    await turn();
    expect(open).toHaveLength(3);
    for (let i = 0; i < 3; i++) {
      release();
      await turn();
    }
    expect(bench.took().filter((pass) => pass.startsWith('default/a'))).toHaveLength(2);
    expect(most()).toBe(3);
    bench.stop.abort();
    await running;
  });

  test('a graceful stop lets running passes finish, starts none, and then ends', async () => {
    const bench = new Bench();
    for (const name of ['a', 'b']) bench.things.put(aThing(name));
    const { controller, open, release } = gated(bench);
    let ended = false;
    const running = bench.run(controller, { workers: 1, calls: { gate: gates.get(controller)! } }).then(() => (ended = true));
    await turn();
    bench.stop.abort();
    await bench.clock.advance(5_000);
    expect({ ended, open: [...open] }).toEqual({ ended: false, open: ['default/a'] });
    release();
    expect(await running).toBe(true);
    expect(bench.took()).toEqual(['default/a@0']);
    expect(bench.clock.waiting).toBe(0);
  });

  test('a stop does not wait for ever: past the limit passes end before their next write', async () => {
    const bench = new Bench();
    bench.things.put(aThing('a'));
    const { controller } = gated(bench);
    const signals: AbortSignal[] = [];
    const gate = (_call: unknown, signal: AbortSignal): Promise<void> => {
      signals.push(signal);
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
    };
    let ended = false;
    const running = bench.run(controller, { drainMs: 2_000, calls: { gate } }).then(() => (ended = true));
    await turn();
    bench.stop.abort();
    await bench.clock.advance(1_999);
    expect({ ended, aborted: signals[0]?.aborted }).toEqual({ ended: false, aborted: false });
    await bench.clock.advance(1);
    await running;
    expect(bench.logged).toEqual([]);
  });

  test('a pass that ignores its signal is abandoned, and that is logged', async () => {
    const bench = new Bench();
    bench.things.put(aThing('a'));
    const { controller } = gated(bench);
    const running = bench.run(controller, { drainMs: 1_000, calls: { gate: gates.get(controller)! } });
    await turn();
    bench.stop.abort();
    await bench.clock.advance(2_000);
    expect(await running).toBe('stuck');
    expect(bench.logged).toEqual([expect.objectContaining({ level: 'error', fields: { passes: 1 } })]);
  });

  test('a term that is lost ends passes at once: not one more write', async () => {
    const bench = new Bench();
    bench.things.put(aThing('a'));
    const { release } = gated(bench);
    const effects: readonly Effect[] = [
      { kind: 'Call', run: 'slow', key: '', input: null },
      {
        kind: 'Create',
        resource: PART,
        object: { apiVersion: 'test.sickbay.dev/v1', kind: 'Part', metadata: { name: 'p', namespace: 'default' } },
      },
    ];
    let resume: () => void = () => {};
    const slow = (): Promise<void> => new Promise((resolve) => (resume = resolve));
    const running = bench.run(
      bench.controller(() => ({ effects })),
      { calls: { slow } },
    );
    await turn();
    bench.lost.abort();
    resume();
    release();
    await running;
    expect(bench.calls).toEqual([]);
  });

  test('a term that is lost while it drains ends passes at once', async () => {
    const bench = new Bench();
    bench.things.put(aThing('a'));
    const { controller } = gated(bench);
    const gate = (_call: unknown, signal: AbortSignal): Promise<void> =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
    const running = bench.run(controller, { drainMs: 60_000, calls: { gate } });
    await turn();
    bench.stop.abort();
    await bench.clock.advance(1_000);
    bench.lost.abort();
    await running;
    expect(bench.clock.now() - START).toBe(1_000);
  });

  test('passes that wait for nothing let others have a turn', async () => {
    const bench = new Bench();
    for (let i = 0; i < 200; i++) bench.things.put(aThing(`t${i}`));
    let breaths = 0;
    const running = bench.run(bench.controller(), {
      workers: 1,
      breathe: () => {
        breaths++;
        return turn();
      },
    });
    while (bench.passes.length < 200) await turn();
    bench.stop.abort();
    await running;
    expect(breaths).toBe(12);
  });
});

describe('the start', () => {
  test('waits for the cache, and can be called off', async () => {
    const bench = new Bench();
    bench.things.put(aThing('a'));
    bench.synced = new Promise(() => {});
    const running = bench.run(bench.controller());
    await bench.clock.advance(60_000);
    expect(bench.took()).toEqual([]);
    bench.stop.abort();
    await running;
    expect(bench.took()).toEqual([]);
  });

  test('of a second term looks at everything again', async () => {
    const bench = new Bench();
    bench.things.put(aThing('a'));
    const loop = createControlLoop({
      controllers: [bench.controller()],
      cache: bench.cache,
      clock: bench.clock,
      random: seededRandom(1),
      log: bench.log,
      events: { record: () => Promise.resolve() },
    });
    for (let i = 0; i < 2; i++) {
      const stop = new AbortController();
      const running = loop.run(soleTerm(stop.signal));
      await turn();
      stop.abort();
      await running;
    }
    expect(bench.took()).toEqual(['default/a@0', 'default/a@0']);
  });

  test('a pass abandoned by an earlier term does not keep a later one from ending', async () => {
    const bench = new Bench();
    bench.things.put(aThing('a'));
    const leftBehind = Promise.withResolvers<void>();
    const loop = createControlLoop({
      controllers: [bench.controller(() => ({ effects: [{ kind: 'Call', run: 'gate', key: '', input: null }] }))],
      cache: bench.cache,
      clock: bench.clock,
      random: seededRandom(1),
      log: bench.log,
      events: { record: () => Promise.resolve() },
      calls: { gate: () => (bench.passes.length === 1 ? leftBehind.promise : Promise.resolve()) },
      drainMs: 1_000,
    });
    const [first, second] = [new AbortController(), new AbortController()];
    const firstTerm = loop.run(soleTerm(first.signal));
    await turn();
    first.abort();
    await bench.clock.advance(2_000);
    await firstTerm;
    bench.logged.length = 0;
    const secondTerm = loop.run(soleTerm(second.signal));
    await turn();
    leftBehind.resolve();
    await turn();
    second.abort();
    await bench.clock.advance(2_000);
    await secondTerm;
    expect(bench.logged).toEqual([]);
    expect(bench.things.listeners).toBe(0);
  });

  test('cluster-scoped keys go through as they are', async () => {
    const bench = new Bench();
    bench.things.put(anObject('Thing', { metadata: { name: 'node-1', namespace: undefined } }));
    await during(bench, bench.controller(), async () => {
      expect(bench.took()).toEqual(['node-1@0']);
      await bench.clock.advance(after(instant(0), 1));
    });
  });
});
