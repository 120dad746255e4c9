import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { after, seededRandom, SECOND, systemClock, type Random } from '../../base/index.ts';
import type { ApiResponse } from '../../kube/client/transport.ts';
import { describeOnControlPlane } from '../../testkit/lanes.ts';
import { asAdmin, asUser, ourServer, realServer, type GuardedServer } from '../testing/guarded-servers.ts';
import { SCENE, setScene } from '../testing/rights-scene.ts';

const REVIEWS = '/apis/authorization.k8s.io/v1/subjectaccessreviews';
const RULES = '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews';
const ROUNDS = 600;

interface Status {
  readonly allowed: boolean;
  readonly reason?: string;
}

const ask = async (server: GuardedServer, spec: object): Promise<Status> => {
  const { body } = await asAdmin(server).request({ method: 'POST', path: REVIEWS, body: { spec } });
  return (body as { readonly status: Status }).status;
};

const PEOPLE: readonly object[] = [
  ...['anna', 'bert', 'carl', 'dora', 'emma', 'fred', 'nobody'].map((user) => ({ user })),
  { user: 'gina', groups: ['watchers'] },
  { user: 'hugo', groups: ['others', 'watchers', 'system:authenticated'] },
  { user: 'anna', groups: ['system:authenticated'] },
  { groups: ['watchers'] },
  { user: 'root', groups: ['system:masters'] },
  ...[SCENE.first, SCENE.second].flatMap((namespace) =>
    ['reader', 'robot'].map((name) => ({
      user: `system:serviceaccount:${namespace}:${name}`,
      groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'],
    })),
  ),
  { user: `system:serviceaccount:${SCENE.first}` },
  { user: `system:serviceaccount:${SCENE.first}:robot:x` },
];
const VERBS = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection', 'impersonate', 'use', '*', '', 'GET'];
const GROUPS = ['', '', 'apps', 'batch', 'example.com', '*', 'App'];
const RESOURCES = [
  'pods',
  'configmaps',
  'secrets',
  'services',
  'nodes',
  'deployments',
  'jobs',
  'statefulsets',
  '*',
  '',
  'pods/log',
  '*/scale',
];
const SUBRESOURCES = ['', '', '', 'log', 'scale', 'status', '*', 'x/scale'];
const NAMES = ['', '', 'wanted', 'other', 'else', '*'];
const NAMESPACES = [SCENE.first, SCENE.second, '', 'elsewhere', '*'];
const PATHS = [
  '/metrics',
  '/metrics/',
  '/logs',
  '/logs/',
  '/logs/a/b',
  '/odd',
  '/oddly',
  '/all',
  '/all/x',
  '/healthz',
  '/api',
  '/apis/apps',
  '',
  '*',
  '/*',
];

function question(random: Random): object {
  const who = random.pick(PEOPLE);
  if (random.chance(0.25)) return { ...who, nonResourceAttributes: { path: random.pick(PATHS), verb: random.pick(VERBS) } };
  const resourceAttributes = {
    verb: random.pick(VERBS),
    group: random.pick(GROUPS),
    resource: random.pick(RESOURCES),
    subresource: random.pick(SUBRESOURCES),
    namespace: random.pick(NAMESPACES),
    name: random.pick(NAMES),
  };
  return { ...who, resourceAttributes };
}

/** The real server's rights come from caches that follow what was written. */
async function untilKnown(server: GuardedServer): Promise<void> {
  const last = { user: 'carl', resourceAttributes: { verb: 'list', resource: 'nodes' } };
  const deadline = after(systemClock.now(), 30 * SECOND);
  while (!(await ask(server, last)).allowed) {
    if (systemClock.now() > deadline) throw new Error('the server does not gather roles');
    await systemClock.waitUntil(after(systemClock.now(), SECOND / 4), new AbortController().signal);
  }
  await systemClock.waitUntil(after(systemClock.now(), SECOND), new AbortController().signal);
}

describeOnControlPlane('verdicts of the real kube-apiserver and of ours', (plane) => {
  let real: GuardedServer;
  let ours: GuardedServer;
  beforeAll(async () => {
    real = realServer(plane());
    ours = await ourServer();
    for (const server of [real, ours]) {
      await setScene(server);
      await untilKnown(server);
    }
  });
  afterAll(async () => {
    await Promise.all([real.close(), ours.close()]);
  });

  test(`${ROUNDS} questions by chance get the same answers`, async () => {
    const random = seededRandom(20260805);
    const tally = { allowed: 0, refused: 0 };
    for (let i = 0; i < ROUNDS; i++) {
      const spec = question(random);
      const [theirs, own] = await Promise.all([ask(real, spec), ask(ours, spec)]);
      // Several bindings may allow the same; which of them is found first depends on the real server's caches.
      const said = ({ allowed, reason = '' }: Status) => ({
        allowed,
        reason: allowed ? reason.split('"')[0] : lettersOf(reason),
      });
      expect({ spec, ...said(own) }).toEqual({ spec, ...said(theirs) });
      tally[own.allowed ? 'allowed' : 'refused']++;
    }
    expect(Math.min(tally.allowed, tally.refused)).toBeGreaterThan(ROUNDS / 20);
  });

  test.each([
    ['a user, by the cluster', { user: 'anna', resourceAttributes: { verb: 'list', resource: 'pods' } }],
    ['a group, on a path', { user: 'x', groups: ['watchers'], nonResourceAttributes: { verb: 'get', path: '/logs/1' } }],
    [
      'an account of the binding’s own namespace',
      {
        user: `system:serviceaccount:${SCENE.first}:robot`,
        resourceAttributes: { verb: 'get', resource: 'configmaps', namespace: SCENE.first },
      },
    ],
    [
      'an account of another namespace',
      {
        user: `system:serviceaccount:${SCENE.first}:robot`,
        resourceAttributes: { verb: 'delete', resource: 'configmaps', namespace: SCENE.second },
      },
    ],
    [
      'a ClusterRole in one namespace',
      {
        user: 'emma',
        resourceAttributes: { verb: 'patch', group: 'apps', resource: 'deployments', subresource: 'status', namespace: SCENE.first },
      },
    ],
    [
      'bindings to roles that are not there',
      { user: 'dora', resourceAttributes: { verb: 'get', resource: 'pods', namespace: SCENE.first } },
    ],
    ['nothing at all', { user: 'nobody', resourceAttributes: { verb: 'get', resource: 'pods' } }],
    ['the group that may everything', { user: 'x', groups: ['system:masters'], nonResourceAttributes: { verb: 'delete', path: '/' } }],
  ])('the reason is told in the same words: %s', async (_case, spec) => {
    expect(await ask(ours, spec)).toEqual(await ask(real, spec));
  });

  describe('all rules of a user', () => {
    const rulesOf = async (server: GuardedServer, username: string, namespace: string): Promise<object> => {
      const answer = await asUser(server, username).request({ method: 'POST', path: RULES, body: { spec: { namespace } } });
      return sorted(answer);
    };
    test.each(
      ['anna', 'bert', 'carl', 'dora', 'fred', `system:serviceaccount:${SCENE.second}:reader`].flatMap((name) =>
        [SCENE.first, SCENE.second].map((namespace) => [name, namespace] as const),
      ),
    )('%s in %s', async (username, namespace) => {
      expect(await rulesOf(ours, username, namespace)).toEqual(await rulesOf(real, username, namespace));
    });
  });

  test('of the default roles, the same people may do the same with what both serve', async () => {
    const known = [
      ['', 'pods'], ['', 'pods/log'], ['', 'configmaps'], ['', 'secrets'], ['', 'serviceaccounts'], ['', 'serviceaccounts/token'], ['', 'nodes'],
      ['', 'namespaces'], ['', 'events'], ['', 'services'], ['apps', 'deployments'], ['apps', 'deployments/scale'], ['apps', 'deployments/status'],
      ['apps', 'daemonsets'], ['batch', 'jobs'], ['batch', 'cronjobs/status'], ['coordination.k8s.io', 'leases'],
      ['rbac.authorization.k8s.io', 'roles'], ['rbac.authorization.k8s.io', 'clusterroles'], ['authorization.k8s.io', 'localsubjectaccessreviews'],
      ['authorization.k8s.io', 'subjectaccessreviews'], ['apiextensions.k8s.io', 'customresourcedefinitions'],
    ] as const; // prettier-ignore
    for (const role of ['view', 'edit', 'admin']) {
      for (const server of [real, ours]) await bind(server, role);
      for (const [group, combined] of known) {
        const [resource, subresource = ''] = combined.split('/');
        for (const verb of ['get', 'list', 'create', 'update', 'delete', 'impersonate']) {
          const spec = { user: `default-${role}`, resourceAttributes: { verb, group, resource, subresource, namespace: SCENE.first } };
          const [theirs, own] = await Promise.all([ask(real, spec), ask(ours, spec)]);
          expect({ role, combined, verb, allowed: own.allowed }).toEqual({ role, combined, verb, allowed: theirs.allowed });
        }
      }
    }
  });
});

async function bind(server: GuardedServer, role: string): Promise<void> {
  const body = {
    metadata: { name: `default-${role}` },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
    subjects: [{ kind: 'User', name: `default-${role}`, apiGroup: 'rbac.authorization.k8s.io' }],
  };
  await asAdmin(server).request({
    method: 'POST',
    path: `/apis/rbac.authorization.k8s.io/v1/namespaces/${SCENE.first}/rolebindings`,
    body,
  });
  const spec = { user: `default-${role}`, resourceAttributes: { verb: 'get', resource: 'pods', namespace: SCENE.first } };
  while (!(await ask(server, spec)).allowed)
    await systemClock.waitUntil(after(systemClock.now(), SECOND / 4), new AbortController().signal);
}

interface Rules {
  readonly status: {
    readonly resourceRules: readonly object[];
    readonly nonResourceRules: readonly object[];
    readonly evaluationError?: string;
  };
}

/** The same for the same problems in any order. */
const lettersOf = (text: string): string => text.split('').toSorted().join('');

/** Tokens of ours cannot be checked by others, so where to find the key is no path here. */
const isServed = (rule: string): boolean => !rule.includes('/.well-known/');

/** Order depends on the real server's caches; so does that of the roles that it did not find. */
function sorted({ code, body }: ApiResponse): object {
  const { resourceRules, nonResourceRules, evaluationError = '', ...rest } = (body as Rules).status;
  const inOrder = (rules: readonly object[]): readonly string[] =>
    rules.map((rule) => JSON.stringify(Object.entries(rule).toSorted(([a], [b]) => (a < b ? -1 : 1)))).toSorted();
  return {
    code,
    resource: inOrder(resourceRules),
    paths: inOrder(nonResourceRules).filter(isServed),
    evaluationError: lettersOf(evaluationError),
    ...rest,
  };
}
