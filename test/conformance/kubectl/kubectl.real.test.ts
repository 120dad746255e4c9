import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { controlPlaneLane } from '../../../src/testkit/lane.ts';
import { FLOWS } from './flows.ts';
import { fieldsOf, normalised } from './normalise.ts';
import type { Outcome } from './run-kubectl.ts';
import { startOurs, startReal, type KubectlServer } from './servers.ts';
import { DELETING, STEPS, type Step } from './steps.ts';

const binaries = process.env[controlPlaneLane.setting] ?? '';
/** Another kubectl can be tried with SICKBAY_TEST_KUBECTL. */
const program = process.env['SICKBAY_TEST_KUBECTL'] ?? join(binaries, 'kubectl');

describe.skipIf(binaries === '')('kubectl says the same of ours as of a real server', () => {
  let ours: KubectlServer;
  let real: KubectlServer;

  beforeAll(async () => {
    [ours, real] = await Promise.all([startOurs(program), startReal(program, binaries)]);
  });

  afterAll(async () => {
    await Promise.all([ours, real].map((server) => server?.close()));
  });

  const check = async (step: Step): Promise<void> => {
    const outcomes = await Promise.all([ours, real].map(({ kubectl }) => kubectl.run(step)));
    const [got, wanted] = outcomes.map((outcome) => normalised(outcome, step.omit)) as [Outcome, Outcome];
    compare(step, got, wanted);
  };

  test.each(STEPS)('kubectl $run', check);

  test.each(FLOWS)('$title', async ({ run }) => {
    const [got, wanted] = await Promise.all([ours, real].map(({ kubectl }) => run(kubectl)));
    expect(got?.map((outcome) => normalised(outcome))).toEqual(wanted?.map((outcome) => normalised(outcome)));
  });

  test.each(DELETING)('kubectl $run', check);
});

function compare({ compare: how = 'all' }: Step, got: Outcome, wanted: Outcome): void {
  switch (how) {
    case 'all':
      return expect(got).toEqual(wanted);
    case 'code':
      return expect(got.code).toBe(wanted.code);
    case 'fields':
      return expect([got.code, fieldsOf(got.stdout)]).toEqual([wanted.code, fieldsOf(wanted.stdout)]);
    case 'subset':
      expect(got.code).toBe(wanted.code);
      return expect(wanted.stdout.split('\n')).toEqual(expect.arrayContaining(got.stdout.split('\n')));
  }
}
