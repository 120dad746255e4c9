import { describe, expect, test } from 'vitest';
import { Lease, Role } from '../../api/builtin/index.ts';
import type { Draft } from '../../api/meta.ts';
import { awxRights, ownRights, type Grant } from '../../api/rights/index.ts';
import { DEFAULT_SETTINGS } from '../../controllers/default-settings.ts';
import { noFaults } from '../../simulation/index.ts';
import { runSeeds } from '../run-seeds.ts';
import { runScenario } from '../scenario.ts';
import { scenarios } from '../scenarios.ts';
import { UsedRights } from './used-rights.ts';

const { namespace, executionNamespace } = DEFAULT_SETTINGS;
const GRANTS = [...ownRights({ namespace, executionNamespace }), ...awxRights({ namespace, executionNamespace })];
const SEEDS = 3;

/** Where processes of one controller alone share their work, which is nowhere but in simulations. */
const harness: Draft<Role> = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'Role',
  metadata: { name: 'harness', namespace: 'default' },
  rules: [{ apiGroups: [Lease.group], resources: [Lease.plural], verbs: ['get', 'create', 'update'] }],
};
const HARNESS: Grant = { resource: Role, draft: harness };

/** Together they go almost everywhere. */
const STORIES = [
  'rivals',
  'awx',
  'assessment',
  'loop',
  'loop-production',
  'loop-workflow-fails',
  'pipeline',
  'pipeline-recovers',
  'orchestrator-paths',
];
const stories = scenarios.filter(({ name }) => STORIES.includes(name));

/** What no story here needs, and what it is for all the same. */
const BEYOND: readonly (readonly [what: RegExp, reason: string])[] = [
  [/^sickbay-system: list (actiontypes|machine|powercycle|pipelineremediation)/, 'every kind is asked for at the start'],
  [/ validatingadmissionpolic/, 'looked for at the start, and every minute'],
  [/^sickbay-system: \w+ events$/, 'simulations record no Events'],
  [/ drive remediationrequests/, 'policies tell us from others by it'],
  [/ update remediationrequests\/finalizers/, 'asked for by servers that check who blocks deletions'],
  [/^sickbay-system: delete remediationrequests/, 'after a day'],
  [/^sickbay-system: delete workflowexecutions/, 'one of a plan that does not count any more'],
  [/^sickbay-system: get \w+\.kubernaut\.ai/, 'where an answer was lost, or at the end of the time'],
  [/^kubernaut-workflows: patch leases/, 'a block that outlives its execution, when it is cleared'],
  [/^\w+ (machine|powercycle|pipelineremediation|clusters|events$)/, 'Machines are checked in no story here'],
  [/^(list|watch) nodes$|^get (customresourcedefinitions|leases)/, 'as Machines are'],
  [/^\w+ (machines|machinehealthchecks|clusters|nodes|events|powercycle|pipelineremediation)/, 'no story here is about Machines'],
  [/^create (tokenreviews|subjectaccessreviews)/, 'people use the HTTP API in no story here'],
  [/^get (statefulsets|daemonsets|cronjobs|jobs|services|nodes)|^list jobs/, 'targets of other kinds'],
  [/^get (persistentvolumeclaims|poddisruptionbudgets|horizontalpodautoscalers|ingresses|certificates)\b/, 'targets of other kinds'],
];

describe('the rights of Sickbay', () => {
  test('are enough, and none is for nothing', { timeout: 5 * 60_000 }, async () => {
    const rights = new UsedRights([...GRANTS, HARNESS]);
    for (const story of stories) await runSeeds(rights.hold(story), { count: SEEDS });
    expect(stories.map(({ name }) => name).toSorted()).toEqual(STORIES.toSorted());
    expect([...rights.refused]).toEqual([]);
    expect(rights.unused().filter((right) => !BEYOND.some(([what]) => what.test(right)))).toEqual([]);
  });

  test('are missed where one of them is', async () => {
    const rights = new UsedRights(GRANTS.filter(({ draft }) => draft.metadata.namespace !== executionNamespace));
    const [loop] = stories.filter(({ name }) => name === 'loop');
    if (loop) await runScenario({ ...rights.hold(loop), deadlineMs: 60_000 }, { seed: 1, faults: noFaults });
    expect([...rights.refused]).toContain(`${executionNamespace}: list leases.coordination.k8s.io`);
  });
});
