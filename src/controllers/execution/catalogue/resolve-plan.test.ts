import { describe, expect, test } from 'vitest';
import type { RemediationWorkflow } from '../../../api/remediation-workflow/remediation-workflow.ts';
import type { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import { toTime } from '../../../base/index.ts';
import { snapshotWorkflow } from '../../plan/snapshot-workflow.ts';
import { planSpecOf } from '../../plan/remediation-plan.ts';
import { planDigest } from '../../target/index.ts';
import { aParameter, aWorkflow, type WorkflowOptions } from '../testing/a-workflow.ts';
import { anExecution, listed, NOW, UNREADABLE } from '../testing/builders.ts';
import { resolve } from './resolve-plan.ts';

type Spec = WorkflowExecution['spec'];
type Ref = Spec['workflowRef'];

/** What the execution says of its workflow, without what is left to the catalogue. */
function leaving(...open: readonly (keyof Ref)[]): Spec {
  const { spec } = anExecution();
  const members = Object.entries(spec.workflowRef).filter(([member]) => !open.includes(member as keyof Ref));
  return { ...spec, workflowRef: Object.fromEntries(members) as Ref };
}

const saying = (change: Partial<Ref>, parameters?: Spec['parameters']): Spec => {
  const { spec } = anExecution();
  return { ...spec, workflowRef: { ...spec.workflowRef, ...change }, ...(parameters && { parameters }) };
};

const resolved = (spec: Spec, ...catalogue: readonly RemediationWorkflow[]): Spec => {
  const resolution = resolve({ spec }, listed(...catalogue));
  if (resolution.kind !== 'Resolved') throw new Error(JSON.stringify(resolution));
  return resolution.spec;
};

describe('what a plan leaves open', () => {
  test.each(['job', 'tekton', 'ansible'] as const)('[WE-043] [WE-044] [CO-156] engine %s comes from the entry of the catalogue', (engine) =>
    expect(resolved(leaving('executionEngine'), aWorkflow({ execution: { engine } })).workflowRef.executionEngine).toBe(engine),
  );

  test('[CO-161] [WE-170] so do the settings of the engine', () => {
    const engineConfig = { jobTemplateName: 'restart' };
    expect(resolved(leaving('engineConfig'), aWorkflow({ execution: { engineConfig } })).workflowRef.engineConfig).toEqual(engineConfig);
  });

  test('[WE-066] [CO-158] [CO-159] so do the dependencies', () => {
    const dependencies = { secrets: [{ name: 'token' }], configMaps: [{ name: 'hosts' }] };
    expect(resolved(leaving('dependencies'), aWorkflow({ spec: { dependencies } })).workflowRef.dependencies).toEqual(dependencies);
  });

  test('so does the account', () =>
    expect(
      resolved(leaving('serviceAccountName'), aWorkflow({ execution: { serviceAccountName: 'own' } })).workflowRef.serviceAccountName,
    ).toBe('own'));

  test('[WE-172] what neither has stays away', () => {
    const { engineConfig: _, serviceAccountName: __, ...execution } = aWorkflow().spec.execution;
    const entry = { ...aWorkflow(), spec: { ...aWorkflow().spec, execution } };
    const spec = leaving('engineConfig', 'serviceAccountName', 'dependencies');
    expect(resolved(spec, entry)).toEqual(spec);
  });
});

describe('what a plan says', () => {
  const edited: WorkflowOptions = {
    execution: { engineConfig: { args: ['delete-everything'] }, serviceAccountName: 'cluster-admin' },
    spec: { dependencies: { secrets: [{ name: 'root-password' }] } },
  };

  test('[WE-171] stays, whatever was edited in the catalogue since', () => {
    const spec = saying({ engineConfig: { args: ['rollback-deployment'] }, dependencies: {} });
    expect(resolved(spec, aWorkflow(edited))).toEqual(spec);
    expect(planDigest(resolved(spec, aWorkflow(edited)))).toBe(planDigest(spec));
  });

  test('is run by the entry of its id, which need not be its name', () => {
    const entry = aWorkflow({ name: 'other', status: { workflowId: 'rollback' } });
    const decoy = aWorkflow({ name: 'rollback', status: { workflowId: 'another' } });
    expect(resolved(saying({}), decoy, entry)).toEqual(saying({}));
  });

  test('the name is the id of an entry that was not given one', () => {
    const { status: _, ...entry } = aWorkflow({ name: 'rollback' });
    expect(resolved(saying({}), entry)).toEqual(saying({}));
  });

  test('of two versions it is its own', () => {
    const newer = aWorkflow({ name: 'newer', spec: { version: '0.2.0', parameters: [aParameter('ELSE', { required: true })] } });
    expect(resolved(saying({}), newer, aWorkflow())).toEqual(saying({}));
  });

  test('of two entries it is the one that it names', () => {
    const twin = aWorkflow({ name: 'twin', execution: { bundle: 'another:1' } });
    expect(resolved(saying({}), twin, aWorkflow())).toEqual(saying({}));
  });
});

test('a catalogue that cannot be read is waited for', () =>
  expect(resolve({ spec: saying({}) }, UNREADABLE)).toEqual({
    kind: 'Wait',
    reason: 'the catalogue of workflows cannot be read: forbidden',
  }));

test('a plan that the analysis makes leaves nothing open: no later edit of the catalogue changes what runs', () => {
  const bare = aWorkflow({ execution: { engine: 'job', bundle: 'image:1' } });
  const { engineConfig: _, serviceAccountName: __, ...execution } = bare.spec.execution;
  const entry = { ...bare, spec: { ...bare.spec, execution } };
  const plan = planSpecOf(snapshotWorkflow(entry, { confidence: 1, rationale: 'it helps', parameters: {} }), {
    kind: 'Deployment',
    name: 'a',
    namespace: 'b',
  });
  const spec = { ...anExecution().spec, ...plan };
  const edited = aWorkflow({
    execution: { bundle: 'image:1', engineConfig: { args: ['rm'] }, serviceAccountName: 'cluster-admin' },
    spec: { dependencies: { secrets: [{ name: 'root-password' }] } },
  });
  expect(planDigest(resolved(spec, edited))).toBe(planDigest(spec));
});

test('an engine that was once chosen stays the one', () => {
  const status = { executionEngine: 'job' } as const;
  expect(resolve({ spec: leaving('executionEngine'), status }, listed(aWorkflow())).kind).toBe('Resolved');
  const changed = listed(aWorkflow({ execution: { engine: 'tekton' } }));
  expect(resolve({ spec: leaving('executionEngine'), status }, changed)).toMatchObject({ kind: 'Fault' });
});

describe('no plan is run', () => {
  const digest = `sha256:${'1'.repeat(64)}`;
  test.each<{ name: string; spec?: Spec; catalogue: readonly RemediationWorkflow[]; says: RegExp; uncounted?: true }>([
    { name: '[WE-046] of an empty catalogue', catalogue: [], says: /rollback is not in the catalogue/ },
    {
      name: '[WE-046] of an id that the catalogue does not know',
      catalogue: [aWorkflow({ status: { workflowId: 'other' } })],
      says: /rollback is not in the catalogue/,
    },
    {
      name: 'of a version that was replaced',
      catalogue: [aWorkflow({ spec: { version: '0.2.0' } })],
      says: /version 0.2.0, not in 0.1.0/,
      uncounted: true,
    },
    { name: 'of two entries that cannot be told apart', catalogue: [aWorkflow({ name: 'a' }), aWorkflow({ name: 'b' })], says: /a, b/ },
    ...['Disabled', 'Deprecated', 'Invalid'].map((catalogStatus) => ({
      name: `of a workflow that is ${catalogStatus} by now`,
      catalogue: [aWorkflow({ status: { catalogStatus } })],
      says: new RegExp(`is ${catalogStatus}`),
      uncounted: true as const,
    })),
    {
      name: 'of a workflow that is being deleted',
      catalogue: [aWorkflow({ metadata: { deletionTimestamp: toTime(NOW) } })],
      says: /is being deleted/,
      uncounted: true,
    },
    {
      name: 'of a workflow that was marked dryRun',
      catalogue: [aWorkflow({ spec: { dryRun: true } })],
      says: /dryRun/,
      uncounted: true,
    },
    {
      name: 'of a workflow with another engine by now',
      catalogue: [aWorkflow({ execution: { engine: 'ansible' } })],
      says: /runs on ansible, and the plan says job/,
      uncounted: true,
    },
    {
      name: 'of a workflow with another bundle by now',
      catalogue: [aWorkflow({ execution: { bundle: 'evil:1' } })],
      says: /runs evil:1, and the plan says sickbay\/workflows:0.1.0/,
      uncounted: true,
    },
    {
      name: 'of a workflow with a digest that the plan does not have',
      catalogue: [aWorkflow({ execution: { bundleDigest: digest } })],
      says: /pins its bundle to sha256:1/,
      uncounted: true,
    },
    {
      name: 'with a digest that the workflow no longer has',
      spec: saying({ executionBundleDigest: digest }),
      catalogue: [aWorkflow()],
      says: /pins its bundle to no digest/,
      uncounted: true,
    },
    {
      name: 'with a dependency that cannot be',
      spec: saying({ dependencies: { secrets: [{ name: '../admin' }] } }),
      catalogue: [aWorkflow()],
      says: /Secret "..\/admin"/,
    },
    {
      name: 'with a parameter outside its schema',
      catalogue: [aWorkflow({ spec: { parameters: [aParameter('REVISION', { type: 'integer', minimum: 2 })] } })],
      says: /parameter REVISION=1 is less than 2/,
    },
  ])('$name', ({ spec = saying({}), catalogue, says, uncounted }) => {
    const resolution = resolve({ spec }, listed(...catalogue));
    expect(resolution).toMatchObject({ kind: 'Fault', fault: { message: expect.stringMatching(says) as string } });
    expect(resolution.kind === 'Fault' && resolution.fault).toMatchObject({ advice: expect.stringMatching(/\.$/) as string });
    expect(resolution.kind === 'Fault' && resolution.fault.isUncounted).toBe(uncounted);
  });
});
