import { describe, expect, test } from 'vitest';
import { SchemaLibrary } from '../../apiserver/index.ts';
import { noFaults, type FaultSource } from '../../simulation/index.ts';
import { CRASHES, crashSweep, FREEZES, sweptText, testSweepOneOf } from '../crash-sweep.ts';
import { FAULT_KINDS, randomFaults } from '../faults/random-faults.ts';
import { failureText, runSeeds, seedsPerTest } from '../run-seeds.ts';
import { runScenario, type Scenario } from '../scenario.ts';
import { contradiction, DELETED, ONE_KIND, OUTAGE_ASKING_OUTSIDE, OUTAGE_ASKING_OWNERS, strictGate } from './known-timelines.ts';
import { drawPlot, type Plot } from './timeline.ts';
import { fewMachines, machines, machinesUnder, powerMachines } from './scenario.ts';
import { MISTAKES } from './mutants.ts';

const LIMIT_MS = 10 * 60_000;

/** Seeds that once failed. */
const ONCE_FAILED: readonly { readonly seed: number; readonly what: string }[] = [
  { seed: 27, what: 'a check was not evaluated again after it had cleared its record, and continued to report an open gate' },
  {
    seed: 283,
    what: 'a check that had lost its claim to another check made a second request when that check was deleted, although its request was still open',
  },
  { seed: 1827, what: 'a check relied on the gate that another check had reported before its pause' },
  { seed: 4570, what: 'a check that had missed its own last status never corrected it' },
  {
    seed: 200619,
    what: 'the reason that blocked a request stayed on a Machine for ever, as its check was deleted and the other check asked owners',
  },
];

describe('Machines that fail, in a world without machines', () => {
  test('[MH-167] reach the required final state when only the Machines fail', async () => {
    const result = await runScenario(fewMachines, { seed: 1, faults: noFaults });
    expect(result.violations).toEqual([]);
    expect(result.endState).toEqual({
      left: [],
      machines: ['a-0 True', 'a-1 True', 'a-2 True', 'a-4 False: asked of 1'],
      checks: ['a-first 3 4', 'a-second 3 4'],
      halfDone: [],
    });
  });

  test.each([1, 2])('run the same way twice from seed %i, step by step', async (seed) => {
    const journal = async (): Promise<readonly string[]> => (await runScenario(machines, { seed, faults: randomFaults(seed) })).journal();
    expect(await journal()).toEqual(await journal());
  });

  test(`survive ${seedsPerTest()} seeds of all faults`, { timeout: LIMIT_MS }, async () => {
    const report = await runSeeds(machines, { count: seedsPerTest() });
    expect(report.failures.map(failureText)).toEqual([]);
    expect(report.faults).toBeGreaterThan(report.runs);
  });

  test.each(ONCE_FAILED)('survive seed $seed: $what', { timeout: LIMIT_MS }, async ({ seed }) => {
    const { violations } = await runScenario(machines, { seed, faults: randomFaults(seed) });
    expect(violations).toEqual([]);
  });

  test.each([
    { what: '[MH-017] of a network fault that cuts off so many that the threshold is reached ask no owner', plot: OUTAGE_ASKING_OWNERS },
    { what: '[MH-017] of such a network fault with a template make no request', plot: OUTAGE_ASKING_OUTSIDE },
    { what: '[MH-150] under a strict and a loose gate are remediated as the strict one says', plot: strictGate(true) },
    { what: '[MH-150] under a loose and a strict gate are remediated as the strict one says', plot: strictGate(false) },
  ])('$what', { timeout: LIMIT_MS }, async ({ plot }) => {
    for (const { created, machines: ends } of await endsUnder(plot)) {
      expect([...created.keys()].filter(isRequest)).toEqual([]);
      expect(ends.filter((end) => end.includes('owner asked'))).toEqual([]);
    }
  });

  test('[MH-093] [MH-094] under two checks of one kind have one request each, the same all the time', { timeout: LIMIT_MS }, async () => {
    for (const { machines: ends } of await endsUnder(ONE_KIND))
      expect(ends).toEqual(['a-0 False: Reboot of 1', 'a-1 False: Reboot of 1', 'a-2 True', 'a-3 True']);
  });

  test('[MH-096] take their requests with them when they are deleted', { timeout: LIMIT_MS }, async () => {
    const runs = await endsUnder(DELETED);
    expect(runs.some(({ created }) => [...created.keys()].some(isRequest))).toBe(true);
    // That no request outlives its Machine is a condition of the end.
    for (const { machines: ends } of runs) expect(ends).toEqual(['a-1 True', 'a-2 True', 'a-3 True']);
  });

  test('[MH-149] that pass one check and fail another get the same result in either order', { timeout: LIMIT_MS }, async () => {
    for (const isFirst of [true, false])
      for (const { machines: ends } of await endsUnder(contradiction(isFirst)))
        expect(ends).toEqual(['a-0 False: Reboot of 1', 'a-1 True', 'a-2 True', 'a-3 True']);
  });

  // Each runs some of the plans; `npm run sim` runs all of them.
  test.each([
    { what: '[MH-092] a fault of each kind at every write and every batch of events', scenario: fewMachines, faults: CRASHES, least: 29 },
    { what: 'a leader that stands still before every write', scenario: fewMachines, faults: FREEZES, least: 7 },
    { what: 'a fault of each kind at every step of a power cycle', scenario: powerMachines, faults: CRASHES, least: 59 },
    { what: 'a leader that stands still at every step of a power cycle', scenario: powerMachines, faults: FREEZES, least: 17 },
  ])('survive $what', { timeout: LIMIT_MS }, async ({ scenario, faults, least }) => {
    const oneOf = testSweepOneOf(least);
    const report = await crashSweep(scenario, { faults, oneOf });
    expect(report.failures.map(sweptText)).toEqual([]);
    expect(report.plans * oneOf).toBeGreaterThan(30 * least);
  });

  test.each([90_000, 150_000])(
    'are not left with a host off by a leader that stands still for %i ms between its last look and any command',
    { timeout: LIMIT_MS },
    async (ms) => {
      const schemas = new SchemaLibrary();
      const violated: string[] = [];
      let count = 1;
      for (let isThere = true; isThere; count++) {
        const { violations, injected } = await runScenario(powerMachines, { seed: 1, schemas, faults: heldUpAtOff(count, ms) });
        violated.push(...violations.map((violation) => `command ${count}: ${violation}`));
        isThere = injected.length > 0;
      }
      expect(violated).toEqual([]);
      expect(count).toBeGreaterThan(4);
    },
  );

  test.each(Object.entries(MISTAKES))(
    'show that a controller is wrong that %s',
    { timeout: LIMIT_MS },
    async (_, { make, complaint, plot }) => {
      const scenario = machinesUnder({ name: 'mistaken', plot: plot ? () => plot : drawPlot, mistake: make });
      // What does not settle need not be waited for as long as faults would make it.
      expect(await complaintsOf({ ...scenario, faultsForMs: 0, deadlineMs: 7 * 60_000 }, complaint)).toMatch(complaint);
    },
  );
});

/** Freezes the sender of the n-th command to switch off: the command is sent when the process resumes. */
function heldUpAtOff(count: number, ms: number): FaultSource {
  let sent = 0;
  return {
    ...noFaults,
    onRequest: ({ verb, text }) =>
      verb === 'write' && /^POST \/hosts\/\S+\/off/.test(text()) && ++sent === count ? { kind: 'Freeze', ms } : undefined,
  };
}

/** Seeds for a story of which the end is known. */
const CASE_SEEDS = 12;

interface End {
  readonly created: ReadonlyMap<string, number>;
  readonly machines: readonly string[];
}

/** How a story ends under all faults. */
async function endsUnder(plot: Plot): Promise<readonly End[]> {
  const schemas = new SchemaLibrary();
  const scenario = machinesUnder({ name: 'case', plot: () => plot });
  const ends: End[] = [];
  for (let seed = 1; seed <= CASE_SEEDS; seed++) {
    const { violations, created, endState } = await runScenario(scenario, { seed, schemas, faults: randomFaults(seed, SHOWN) });
    expect(violations).toEqual([]);
    ends.push({ created, machines: (endState as Pick<End, 'machines'>).machines });
  }
  return ends;
}

/** All faults but one: an event that is never sent hides a mistake about the gate. */
const SHOWN = FAULT_KINDS.filter((kind) => kind !== 'DroppedEvents');

const isRequest = (name: string): boolean => name.includes('fix.example.com');

/** Seeds that a mistake is looked for in. */
const MISTAKE_SEEDS = 40;

/** The first such complaint about the scenario. */
async function complaintsOf(scenario: Scenario, complaint: RegExp): Promise<string> {
  const schemas = new SchemaLibrary();
  for (let seed = 1; seed <= MISTAKE_SEEDS; seed++) {
    const { violations } = await runScenario(scenario, { seed, schemas, faults: noFaults });
    const found = violations.find((violation) => complaint.test(violation));
    if (found !== undefined) return found;
  }
  return `nothing of the kind in ${MISTAKE_SEEDS} seeds`;
}
