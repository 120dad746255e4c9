import { describe, expect, test } from 'vitest';
import { noFaults } from '../../simulation/index.ts';
import { WorkflowExecution } from '../../api/workflow-execution/workflow-execution.ts';
import { MINUTE } from '../../base/index.ts';
import type { AwxConnection } from '../../controllers/execution/index.ts';
import type { CallHandler } from '../../runtime/reconcile/effects.ts';
import { CRASHES, crashSweep, FREEZES, sweptText, testSweepOneOf } from '../crash-sweep.ts';
import { randomFaults } from '../faults/random-faults.ts';
import { keepsTheLock, seesNoRivals } from '../rivals/variants.ts';
import { failureText, runSeeds, seedsPerTest } from '../run-seeds.ts';
import { runScenario } from '../scenario.ts';
import { awx, awxScenario, fewAwx, SECRET_VALUE, stageOf, type Twist } from './scenario.ts';
import { TOKEN_START } from './token-issuer.ts';

const LIMIT_MS = 10 * 60_000;
const SEEDS = seedsPerTest();

describe('executions whose playbooks AWX runs', () => {
  test('[WE-003] [WE-078] [WE-138] run there, one after the other, and leave nothing behind', async () => {
    const ends = {
      ...awxScenario(),
      endState: (simulation: Parameters<typeof stageOf>[0]) => ({
        phases: simulation.mirror.all(WorkflowExecution).map(({ metadata, status }) => `${metadata.name} ${status?.phase}`),
        types: stageOf(simulation).awx.state.types.size,
        jobs: stageOf(simulation).awx.state.jobs.size,
      }),
    };
    const result = await runScenario(ends, { seed: 5, faults: noFaults });
    expect(result.violations).toEqual([]);
    expect(result.endState).toMatchObject({ types: 1, jobs: 4 });
    expect(result.journal().join('\n')).not.toMatch(new RegExp(`${SECRET_VALUE}|${TOKEN_START}`));
  });

  test('[WE-117] read Secrets and ConfigMaps before anything is made in AWX', async () => {
    const result = await runScenario(awxScenario({ parts: ['one'] }), { seed: 1, faults: noFaults });
    const lines = result.journal();
    const first = (text: string): number => lines.findIndex((line) => line.includes(text));
    expect(first('secrets/db-login')).toBeGreaterThan(0);
    expect(first('configmaps/playbook-settings')).toBeGreaterThan(0);
    expect(first('POST /awx/')).toBeGreaterThan(Math.max(first('secrets/db-login'), first('configmaps/playbook-settings')));
  });

  test.each([1, 2])('run the same way twice from seed %i, step by step', async (seed) => {
    const journal = async (): Promise<readonly string[]> => (await runScenario(awx, { seed, faults: randomFaults(seed) })).journal();
    expect(await journal()).toEqual(await journal());
  });

  test(`[WE-146] [WE-147] [WE-151] survive ${SEEDS} seeds of all faults, and an AWX with bad days`, { timeout: LIMIT_MS }, async () => {
    const report = await runSeeds(awx, { count: SEEDS });
    expect(report.failures.map(failureText)).toEqual([]);
    expect(report.faults).toBeGreaterThan(report.runs);
  });

  // Each runs some of the plans; `npm run sim` runs all of them.
  test.each([
    { what: 'a fault of each kind at every write, every call of AWX and every batch of events', faults: CRASHES, least: 11 },
    { what: 'a leader that stands still before each of them for longer than a run and its cooldown', faults: FREEZES, least: 4 },
  ])('survive $what', { timeout: LIMIT_MS }, async ({ faults, least }) => {
    const oneOf = testSweepOneOf(least);
    const report = await crashSweep(fewAwx, { faults, oneOf });
    expect(report.failures.map(sweptText)).toEqual([]);
    expect(report.plans * oneOf).toBeGreaterThan(100 * least);
  });
});

/** A handler that does this step in another way. */
const instead =
  (step: string, act: (handler: CallHandler) => CallHandler): NonNullable<Twist['wrapCalls']> =>
  (handler) =>
  (call, signal) =>
    ((call.input as { readonly do: string }).do === step ? act(handler) : handler)(call, signal);

/** An AWX that never shows a job to who looks for it. */
const blind: NonNullable<Twist['wrapDoor']> = (door) => ({
  ...door,
  send: (request, signal) =>
    request.path === '/api/v2/jobs/' ? Promise.resolve({ code: 200, text: '{"results":[],"next":null}' }) : door.send(request, signal),
});

const twice = instead('launch', (handler) => async (call, signal) => {
  await handler(call, signal);
  await handler(call, signal);
});

/** The same door, but for what becomes of some requests. */
const sending =
  (other: (request: AwxRequest) => AwxRequest | AwxAnswer): NonNullable<Twist['wrapDoor']> =>
  (door) => ({
    ...door,
    send(request, signal) {
      const changed = other(request);
      return 'code' in changed ? Promise.resolve(changed) : door.send(changed, signal);
    },
  });

type AwxRequest = Parameters<AwxConnection['send']>[0];
type AwxAnswer = Awaited<ReturnType<AwxConnection['send']>>;

/** The template's own, the first credential of the story. */
const OWN = 102;

const isRemoval = ({ method, path }: AwxRequest): boolean => method === 'DELETE' && path.startsWith('/api/v2/credentials/');

/** Makes one more credential, of the type that the template's own has, and knows nothing of it. */
const careless: NonNullable<Twist['wrapDoor']> = (door) => ({
  ...door,
  async send(request, signal) {
    const body = request.body as { readonly name: string };
    if (request.method === 'POST' && request.path === '/api/v2/credentials/')
      await door.send({ ...request, body: { ...body, name: `${body.name} too`, credential_type: OWN - 1, inputs: {} } }, signal);
    return door.send(request, signal);
  },
});

/** Tells secrets to a playbook as variables. */
const told = (request: AwxRequest): AwxRequest => {
  const body = request.body as { readonly extra_vars?: object } | undefined;
  return body?.extra_vars ? { ...request, body: { ...body, extra_vars: { ...body.extra_vars, LOGIN: SECRET_VALUE } } } : request;
};

/** Knows nothing of what happened before. */
const forgetful: NonNullable<Twist['wrapController']> = (right) => ({
  ...right,
  decide: (seen, now) => right.decide('history' in seen ? { ...seen, history: { kind: 'value', value: [] } } : seen, now),
});

describe('the story notices', () => {
  test.each<{ what: string; twist: Twist; says: RegExp }>([
    { what: 'a launch that is asked for twice', twist: { wrapCalls: twice }, says: /at most one job per execution/ },
    {
      what: 'credentials that are not deleted',
      twist: { wrapCalls: instead('delete credential', () => () => Promise.resolve()) },
      says: /not settled/,
    },
    { what: 'a job that is taken for one that never was', twist: { wrapDoor: blind }, says: /is said not to have run, but it did/ },
    { what: 'a credential that is not recorded', twist: { wrapDoor: careless }, says: /credential .* is left in AWX/ },
    {
      what: 'that a credential of the template is deleted',
      twist: { wrapDoor: sending((request) => (isRemoval(request) ? { ...request, path: `/api/v2/credentials/${OWN}/` } : request)) },
      says: /the credentials of the template are left alone/,
    },
    {
      what: 'a call that AWX does not know',
      twist: { wrapDoor: sending((request) => ({ ...request, path: request.path.replace('v2', 'v1') })) },
      says: /every request is one that AWX documents/,
    },
    { what: 'secrets among the variables', twist: { wrapDoor: sending(told) }, says: /hunter2-the-password can be read/ },
    {
      what: 'a job after one that failed',
      twist: { wrapController: forgetful, parts: ['broken', 'broken-next'] },
      says: /no job after an execution failure/,
    },
    {
      what: 'a job beside one on the same target',
      twist: { wrapController: seesNoRivals, parts: ['one', 'two'] },
      says: /at most one run per target at any time/,
    },
    { what: 'the lock of one that was deleted', twist: { wrapController: keepsTheLock, parts: ['deleted'] }, says: /not settled/ },
  ])('$what', { timeout: LIMIT_MS }, async ({ twist, says }) => {
    const broken = { ...awxScenario({ parts: ['one'], ...twist, name: 'broken' }), deadlineMs: 4 * MINUTE };
    const result = await runScenario(broken, { seed: 1, faults: noFaults });
    expect(result.violations.join('; ')).toMatch(says);
  });
});
