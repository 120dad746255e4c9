import { describe, expect, test } from 'vitest';
import { noFaults } from '../../simulation/index.ts';
import { runScenario } from '../scenario.ts';
import { awxScenario } from './scenario.ts';

/** The steps of the way through AWX, in the words of its diagram, and the lines of the journal that are such a step. */
const STEPS: readonly (readonly [string, RegExp])[] = [
  ['dependencies asked of the catalogue', / GET \S+\/remediationworkflows → 200/],
  ['Secret read', / GET \S+\/secrets\/db-login → 200/],
  ['ConfigMap read', / GET \S+\/configmaps\/playbook-settings → 200/],
  ['credential created', / POST \/awx\/api\/v2\/credentials\/ → 201/],
  ['job template launched', / POST \/awx\/api\/v2\/job_templates\/\d+\/launch\/ → 201/],
  ['job asked for', / GET \/awx\/api\/v2\/jobs\/\d+\/ → 200/],
  ['end on record', / PATCH \S+\/workflowexecutions\/we-one\/status .*"phase":"Completed".*"ephemeralCredentialIDs".* → 200/],
  ['credential deleted', / DELETE \/awx\/api\/v2\/credentials\/\d+\/ → 204/],
  ['status updated', / PATCH \S+\/workflowexecutions\/we-one\/status (?!.*"ephemeralCredentialIDs").*"phase":"Completed".* → 200/],
];

const stepOf = (line: string): string | undefined => STEPS.find(([, isIt]) => isIt.test(line))?.[0];

/** What was done, in order. */
async function story(): Promise<readonly string[]> {
  const { violations, journal } = await runScenario(awxScenario({ parts: ['one'] }), { seed: 1, faults: noFaults });
  expect(violations).toEqual([]);
  return journal()
    .map(stepOf)
    .filter((step) => step !== undefined);
}

const without = (steps: readonly string[], ...left: readonly string[]): readonly string[] => steps.filter((step) => !left.includes(step));

/** Each step once for as often as it comes in a row. */
const inShort = (steps: readonly string[]): readonly string[] => steps.filter((step, i) => step !== steps[i - 1]);

describe('from the plan to its end in AWX', () => {
  test('[WE-116] what is made, launched and deleted there comes in the order of the diagram, each step when the one before is through', async () => {
    const steps = await story();
    const reads = ['dependencies asked of the catalogue', 'Secret read', 'ConfigMap read'];
    expect(inShort(without(steps, ...reads, 'job asked for'))).toEqual([
      'credential created',
      'job template launched',
      'end on record',
      'credential deleted',
      'status updated',
    ]);
    expect(steps.filter((step) => step === 'job template launched')).toHaveLength(1);
    expect(steps.filter((step) => step === 'credential deleted')).toHaveLength(
      steps.filter((step) => step === 'credential created').length,
    );
  });

  test('[WE-116] the catalogue, the Secrets and the ConfigMaps are read in this order before anything is made in AWX', async () => {
    const steps = await story();
    const before = steps.slice(0, steps.indexOf('credential created'));
    const last = (step: string): number => before.lastIndexOf(step);
    const catalogue = before.indexOf('dependencies asked of the catalogue');
    expect(catalogue).toBe(0);
    expect(Math.min(before.indexOf('Secret read'), before.indexOf('ConfigMap read'))).toBeGreaterThan(catalogue);
    // And again from a live read, right before.
    expect(Math.min(last('Secret read'), last('ConfigMap read'))).toBeGreaterThan(last('dependencies asked of the catalogue'));
  });

  test('[WE-116] the job is asked for from its launch to its end, and its end is known before anything is deleted', async () => {
    const steps = await story();
    const during = steps.slice(steps.indexOf('job template launched') + 1, steps.indexOf('end on record'));
    expect(during.filter((step) => step === 'job asked for').length).toBeGreaterThan(1);
    expect(steps.slice(0, steps.indexOf('job template launched'))).not.toContain('job asked for');
    expect(steps.indexOf('credential deleted')).toBeGreaterThan(steps.indexOf('end on record'));
  });
});
