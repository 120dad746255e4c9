import { describe, expect, test } from 'vitest';
import { selectWorkflow, type WorkflowRequirements } from './select-workflow.ts';
import type { EarlierRemediation } from './remediation-history.ts';
import { anEffective, anIneffective } from './testing/a-history.ts';
import { aWorkflow, type WorkflowOptions } from './testing/a-workflow.ts';

const wanted: WorkflowRequirements = {
  actionType: 'RollbackDeployment',
  severity: 'critical',
  component: 'Deployment',
  environment: 'Staging',
  priority: 'P1',
  parameters: {
    REVISION: '2',
    TARGET_RESOURCE_KIND: 'Deployment',
    TARGET_RESOURCE_NAME: 'checkout',
    TARGET_RESOURCE_NAMESPACE: 'shop',
    OTHER: 'x',
  },
};

const reasonOf = (options: WorkflowOptions, more: Partial<WorkflowRequirements> = {}): string | undefined => {
  const selection = selectWorkflow([aWorkflow('w', options)], { ...wanted, ...more });
  return selection.kind === 'None' ? selection.reason : undefined;
};

describe('selectWorkflow', () => {
  test('gives the workflow what it declares, and nothing else', () =>
    expect(selectWorkflow([aWorkflow('w')], wanted)).toMatchObject({
      kind: 'Selected',
      workflow: { metadata: { name: 'w' } },
      parameters: {
        REVISION: '2',
        TARGET_RESOURCE_KIND: 'Deployment',
        TARGET_RESOURCE_NAME: 'checkout',
        TARGET_RESOURCE_NAMESPACE: 'shop',
      },
    }));

  test('a tie goes to the first by name, in whatever order they come', () => {
    const named = (names: readonly string[]) => {
      const selection = selectWorkflow(
        names.map((name) => aWorkflow(name)),
        wanted,
      );
      return selection.kind === 'Selected' ? selection.workflow.metadata.name : undefined;
    };
    expect([named(['b', 'a', 'c']), named(['c', 'b', 'a'])]).toEqual(['a', 'a']);
  });

  test('tries the next workflow if the first does not fit', () => {
    const first = aWorkflow('a', { labels: { environment: ['Production'] } });
    const second = aWorkflow('b', { spec: { parameters: [{ name: 'TICKET', type: 'string', required: true, description: 'a ticket' }] } });
    expect(selectWorkflow([first, second, aWorkflow('c')], wanted)).toMatchObject({ workflow: { metadata: { name: 'c' } } });
  });

  const fitting: readonly { name: string; options: WorkflowOptions; more?: Partial<WorkflowRequirements> }[] = [
    { name: 'registered', options: { status: { catalogStatus: 'Active' } } },
    { name: 'not registered yet', options: {} },
    { name: 'the severity itself', options: { labels: { severity: ['high', 'critical'] } } },
    { name: 'medium for warning', options: { labels: { severity: ['medium'] } }, more: { severity: 'warning' } },
    { name: 'info for low', options: { labels: { severity: ['info'] } }, more: { severity: 'low' } },
    { name: 'the kind in other letters', options: { labels: { component: ['deployment'] } } },
    { name: 'any kind', options: { labels: { component: ['*'] } } },
    { name: 'the environment in other letters', options: { labels: { environment: ['staging'] } } },
    { name: 'the priority itself', options: { labels: { priority: 'P1' } } },
    { name: 'the cluster itself', options: { labels: { cluster: ['west'] } }, more: { cluster: 'west' } },
    {
      name: 'a label of the target',
      options: { spec: { customLabels: { team: 'shop' } } },
      more: { customLabels: { team: ['pay', 'shop'] } },
    },
    { name: 'any value of a label', options: { spec: { customLabels: { team: '*' } } }, more: { customLabels: { team: ['pay'] } } },
  ];
  test.each(fitting)('takes $name', ({ options, more }) => expect(reasonOf(options, more)).toBeUndefined());

  const refused: readonly { name: string; options: WorkflowOptions; more?: Partial<WorkflowRequirements>; want: string }[] = [
    ...['Disabled', 'Deprecated', 'Invalid', 'disabled'].map((catalogStatus) => ({
      name: catalogStatus,
      options: { status: { catalogStatus } },
      want: `w is ${catalogStatus}`,
    })),
    { name: 'what is being deleted', options: { deletionTimestamp: '2026-11-15T03:00:00Z' }, want: 'w is being deleted' },
    { name: 'what has nothing to run', options: { spec: { execution: { engine: 'job' } } }, want: 'w names no bundle to run' },
    {
      name: '[WE-187] what declares a parameter that no run could be told',
      options: { spec: { parameters: [{ name: 'drain-timeout', type: 'string', required: false, description: 'how long' }] } },
      want: 'w declares the parameter "drain-timeout", which is not in UPPER_SNAKE_CASE',
    },
    { name: 'another severity', options: { labels: { severity: ['low'] } }, want: 'w is for severity info, not critical' },
    { name: 'another kind', options: { labels: { component: ['StatefulSet'] } }, want: 'w is for component StatefulSet, not Deployment' },
    {
      name: 'another environment',
      options: { labels: { environment: ['Test', 'Development'] } },
      want: 'w is for environment Test, Development, not Staging',
    },
    { name: 'another priority', options: { labels: { priority: 'P0' } }, want: 'w is for priority P0, not P1' },
    { name: 'another cluster', options: { labels: { cluster: ['west'] } }, want: 'w is for cluster west, not the local one' },
    { name: 'a label that the target lacks', options: { spec: { customLabels: { team: 'shop' } } }, want: 'w is for team=shop' },
    { name: 'any value of a label that the target lacks', options: { spec: { customLabels: { team: '*' } } }, want: 'w is for team=*' },
    {
      name: 'another value of a label',
      options: { spec: { customLabels: { team: 'shop' } } },
      more: { customLabels: { team: ['pay'] } },
      want: 'w is for team=shop',
    },
    {
      name: 'a label that every object inherits',
      options: { spec: { customLabels: { constructor: '*' } } },
      want: 'w is for constructor=*',
    },
    {
      name: 'a workflow that requires a detected label that was not detected',
      options: { spec: { detectedLabels: { gitOpsManaged: 'false' } } },
      want: 'w asks for detected labels, which are not known',
    },
  ];
  test.each(refused)('refuses $name, and says so', ({ options, more, want }) =>
    expect(reasonOf(options, more)).toBe(`no workflow for RollbackDeployment fits: ${want}`),
  );

  test('a workflow that does not match differs from one with invalid parameters', () => {
    const unfit = aWorkflow('w', { spec: { parameters: [{ name: 'TICKET', type: 'string', required: true, description: 'a ticket' }] } });
    expect(selectWorkflow([unfit], wanted)).toEqual({
      kind: 'None',
      cause: 'unfit',
      reason: 'no workflow for RollbackDeployment fits: w: TICKET is required and has no value',
    });
    expect(selectWorkflow([aWorkflow('w', { labels: { priority: 'P0' } })], wanted)).toMatchObject({ cause: 'no-match' });
  });

  test.each([[[]], [[aWorkflow('w', { spec: { actionType: 'RestartPod' } })]]])('an action without a workflow is asked for', (catalogue) =>
    expect(selectWorkflow(catalogue, wanted)).toEqual({
      kind: 'None',
      cause: 'no-match',
      reason: 'the catalogue has no workflow for RollbackDeployment: add a RemediationWorkflow with this actionType',
    }),
  );
});

describe('the past has a say', () => {
  const ran = (name: string, past: EarlierRemediation): EarlierRemediation => ({ ...past, workflow: { id: name, name, version: '1.0.0' } });
  const choose = (names: readonly string[], past: readonly EarlierRemediation[]) => {
    const selection = selectWorkflow(
      names.map((name) => aWorkflow(name)),
      wanted,
      past,
    );
    return selection.kind === 'Selected' ? { chosen: selection.workflow.metadata.name, notes: selection.notes } : selection;
  };

  test.each<{ name: string; past: readonly EarlierRemediation[]; chosen: string; notes: readonly string[] }>([
    { name: 'nothing is known', past: [], chosen: 'a', notes: [] },
    {
      name: '[EM-261] what did not help is not chosen again where another fits',
      past: [ran('a', anIneffective())],
      chosen: 'b',
      notes: ['a would fit too, but did not help this target when it last ran'],
    },
    {
      name: '[EM-261] also where two did not help',
      past: [ran('a', anIneffective()), ran('b', anIneffective())],
      chosen: 'c',
      notes: [
        'a would fit too, but did not help this target when it last ran',
        'b would fit too, but did not help this target when it last ran',
      ],
    },
    {
      name: '[EM-262] what helped before is preferred',
      past: [ran('b', anEffective())],
      chosen: 'b',
      notes: ['b is preferred: it helped this target before'],
    },
    {
      name: '[EM-262] of two that helped the first by name',
      past: [ran('c', anEffective()), ran('b', anEffective())],
      chosen: 'b',
      notes: ['b is preferred: it helped this target before'],
    },
    {
      name: '[EM-262] of two that helped the one whose good score was measured more fully (ruling 132)',
      past: [ran('b', anEffective({ measuredShare: 0.4 })), ran('c', anEffective({ effectivenessScore: 0.9 }))],
      chosen: 'c',
      notes: ['c is preferred: it helped this target before'],
    },
    {
      name: '[EM-262] what helped before, over what did not',
      past: [ran('a', anIneffective()), ran('c', anEffective())],
      chosen: 'c',
      notes: ['c is preferred: it helped this target before', 'a would fit too, but did not help this target when it last ran'],
    },
    {
      name: 'where none helped the first by name, and it is said',
      past: ['a', 'b', 'c'].map((name) => ran(name, anIneffective())),
      chosen: 'a',
      notes: ['a did not help this target when it last ran, but no other workflow fits'],
    },
    { name: 'what was done elsewhere has none', past: [ran('a', anIneffective({ isSameTarget: false }))], chosen: 'a', notes: [] },
  ])('$name', ({ past, chosen, notes }) => {
    for (const names of [
      ['a', 'b', 'c'],
      ['c', 'b', 'a'],
    ])
      expect(choose(names, past)).toEqual({ chosen, notes });
  });

  test('[EM-261] what does not fit is no alternative', () =>
    expect(
      selectWorkflow([aWorkflow('a'), aWorkflow('b', { labels: { environment: ['Production'] } })], wanted, [ran('a', anIneffective())]),
    ).toMatchObject({ workflow: { metadata: { name: 'a' } } }));

  test('nothing to prefer where only one fits', () => expect(choose(['a'], [ran('a', anEffective())])).toEqual({ chosen: 'a', notes: [] }));
});
