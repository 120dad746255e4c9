import { copyFileSync, existsSync, statSync, truncateSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seededRandom } from '../../base/index.ts';
import { ManualClock } from '../../testkit/manual-clock.ts';
import { createMemoryApi } from '../memory-api.ts';
import type { Stored } from '../object.ts';
import { aServer, harnessOf, type Harness } from '../testing/harness.ts';
import { aStateFile, aStatePath } from '../testing/state-file.ts';
import { aWidget, widgets } from '../testing/widget.ts';

const W = widgets();
const RUNS = 12;

type Deed = { readonly do: 'create' | 'change' | 'remove' | 'hold' | 'release' | 'refused'; readonly name: string; readonly size: number };

const deed: fc.Arbitrary<Deed> = fc.record({
  do: fc.constantFrom('create', 'create', 'change', 'change', 'remove', 'hold', 'release', 'refused'),
  name: fc.constantFrom('a', 'b', 'c'),
  size: fc.integer({ min: 1, max: 10 }),
});

/** Requests that are in flight together; the next ones follow when all of them are answered. */
const waves = fc.array(fc.array(deed, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 6 });

function perform(server: Harness, { do: what, name, size }: Deed): Promise<{ readonly code: number }> {
  const path = `${W}/${name}`;
  switch (what) {
    case 'create':
      return server.call('POST', W, aWidget(name, { spec: { size } }));
    case 'change':
      return server.merge(path, { spec: { size } });
    case 'remove':
      return server.remove(path);
    case 'hold':
      return server.merge(path, { metadata: { finalizers: ['x/y'] } });
    case 'release':
      return server.merge(path, { metadata: { finalizers: null } });
    case 'refused':
      return server.merge(path, { spec: { size: 1_000 + size } });
  }
}

/** The disk as a process leaves it that is killed now. */
function image(path: string): string {
  const copy = aStatePath();
  copyFileSync(path, copy);
  if (existsSync(`${path}-wal`)) copyFileSync(`${path}-wal`, `${copy}-wal`);
  return copy;
}

async function reopened(path: string): Promise<Harness> {
  const clock = new ManualClock();
  return harnessOf(createMemoryApi({ clock, random: seededRandom(3), storage: await aStateFile({ path }) }), clock);
}

const state = async (server: Harness): Promise<string> => {
  const { items } = (await server.get(W)).body as { readonly items: readonly Stored[] };
  return JSON.stringify(items);
};

test('after a crash at any commit: what was acknowledged, nothing else, and versions never go back', async () => {
  await fc.assert(
    fc.asyncProperty(waves, fc.nat(), async (all, moment) => {
      const path = aStatePath();
      const server = await aServer({ storage: await aStateFile({ path }) });
      for (const wave of all.slice(0, 1 + (moment % all.length))) await Promise.all(wave.map((one) => perform(server, one)));
      const [acknowledged, version] = [await state(server), Number(server.api.resourceVersion)];
      const again = await reopened(image(path));
      expect(await state(again)).toBe(acknowledged);
      const next = await again.create(W, aWidget('next'));
      expect(Number(next.metadata.resourceVersion)).toBeGreaterThan(version);
    }),
    { numRuns: RUNS },
  );
}, 60_000);

test('after a crash in the middle of a commit: the state after some whole commit, no earlier one than was acknowledged', async () => {
  await fc.assert(
    fc.asyncProperty(waves, fc.nat(), fc.double({ min: 0, max: 1, noNaN: true }), async (all, moment, share) => {
      const path = aStatePath();
      const server = await aServer({ storage: await aStateFile({ path }) });
      const states: string[] = [];
      const sizes: number[] = [];
      for (const wave of all) {
        for (const one of wave) {
          await perform(server, one);
          await server.quiet();
          states.push(await state(server));
          sizes.push(statSync(`${path}-wal`).size);
        }
      }
      const acknowledged = moment % states.length;
      const copy = image(path);
      const [from, to] = [sizes[acknowledged]!, sizes.at(-1)!];
      truncateSync(`${copy}-wal`, from + Math.floor(share * (to - from)));
      expect(states.slice(acknowledged)).toContain(await state(await reopened(copy)));
    }),
    { numRuns: RUNS },
  );
}, 60_000);
