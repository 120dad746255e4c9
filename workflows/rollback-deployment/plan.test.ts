import { describe, expect, test } from 'vitest';
import type { Deployment, PodTemplate, ReplicaSet } from '../../src/api/builtin/index.ts';
import { planRollback, type RollbackOrder, type RollbackPlan } from './plan.ts';

const template = (image: string, hash?: string): PodTemplate => ({
  metadata: { labels: { app: 'web', ...(hash ? { 'pod-template-hash': hash } : {}) } },
  spec: { containers: [{ name: 'web', image }] },
});

interface SetOptions {
  readonly revision: number;
  readonly image: string;
  readonly owner?: string;
  readonly annotations?: Readonly<Record<string, string>>;
}

const aSet = ({ revision, image, owner = 'deployment-uid', annotations = {} }: SetOptions): ReplicaSet => ({
  apiVersion: 'apps/v1',
  kind: 'ReplicaSet',
  metadata: {
    name: `web-${image}`,
    namespace: 'shop',
    uid: `set-${revision}`,
    resourceVersion: '1',
    creationTimestamp: '2026-11-15T03:00:00Z',
    annotations: { 'deployment.kubernetes.io/revision': String(revision), ...annotations },
    ownerReferences: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', uid: owner, controller: true }],
  },
  spec: { selector: {}, template: template(image, `hash-${image}`) },
});

interface DeploymentChange {
  readonly metadata?: Partial<Deployment['metadata']>;
  readonly spec?: Partial<Deployment['spec']>;
}

const aDeployment = ({ metadata, spec }: DeploymentChange = {}): Deployment => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: {
    name: 'web',
    namespace: 'shop',
    uid: 'deployment-uid',
    resourceVersion: '42',
    creationTimestamp: '2026-11-15T03:00:00Z',
    annotations: { 'deployment.kubernetes.io/revision': '3' },
    ...metadata,
  },
  spec: { selector: { matchLabels: { app: 'web' } }, template: template('bad'), ...spec },
});

const SETS = [aSet({ revision: 1, image: 'oldest' }), aSet({ revision: 2, image: 'good' }), aSet({ revision: 3, image: 'bad' })];
const plan = (order: Partial<RollbackOrder> = {}, deployment = aDeployment(), sets: readonly ReplicaSet[] = SETS): RollbackPlan =>
  planRollback(deployment, sets, { revision: 2, ...order });
const why = (said: RollbackPlan): string => (said.kind === 'refused' ? said.why : said.kind);
const operations = (said: RollbackPlan) => (said.kind === 'patch' ? said.operations : []);

describe('going back to a revision', () => {
  test('copies its template without the hash, under what was looked at', () =>
    expect(plan()).toEqual({
      kind: 'patch',
      from: '3',
      replicaSet: 'web-good',
      operations: [
        { op: 'test', path: '/metadata/uid', value: 'deployment-uid' },
        { op: 'replace', path: '/metadata/resourceVersion', value: '42' },
        { op: 'replace', path: '/spec/template', value: template('good') },
      ],
    }));

  test('finds a revision that was gone back to before by its earlier number', () => {
    const again = aSet({ revision: 4, image: 'good', annotations: { 'deployment.kubernetes.io/revision-history': '1,2' } });
    expect(plan({}, aDeployment(), [aSet({ revision: 3, image: 'bad' }), again])).toMatchObject({ kind: 'patch', replicaSet: 'web-good' });
  });

  test('prefers the set that is the revision to one that was', () => {
    const was = aSet({ revision: 4, image: 'was', annotations: { 'deployment.kubernetes.io/revision-history': '2' } });
    expect(plan({}, aDeployment(), [was, ...SETS])).toMatchObject({ replicaSet: 'web-good' });
  });

  test('is done already when the template is the same', () => {
    expect(plan({}, aDeployment({ spec: { template: template('good') } }))).toEqual({ kind: 'already' });
    expect(plan({ revision: 3 })).toEqual({ kind: 'already' });
  });

  test('takes nothing for granted: annotations and versions may be absent', () => {
    const bare = aDeployment();
    const { annotations: _, ...metadata } = bare.metadata;
    expect(plan({}, { ...bare, metadata })).toMatchObject({ kind: 'patch', from: 'an unknown one' });
  });

  test.each<[string, RollbackPlan, RegExp]>([
    ['a revision that is not there', plan({ revision: 99 }), /no revision 99, only 1, 2, 3/],
    ['no revision at all', plan({}, aDeployment(), []), /no revision 2, only none/],
    ['a set of another Deployment', plan({}, aDeployment(), [aSet({ revision: 2, image: 'good', owner: 'another' })]), /only none/],
    ['a paused Deployment', plan({}, aDeployment({ spec: { paused: true } })), /paused.*rollout resume/],
    ['one that is being deleted', plan({}, aDeployment({ metadata: { deletionTimestamp: '2026-11-15T03:00:00Z' } })), /being deleted/],
    ['another one than was meant', plan({ uid: 'older' }), /another one/],
  ])('refuses %s', (_, said, reason) => expect(why(said)).toMatch(reason));

  test('takes the one that was meant', () => expect(plan({ uid: 'deployment-uid' }).kind).toBe('patch'));
});

describe('the cause of a change', () => {
  const CAUSE = 'kubernetes.io/change-cause';
  const PATH = '/metadata/annotations/kubernetes.io~1change-cause';
  const told = [aSet({ revision: 2, image: 'good', annotations: { [CAUSE]: 'release 1.4' } })];

  test('comes back with the template', () =>
    expect(operations(plan({}, aDeployment(), told))).toContainEqual({ op: 'add', path: PATH, value: 'release 1.4' }));

  test('of what is left is taken away', () =>
    expect(operations(plan({}, aDeployment({ metadata: { annotations: { [CAUSE]: 'release 1.5' } } })))).toContainEqual({
      op: 'remove',
      path: PATH,
    }));

  test('comes back where there are no annotations', () => {
    const bare = aDeployment();
    const { annotations: _, ...metadata } = bare.metadata;
    expect(operations(plan({}, { ...bare, metadata }, told))).toContainEqual({
      op: 'add',
      path: '/metadata/annotations',
      value: { [CAUSE]: 'release 1.4' },
    });
  });

  test('that nobody gave is left alone', () => expect(operations(plan())).toHaveLength(3));
});
