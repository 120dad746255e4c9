import { describe, expect, test } from 'vitest';
import { planSpecOf } from '../plan/remediation-plan.ts';
import { planDigest } from '../target/index.ts';
import { applyOverride, changesPlan, overridingWorkflow, type Override } from './override-plan.ts';
import { aPlan, aWorkflow, TARGET, TARGET_VALUES } from './testing/builders.ts';

const plan = aPlan();

describe('an override', () => {
  test('of the workflow takes everything about it from the catalogue', () => {
    const other = aWorkflow('restart', {
      version: '2.1.0',
      actionType: 'RestartDeployment',
      execution: {
        engine: 'job',
        bundle: 'other:1',
        bundleDigest: `sha256:${'b'.repeat(64)}`,
        serviceAccountName: 'restarter',
        engineConfig: { args: ['restart'] },
      },
      dependencies: { configMaps: [{ name: 'settings' }] },
      parameters: [{ name: 'TARGET_RESOURCE_NAME', type: 'string', required: true, description: 'name' }],
    });
    const result = applyOverride(plan, { workflowName: 'restart', rationale: 'quicker' }, other);
    if (result.kind === 'refused') throw new Error(result.why);
    expect(planSpecOf(result.plan.workflow, result.plan.target)).toEqual({
      workflowRef: {
        workflowId: 'restart',
        workflowName: 'restart',
        version: '2.1.0',
        actionType: 'RestartDeployment',
        executionBundle: 'other:1',
        executionBundleDigest: `sha256:${'b'.repeat(64)}`,
        executionEngine: 'job',
        engineConfig: { args: ['restart'] },
        serviceAccountName: 'restarter',
        dependencies: { configMaps: [{ name: 'settings' }] },
        declaredParameterNames: { TARGET_RESOURCE_NAME: true },
      },
      parameters: { TARGET_RESOURCE_NAME: 'checkout' },
      targetResource: 'shop/Deployment/checkout',
      targetUID: 'checkout-uid',
    });
    expect(result.plan.target).toBe(plan.target);
    expect(result.plan.workflow.rationale).toBe('quicker');
    expect(result.plan.workflow.selectedAt).toBe(plan.workflow.selectedAt);
    expect(result.changes).toBe('restart:2.1.0 instead of rollback-deployment:1.0.0 (REVISION=1)');
    expect(result.plan.digest).toBe(planDigest(planSpecOf(result.plan.workflow, result.plan.target)));
    expect(result.plan.digest).not.toBe(plan.digest);
  });

  test.each<{ title: string; override: Override; parameters: object; changes: string }>([
    {
      title: 'of a parameter',
      override: { parameters: { REVISION: '3' } },
      parameters: { ...TARGET_VALUES, REVISION: '3' },
      changes: 'rollback-deployment:1.0.0, REVISION=3 instead of 1',
    },
    {
      title: 'that repeats the target',
      override: { parameters: { REVISION: '3', TARGET_RESOURCE_NAME: 'checkout' } },
      parameters: { ...TARGET_VALUES, REVISION: '3' },
      changes: 'rollback-deployment:1.0.0, REVISION=3 instead of 1',
    },
    {
      title: 'that names the proposal',
      override: { workflowName: 'rollback-deployment' },
      parameters: { ...TARGET_VALUES, REVISION: '1' },
      changes: 'rollback-deployment:1.0.0',
    },
  ])('$title', ({ override, parameters, changes }) => {
    const result = applyOverride(plan, override, aWorkflow());
    expect(result).toMatchObject({ kind: 'plan', changes, plan: { workflow: { parameters }, target: TARGET } });
  });

  test.each([[['*']], [['Node', 'deployment']], [['Deployment', 'Node']]])('of a workflow for %j fits a Deployment', (component) =>
    expect(applyOverride(plan, { workflowName: 'restart' }, aWorkflow('restart', { labels: { component } })).kind).toBe('plan'),
  );

  test('is made when the proposal was, if that is known', () => {
    const { selectedAt: _, ...workflow } = plan.workflow;
    const result = applyOverride({ ...plan, workflow }, { parameters: { REVISION: '3' } }, aWorkflow());
    if (result.kind === 'refused') throw new Error(result.why);
    expect(result.plan.workflow).not.toHaveProperty('selectedAt');
  });

  test('of a proposal that has no name goes by its id', () => {
    const { workflowName: _, ...workflow } = plan.workflow;
    const nameless = { ...plan, workflow: { ...workflow, workflowId: 'rollback-deployment' } };
    expect(overridingWorkflow(nameless, {})).toBe('rollback-deployment');
    expect(
      applyOverride(nameless, { parameters: { REVISION: '3' } }, aWorkflow('rollback-deployment', { version: '9.0.0' })),
    ).toMatchObject({
      why: 'rollback-deployment changed in the catalogue since it was proposed',
    });
  });

  test('that changes nothing has the digest of the proposal', () =>
    expect(applyOverride(plan, { parameters: { REVISION: '1' } }, aWorkflow())).toMatchObject({ plan: { digest: plan.digest } }));

  const restart = { workflowName: 'restart' };
  test.each<{ title: string; override: Override; workflow: ReturnType<typeof aWorkflow>; why: string }>([
    {
      title: 'an undeclared parameter',
      override: { parameters: { REVISION: '1', FORCE: 'x', DELAY: '1' } },
      workflow: aWorkflow(),
      why: 'does not declare DELAY, FORCE',
    },
    {
      title: 'a parameter of the wrong type',
      override: { parameters: { REVISION: 'two' } },
      workflow: aWorkflow(),
      why: 'REVISION=two is no integer',
    },
    {
      title: 'a parameter out of range',
      override: { parameters: { REVISION: '0' } },
      workflow: aWorkflow(),
      why: 'REVISION=0 is less than 1',
    },
    { title: 'a parameter that is missing', override: { parameters: {} }, workflow: aWorkflow(), why: 'REVISION is required' },
    {
      title: 'another target',
      override: { parameters: { REVISION: '1', TARGET_RESOURCE_NAME: 'cart' } },
      workflow: aWorkflow(),
      why: 'TARGET_RESOURCE_NAME is checkout, not cart',
    },
    {
      title: 'a value outside an enum',
      override: { parameters: { MODE: 'x' } },
      workflow: aWorkflow('restart', { parameters: [{ name: 'MODE', type: 'string', required: true, description: 'm', enum: ['a'] }] }),
      why: 'MODE=x is none of a',
    },
    {
      title: 'a value that does not match',
      override: { parameters: { MODE: 'x' } },
      workflow: aWorkflow('restart', { parameters: [{ name: 'MODE', type: 'string', required: true, description: 'm', pattern: '^a$' }] }),
      why: 'MODE=x does not match',
    },
    {
      title: 'a disabled workflow',
      override: restart,
      workflow: aWorkflow('restart', {}, { status: { catalogStatus: 'Disabled' } }),
      why: 'is Disabled',
    },
    {
      title: 'a workflow without a bundle',
      override: restart,
      workflow: aWorkflow('restart', { execution: { engine: 'job' } }),
      why: 'names no bundle',
    },
    {
      title: 'a workflow for another kind',
      override: restart,
      workflow: aWorkflow('restart', { labels: { component: ['Node', 'Pod'] } }),
      why: 'is for Node, Pod, not for a Deployment',
    },
    {
      title: 'a workflow that is only tried out',
      override: restart,
      workflow: aWorkflow('restart', { dryRun: true }),
      why: 'is marked dryRun',
    },
    {
      title: 'a workflow that cannot be run',
      override: restart,
      workflow: aWorkflow('restart', { execution: { engine: 'job', bundle: 'b', engineConfig: { args: 'x' } } }),
      why: 'engineConfig.args must be a list of words',
    },
    {
      title: 'the proposal, which is another one by now',
      override: { parameters: { REVISION: '2' } },
      workflow: aWorkflow('rollback-deployment', { version: '1.0.1' }),
      why: 'changed in the catalogue since it was proposed',
    },
  ])('is refused: $title', ({ override, workflow, why }) => {
    const result = applyOverride(plan, override, workflow);
    expect(result.kind === 'refused' ? result.why : 'not refused').toContain(why);
  });

  test.each<[Override | undefined, boolean]>([
    [undefined, false],
    [{}, false],
    [{ rationale: 'because' }, false],
    [{ workflowName: '' }, false],
    [{ workflowName: 'x' }, true],
    [{ parameters: {} }, true],
  ])('%j changes the plan: %s', (override, changes) => expect(changesPlan(override)).toBe(changes));

  test('is about the proposed workflow unless it names another', () => {
    expect(overridingWorkflow(plan, {})).toBe('rollback-deployment');
    expect(overridingWorkflow(plan, { workflowName: 'x' })).toBe('x');
  });
});
