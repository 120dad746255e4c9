import { describe, expect, test } from 'vitest';
import type { Deployment, PodTemplate, ReplicaSet } from '../../src/api/builtin/index.ts';
import type { Plan } from '../change.ts';
import { planRollback } from './plan.ts';

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
const plan = (revision = 2, deployment = aDeployment(), sets: readonly ReplicaSet[] = SETS): Plan =>
  planRollback(deployment, sets, revision);
const why = (said: Plan): string => (said.kind === 'refused' ? said.why : said.kind);
const operations = (said: Plan) => (said.kind === 'change' ? said.operations : []);

describe('rolling back to a revision', () => {
  test('copies its template without the hash, and records its undo', () =>
    expect(plan()).toEqual({
      kind: 'change',
      operations: [{ op: 'replace', path: '/spec/template', value: template('good') }],
      did: 'rolled back from revision 3 to the template of revision 2 (ReplicaSet web-good)',
      undo: { workflow: 'rollback-deployment', parameters: { REVISION: '3' } },
    }));

  test('finds a revision that was rolled back to before by its earlier number', () => {
    const again = aSet({ revision: 4, image: 'good', annotations: { 'deployment.kubernetes.io/revision-history': '1,2' } });
    expect(plan(2, aDeployment(), [aSet({ revision: 3, image: 'bad' }), again])).toMatchObject({
      did: expect.stringContaining('ReplicaSet web-good') as string,
    });
  });

  test('prefers the ReplicaSet that has the revision now to one that had it', () => {
    const was = aSet({ revision: 4, image: 'was', annotations: { 'deployment.kubernetes.io/revision-history': '2' } });
    expect(plan(2, aDeployment(), [was, ...SETS])).toMatchObject({ did: expect.stringContaining('ReplicaSet web-good') as string });
  });

  test('is done already when the template is the same', () => {
    expect(plan(2, aDeployment({ spec: { template: template('good') } }))).toMatchObject({ kind: 'already' });
    expect(plan(3)).toMatchObject({ kind: 'already' });
  });

  test('does not need annotations or versions', () => {
    const bare = aDeployment();
    const { annotations: _, ...metadata } = bare.metadata;
    expect(plan(2, { ...bare, metadata })).toMatchObject({ kind: 'change', undo: { none: expect.any(String) as string } });
  });

  test.each<[string, Plan, RegExp]>([
    ['a revision that is not there', plan(99), /no revision 99, only 1, 2, 3/],
    ['no revision at all', plan(2, aDeployment(), []), /no revision 2, only none/],
    ['a set of another Deployment', plan(2, aDeployment(), [aSet({ revision: 2, image: 'good', owner: 'another' })]), /only none/],
    ['a paused Deployment', plan(2, aDeployment({ spec: { paused: true } })), /paused.*rollout resume/],
  ])('refuses %s', (_, said, reason) => expect(why(said)).toMatch(reason));
});

describe('the cause of a change', () => {
  const CAUSE = 'kubernetes.io/change-cause';
  const PATH = '/metadata/annotations/kubernetes.io~1change-cause';
  const told = [aSet({ revision: 2, image: 'good', annotations: { [CAUSE]: 'release 1.4' } })];

  test('is restored with the template', () =>
    expect(operations(plan(2, aDeployment(), told))).toContainEqual({ op: 'add', path: PATH, value: 'release 1.4' }));

  test('of the replaced template is removed', () =>
    expect(operations(plan(2, aDeployment({ metadata: { annotations: { [CAUSE]: 'release 1.5' } } })))).toContainEqual({
      op: 'remove',
      path: PATH,
    }));

  test('is not written where there was none', () => expect(operations(plan())).toHaveLength(1));
});
