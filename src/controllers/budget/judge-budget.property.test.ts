import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { after, HOUR, MINUTE, type Instant } from '../../base/index.ts';
import type { Claim, Waiter } from './claim.ts';
import { judgeBudget } from './judge-budget.ts';
import { formatClaims, readLedger } from './ledger.ts';
import { isClaimed } from './queue.ts';
import { aClaim, aLedger, aWaiter, NOW, SETTINGS } from './testing/builders.ts';

/** What a process believes: an old ledger, and an old idea of what is over and who waits. */
interface View {
  readonly version: number;
  readonly claims: readonly Claim[];
  readonly over: ReadonlySet<string>;
  readonly waiting: readonly Waiter[];
}

type Step =
  | { readonly kind: 'look'; readonly process: 0 | 1 }
  | { readonly kind: 'ask'; readonly process: 0 | 1; readonly who: number }
  | { readonly kind: 'end'; readonly who: number }
  | { readonly kind: 'pass'; readonly minutes: number };

/** The world: one ledger that takes a write only on its own version, and what really runs. Starts follow a claim that was seen. */
class World {
  now: Instant = NOW;
  version = 0;
  claims: readonly Claim[] = [];
  readonly started = new Map<string, Instant>();
  readonly ended = new Set<string>();
  readonly queued = new Set<string>();
  readonly views: View[] = [];
  readonly askers: readonly Waiter[];

  constructor(askers: readonly Waiter[]) {
    this.askers = askers;
    this.look(0);
    this.look(1);
  }

  look(process: 0 | 1): void {
    const { version, claims } = this;
    const waiting = this.askers.filter(({ uid }) => this.queued.has(uid) && !this.started.has(uid));
    this.views[process] = { version, claims, over: new Set(this.ended), waiting };
  }

  /** One pass of one process over one asker, with the view that the process has. */
  ask(process: 0 | 1, asking: Waiter): void {
    const view = this.views[process];
    if (!view || this.started.has(asking.uid)) return;
    const { version, ...seen } = view;
    const verdict = judgeBudget({ ...seen, asking, settings: SETTINGS, now: this.now });
    if (verdict.kind === 'Claimed') this.started.set(asking.uid, this.now);
    if (verdict.kind === 'Wait') this.queued.add(asking.uid);
    if (verdict.kind !== 'Granted' || version !== this.version) return;
    const stored = readLedger({ kind: 'value', value: aLedger([], { data: formatClaims(verdict.claims) }) });
    this.claims = stored.kind === 'claims' ? stored.claims : [];
    this.version++;
  }

  end(asker: Waiter): void {
    if (this.started.has(asker.uid)) this.ended.add(asker.uid);
  }

  running(): readonly Waiter[] {
    return this.askers.filter(({ uid }) => this.started.has(uid) && !this.ended.has(uid));
  }

  /** By the ledger: a claim is a start as far as the hour goes. */
  inHour(): readonly Claim[] {
    return this.claims.filter(({ claimedAt }) => this.now < after(claimedAt, HOUR));
  }

  do(step: Step): void {
    if (step.kind === 'look') return this.look(step.process);
    if (step.kind === 'pass') return void (this.now = after(this.now, step.minutes * MINUTE));
    const asker = this.askers[step.who % this.askers.length];
    if (!asker) return;
    if (step.kind === 'end') this.end(asker);
    else this.ask(step.process, asker);
  }
}

const most = (names: readonly (string | undefined)[]): number =>
  Math.max(0, ...names.map((name) => (name === undefined ? 0 : names.filter((other) => other === name).length)));

/** Which limits are exceeded. */
function excess(world: World): readonly string[] {
  const { running, perHour } = SETTINGS;
  const [now, hour] = [world.running(), world.inHour()];
  const exceeded = {
    'running in the cluster': now.length > running.cluster,
    'running in a namespace': most(now.map(({ namespace }) => namespace)) > running.namespace,
    'running on a node': most(now.map(({ node }) => node)) > running.node,
    'started in the cluster': hour.length > perHour.cluster,
    'started in a namespace': most(hour.map(({ namespace }) => namespace)) > perHour.namespace,
  };
  return Object.entries(exceeded).flatMap(([limit, isExceeded]) => (isExceeded ? [limit] : []));
}

const processes = fc.constantFrom<(0 | 1)[]>(0, 1);
// Few, so that the same one is often asked for again.
const who = fc.nat({ max: 5 });
const steps: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('look' as const), process: processes }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('ask' as const), process: processes, who }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('end' as const), who }) },
  fc.record({ kind: fc.constant('pass' as const), minutes: fc.integer({ min: 1, max: 25 }) }),
);
const places = fc.constantFrom('', 'shop', 'mail', '/n1', 'shop/n1', 'mail/n1', 'shop/n2', '/n2');
const worlds = fc
  .array(places, { minLength: 2, maxLength: 6, size: 'max' })
  .map((all) => all.map((place, i) => aWaiter(`${String.fromCharCode(97 + i)}@${place}`)));

describe('two processes, each with an old view', () => {
  test('never let more run or start than they may, in whatever order they act', () =>
    fc.assert(
      fc.property(worlds, fc.array(steps, { maxLength: 80, size: 'max' }), (askers, script) => {
        const world = new World(askers);
        const exceeded = script.flatMap((step) => {
          world.do(step);
          return excess(world);
        });
        expect(exceeded).toEqual([]);
      }),
      { numRuns: 1_000 },
    ));

  test('serve everybody in the end', () =>
    fc.assert(
      fc.property(
        worlds,
        fc.array(steps, { maxLength: 40, size: 'max' }),
        fc.infiniteStream(fc.nat({ max: 11 })),
        (askers, script, picks) => {
          const world = new World(askers);
          for (const step of script) world.do(step);
          for (let round = 0; round < 40 && world.started.size < askers.length; round++) {
            for (const process of [0, 1] as const) {
              world.look(process);
              for (const asker of askers) world.ask(process, asker);
            }
            const running = world.running();
            const first = running[(picks.next().value ?? 0) % Math.max(1, running.length)];
            if (first) world.end(first);
            world.now = after(world.now, 10 * MINUTE);
          }
          expect(askers.filter(({ uid }) => !world.started.has(uid))).toEqual([]);
        },
      ),
      { numRuns: 300 },
    ));
});

const LONGEST_RUN = 6 * MINUTE;

/** The adversary: newcomers keep coming for what the first one needs, and what ends next is what does not help it, but nothing runs for ever. */
function roundsUntilServed(text: string, others: readonly string[]): number {
  const first = aWaiter(text);
  const settings = { ...SETTINGS, perHour: { cluster: 999, namespace: 999 } };
  const waiting = new Map([[first.uid, first]]);
  let claims: readonly Claim[] = ['o1@shop', 'o2@shop', 'o3@mail/n1'].map((name) => aClaim(name));
  let over: ReadonlySet<string> = new Set();
  for (const [round, place] of others.entries()) {
    const now = after(NOW, round * MINUTE);
    const judge = (asking: Waiter, ended = over) =>
      judgeBudget({ claims, over: ended, waiting: [...waiting.values()], asking, settings, now });
    const open = claims.filter(({ uid, endedAt }) => endedAt === undefined && !over.has(uid));
    const due = open.find(({ claimedAt }) => now >= after(claimedAt, LONGEST_RUN));
    const useless = open.find(({ uid }) => judge(first, new Set([...over, uid])).kind === 'Wait');
    const ends = (due ?? useless ?? open[0])?.uid ?? '';
    over = new Set([...over, ends]);
    waiting.set(`uid-n${round}`, aWaiter(`n${round}@${place}`, now));
    // The newest asks first: what is kept for others must not depend on who is quicker.
    for (const asking of [...waiting.values()].toReversed()) {
      const verdict = judge(asking);
      if (verdict.kind !== 'Granted') continue;
      claims = verdict.claims;
      waiting.delete(asking.uid);
    }
    if (isClaimed(claims, first)) return round;
  }
  return Number.POSITIVE_INFINITY;
}

describe('who waits', () => {
  const places = fc.constantFrom('shop', 'mail/n1', 'shop/n2', '', 'post/n1');
  test.each(['w@shop/n1', 'w@shop', 'w@/n1', 'w'])('is not overtaken for ever: %s', (text) =>
    fc.assert(
      fc.property(fc.array(places, { minLength: 60, maxLength: 60 }), (others) => {
        expect(roundsUntilServed(text, others)).toBeLessThanOrEqual(12);
      }),
    ),
  );
});
