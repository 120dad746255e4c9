import { describe, expect, test } from 'vitest';
import { SchemaLibrary } from '../../apiserver/index.ts';
import { noFaults, type Fault } from '../../simulation/index.ts';
import { WorkflowExecution } from '../../api/workflow-execution/workflow-execution.ts';
import { MINUTE } from '../../base/index.ts';
import type { CallHandler } from '../../runtime/effects.ts';
import { plannedFaults } from '../faults/planned-faults.ts';
import { failureText, runSeeds, seedsPerTest } from '../run-seeds.ts';
import { runScenario } from '../scenario.ts';
import { awx, awxScenario, awxSteps, SECRET_VALUE, stageOf, type Twist } from './scenario.ts';
import { TOKEN_START } from './token-giver.ts';

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
    expect(result.endState).toMatchObject({ types: 1, jobs: 3 });
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

  test(`[WE-146] [WE-147] [WE-151] survive ${SEEDS} seeds of all faults, and an AWX with bad days`, { timeout: LIMIT_MS }, async () => {
    const report = await runSeeds(awx, { count: SEEDS });
    expect(report.failures.map(failureText)).toEqual([]);
    expect(report.faults).toBeGreaterThan(report.runs);
  });

  test(
    'survive a crash, a lost answer, a late request and a long freeze at every write, in the cluster and in AWX',
    { timeout: LIMIT_MS },
    async () => {
      const schemas = new SchemaLibrary();
      const reference = await runScenario(awxSteps, { seed: 1, schemas, faults: noFaults });
      expect(reference.violations).toEqual([]);
      const points = [...reference.points].flatMap(([name, count]) =>
        name.endsWith(' write') ? Array.from({ length: count }, (_, i) => `${name} ${i + 1}`) : [],
      );
      expect(points.length).toBeGreaterThan(50);
      const plans = points.flatMap((point) => STEP_FAULTS.map((fault) => ({ point, fault })));
      const failures: string[] = [];
      for (const plan of plans) {
        const { violations } = await runScenario(awxSteps, { seed: 1, schemas, faults: plannedFaults([plan]) });
        if (violations.length > 0) failures.push(`${plan.point} ${plan.fault.kind}: ${violations.join('; ')}`);
      }
      expect(failures).toEqual([]);
    },
  );
});

/** The freeze outlasts a lease, and what the next leader does in the meantime. */
const STEP_FAULTS: readonly Fault[] = [
  { kind: 'CrashAfter' },
  { kind: 'LostReply' },
  { kind: 'Delay', ms: 20_000 },
  { kind: 'Freeze', ms: 90_000 },
];

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

describe('the story notices', () => {
  test.each<{ what: string; twist: Twist; says: RegExp }>([
    { what: 'a launch that is asked for twice', twist: { wrapCalls: twice }, says: /at most one job per execution/ },
    {
      what: 'credentials that are not deleted',
      twist: { wrapCalls: instead('delete credential', () => () => Promise.resolve()) },
      says: /not settled/,
    },
    { what: 'a job that is taken for one that never was', twist: { wrapDoor: blind }, says: /is said not to have run, but it did/ },
  ])('$what', { timeout: LIMIT_MS }, async ({ twist, says }) => {
    const broken = { ...awxScenario({ ...twist, name: 'broken', parts: ['one'] }), deadlineMs: 4 * MINUTE };
    const result = await runScenario(broken, { seed: 1, faults: noFaults });
    expect(result.violations.join('; ')).toMatch(says);
  });
});
