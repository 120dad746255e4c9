import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Status } from '../kube/meta.ts';
import { after, isObject, SECOND, systemClock } from '../base/index.ts';
import type { ApiRequest, ApiResponse } from '../kube/client/transport.ts';
import { describeOnControlPlane } from '../testkit/lanes.ts';
import { comparable } from './testing/comparable.ts';
import { asAdmin, asUser, ourServer, realServer, type GuardedServer } from './testing/guarded-servers.ts';
import { rule, SCENE, setScene } from './testing/rights-scene.ts';

const { first, second } = SCENE;
const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const AUTHENTICATION = '/apis/authentication.k8s.io/v1';
const AUTHORIZATION = '/apis/authorization.k8s.io/v1';

const get = (path: string, query?: Readonly<Record<string, string>>): ApiRequest => ({ method: 'GET', path, ...(query && { query }) });
const post = (path: string, body: unknown): ApiRequest => ({ method: 'POST', path, body });
const put = (path: string, body: unknown): ApiRequest => ({ method: 'PUT', path, body });
const merge = (path: string, body: unknown): ApiRequest => ({ method: 'PATCH', path, body, contentType: 'application/merge-patch+json' });
const remove = (path: string): ApiRequest => ({ method: 'DELETE', path });

/** Refusals in full, with the words; acceptances as far as two servers can agree. */
function told(answer: ApiResponse): unknown {
  if (answer.code < 400) return { code: answer.code };
  const { message, reason, details } = answer.body as Status;
  return { code: answer.code, reason, message, details };
}

async function untilRights(server: GuardedServer): Promise<void> {
  const spec = { user: 'carl', resourceAttributes: { verb: 'list', resource: 'nodes' } };
  const isKnown = async (): Promise<boolean> => {
    const { body } = await asAdmin(server).request(post(`${AUTHORIZATION}/subjectaccessreviews`, { spec }));
    return isObject(body) && isObject(body.status) && body.status.allowed === true;
  };
  while (!(await isKnown())) await pause();
  await pause();
}

const pause = (): Promise<void> => systemClock.waitUntil(after(systemClock.now(), SECOND), new AbortController().signal);

async function tokenOf(server: GuardedServer, namespace: string, name: string): Promise<string> {
  const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${name}/token`;
  const { body } = await asAdmin(server).request(post(path, { spec: { expirationSeconds: 900 } }));
  return (body as { readonly status: { readonly token: string } }).status.token;
}

describeOnControlPlane('who asks: the real kube-apiserver and ours', (plane) => {
  let real: GuardedServer;
  let ours: GuardedServer;
  beforeAll(async () => {
    real = realServer(plane());
    ours = await ourServer();
    for (const server of [real, ours]) {
      await setScene(server);
      await untilRights(server);
    }
  });
  afterAll(async () => {
    await Promise.all([real.close(), ours.close()]);
  });

  const onBoth = async (send: (server: GuardedServer) => Promise<unknown>): Promise<void> => {
    const theirs = await send(real);
    expect(await send(ours)).toEqual(theirs);
  };

  describe('requests with a token of an account', () => {
    const configmaps = `/api/v1/namespaces/${first}/configmaps`;
    test.each([
      ['may list', get(configmaps)],
      ['may create', post(configmaps, { metadata: { name: 'by-robot' } })],
      ['may read', get(`${configmaps}/by-robot`)],
      ['may patch', merge(`${configmaps}/by-robot`, { data: { a: 'b' } })],
      ['may not replace', put(`${configmaps}/by-robot`, { metadata: { name: 'by-robot' } })],
      ['may not delete', remove(`${configmaps}/by-robot`)],
      ['may not delete all', remove(configmaps)],
      ['may not watch', get(configmaps, { watch: 'true' })],
      ['may delete in the other namespace, where there is nothing', remove(`/api/v1/namespaces/${second}/configmaps/none`)],
      ['may delete all in the other namespace', remove(`/api/v1/namespaces/${second}/configmaps`)],
      ['may not list in the other namespace', get(`/api/v1/namespaces/${second}/configmaps`)],
      ['may not list everywhere', get('/api/v1/configmaps')],
      ['may not read what does not exist either', get(`/api/v1/namespaces/nowhere/configmaps/none`)],
      ['may not read kinds that do not exist', get('/apis/no.such/v1/things/x')],
      ['may not write a status', merge(`/apis/apps/v1/namespaces/${first}/deployments/x/status`, {})],
      ['may not scale', put(`/apis/apps/v1/namespaces/${first}/deployments/x/scale`, {})],
      ['may not read logs', get(`/api/v1/namespaces/${first}/pods/x/log`)],
      ['may not get a token', post(`/api/v1/namespaces/${first}/serviceaccounts/robot/token`, { spec: {} })],
      ['may not read nodes', get('/api/v1/nodes/x')],
      ['may not read a namespace', get(`/api/v1/namespaces/${first}`)],
      ['may discover', get('/apis')],
      ['may ask for the version', get('/version')],
      ['may not read metrics', get('/metrics')],
      ['may not review tokens', post(`${AUTHENTICATION}/tokenreviews`, { spec: { token: 'x' } })],
      [
        'may ask what it may',
        post(`${AUTHORIZATION}/selfsubjectaccessreviews`, { spec: { nonResourceAttributes: { path: '/', verb: 'get' } } }),
      ],
    ])('%s', async (_title, request) => {
      await onBoth(async (server) => {
        const transport = server.as({ authorization: `Bearer ${await token(server)}` });
        return told(await transport.request(request));
      });
    });

    const tokens = new Map<GuardedServer, Promise<string>>();
    const token = (server: GuardedServer): Promise<string> => {
      const known = tokens.get(server) ?? tokenOf(server, first, 'robot');
      tokens.set(server, known);
      return known;
    };
  });

  describe('who one is', () => {
    test.each([
      ['no credentials', {}],
      ['an unknown token', { authorization: 'Bearer nonsense' }],
      ['a token of no use', { authorization: 'Bearer eyJhbGciOiJub25lIn0.e30.' }],
    ])('%s', async (_title, headers) => {
      for (const path of ['/api/v1/pods', '/version', '/', '/apis', `/api/v1/namespaces/${first}/secrets/x`]) {
        await onBoth(async (server) => told(await server.as(headers).request(get(path))));
      }
    });

    test('an account says who it is', async () => {
      await onBoth(async (server) => {
        const token = await tokenOf(server, second, 'reader');
        const answer = await server.as({ authorization: `Bearer ${token}` }).request(post(`${AUTHENTICATION}/selfsubjectreviews`, {}));
        return anonymised(answer);
      });
    });

    test('a token stops working when its account goes, and does not come back with another of the name', async () => {
      await onBoth(async (server) => {
        const accounts = `/api/v1/namespaces/${second}/serviceaccounts`;
        const steps: unknown[] = [];
        await asAdmin(server).request(post(accounts, { metadata: { name: 'brief' } }));
        const token = await tokenOf(server, second, 'brief');
        const look = async (): Promise<unknown> => told(await server.as({ authorization: `Bearer ${token}` }).request(get('/api')));
        steps.push(await look());
        await asAdmin(server).request(remove(`${accounts}/brief`));
        // The real server keeps its verdict on a token for some seconds.
        await systemClock.waitUntil(after(systemClock.now(), 12 * SECOND), new AbortController().signal);
        steps.push(await look());
        await asAdmin(server).request(post(accounts, { metadata: { name: 'brief' } }));
        return [...steps, await look()];
      });
    });
  });

  describe('impersonation', () => {
    test.each([
      ['a user', { 'impersonate-user': 'anna' }],
      ['a user in a group', { 'impersonate-user': 'x', 'impersonate-group': 'watchers' }],
      ['a user with an identity and more', { 'impersonate-user': 'x', 'impersonate-uid': '7', 'impersonate-extra-scopes': 'some' }],
      ['a user with an escaped key', { 'impersonate-user': 'x', 'impersonate-extra-acme.com%2FProject': 'p' }],
      ['an account', { 'impersonate-user': `system:serviceaccount:${first}:robot` }],
      ['an account in other groups', { 'impersonate-user': `system:serviceaccount:${first}:robot`, 'impersonate-group': 'watchers' }],
      ['the anonymous user', { 'impersonate-user': 'system:anonymous' }],
      ['unauthenticated', { 'impersonate-user': 'x', 'impersonate-group': 'system:unauthenticated' }],
    ])('the administrator as %s', async (_title, headers) => {
      await onBoth(async (server) => {
        const transport = server.as({ authorization: `Bearer ${server.adminToken}`, ...headers });
        return [
          anonymised(await transport.request(post(`${AUTHENTICATION}/selfsubjectreviews`, {}))),
          told(await transport.request(get(`/api/v1/namespaces/${first}/pods`))),
        ];
      });
    });

    test.each([
      ['a user', { 'impersonate-user': 'anna' }],
      ['a group', { 'impersonate-user': 'robot', 'impersonate-group': 'system:masters' }],
      ['an account', { 'impersonate-user': `system:serviceaccount:${first}:reader` }],
      ['more', { 'impersonate-user': 'x', 'impersonate-extra-scopes': 'all' }],
    ])('an account that may not, as %s', async (_title, headers) => {
      await onBoth(async (server) => {
        const token = await tokenOf(server, first, 'robot');
        const answer = await server.as({ authorization: `Bearer ${token}`, ...headers }).request(get('/api/v1/pods'));
        // Since 1.36 the real server first asks for narrower verbs, which ours does not know, and names one of those.
        return { code: answer.code, reason: (answer.body as Status).reason };
      });
    });
  });

  describe('a user cannot grant rights that they do not have', () => {
    const roles = `${RBAC}/namespaces/${second}/roles`;
    const bindings = `${RBAC}/namespaces/${second}/rolebindings`;
    const roleRef = (kind: string, name: string) => ({ apiGroup: 'rbac.authorization.k8s.io', kind, name });
    const subjects = [{ kind: 'User', name: 'x' }];
    test.each<[string, string, ApiRequest]>([
      [
        'who holds all here may give some',
        'fred',
        post(roles, { metadata: { name: 'some' }, rules: [rule('', ['pods'], ['get', 'list'])] }),
      ],
      ['who holds little may write no role', 'anna', post(roles, { metadata: { name: 'x' }, rules: [] })],
      ['a role for the cluster', 'fred', post(`${RBAC}/clusterroles`, { metadata: { name: 'x' }, rules: [rule('', ['pods'], ['get'])] })],
    ])('%s', async (_title, username, request) => {
      await onBoth(async (server) => told(await asUser(server, username).request(request)));
    });

    const WRITERS = [rule('rbac.authorization.k8s.io', ['*'], ['create', 'update', 'patch']), rule('', ['pods'], ['get', 'list']), rule('', ['*/log'], ['get']), rule('apps', ['deployments'], ['get'], ['web'])]; // prettier-ignore
    beforeAll(async () => {
      for (const server of [real, ours]) {
        const admin = asAdmin(server);
        await admin.request(post(roles, { metadata: { name: 'writer' }, rules: WRITERS }));
        await admin.request(post(roles, { metadata: { name: 'strong' }, rules: [rule('', ['secrets'], ['get', 'list']), rule('apps', ['deployments'], ['get', 'delete'])] })); // prettier-ignore
        await admin.request(post(roles, { metadata: { name: 'weak' }, rules: [rule('', ['pods'], ['get'])] }));
        await admin.request(post(roles, { metadata: { name: 'binder' }, rules: [rule('rbac.authorization.k8s.io', ['clusterroles'], ['bind'], ['view']), rule('rbac.authorization.k8s.io', ['roles'], ['escalate'], ['weak'])] })); // prettier-ignore
        await admin.request(post(bindings, { metadata: { name: 'writer' }, roleRef: roleRef('Role', 'writer'), subjects: [{ kind: 'User', name: 'ines' }, { kind: 'User', name: 'jack' }] })); // prettier-ignore
        await admin.request(post(bindings, { metadata: { name: 'binder' }, roleRef: roleRef('Role', 'binder'), subjects: [{ kind: 'User', name: 'jack' }] })); // prettier-ignore
        await admin.request(post(bindings, { metadata: { name: 'weak' }, roleRef: roleRef('Role', 'weak'), subjects: [] }));
      }
      await pause();
    });
    test.each<[string, string, ApiRequest]>([
      ['a role with what one holds', 'ines', post(roles, { metadata: { name: 'ok' }, rules: [rule('', ['pods'], ['list'])] })],
      [
        'a role with more verbs',
        'ines',
        post(roles, { metadata: { name: 'bad' }, rules: [rule('', ['pods'], ['get', 'delete', 'create'])] }),
      ],
      ['a role with everything', 'ines', post(roles, { metadata: { name: 'bad' }, rules: [rule('*', ['*'], ['*'])] })],
      [
        'a role with a subresource that a star covers',
        'ines',
        post(roles, { metadata: { name: 'log' }, rules: [rule('', ['pods/log'], ['get'])] }),
      ],
      [
        'a role with a subresource that nothing covers',
        'ines',
        post(roles, { metadata: { name: 'bad' }, rules: [rule('', ['pods/exec'], ['get'])] }),
      ],
      [
        'a role with the name that one holds',
        'ines',
        post(roles, { metadata: { name: 'named' }, rules: [rule('apps', ['deployments'], ['get'], ['web'])] }),
      ],
      [
        'a role with another name',
        'ines',
        post(roles, { metadata: { name: 'bad' }, rules: [rule('apps', ['deployments'], ['get'], ['web', 'db'])] }),
      ],
      ['a role for all names', 'ines', post(roles, { metadata: { name: 'bad' }, rules: [rule('apps', ['deployments'], ['get'])] })],
      ['several things that are missing', 'ines', post(roles, { metadata: { name: 'bad' }, rules: [rule('', ['secrets', 'pods'], ['get', 'list', 'watch']), rule('batch', ['jobs'], ['get'], ['a', 'b'])] })], // prettier-ignore
      ['a role with nothing', 'ines', post(roles, { metadata: { name: 'empty' }, rules: [] })],
      ['a patch that adds', 'ines', merge(`${roles}/ok`, { rules: [rule('', ['secrets'], ['list'])] })],
      ['a patch of labels of a role that one holds', 'ines', merge(`${roles}/ok`, { metadata: { labels: { a: 'b' } } })],
      ['a patch of labels of a role that one does not hold', 'ines', merge(`${roles}/strong`, { metadata: { labels: { a: 'b' } } })],
      ['a patch of finalizers only', 'ines', merge(`${roles}/strong`, { metadata: { finalizers: ['rights.test/hold'] } })],
      ['and off again', 'ines', merge(`${roles}/strong`, { metadata: { finalizers: null } })],
      ['a patch that changes nothing', 'ines', merge(`${roles}/strong`, {})],
      [
        'a role replaced into being',
        'ines',
        put(`${roles}/new-one`, { metadata: { name: 'new-one' }, rules: [rule('', ['pods'], ['get'])] }),
      ],
      [
        'a role replaced into being with more',
        'ines',
        put(`${roles}/bad-one`, { metadata: { name: 'bad-one' }, rules: [rule('', ['nodes'], ['get'])] }),
      ],
      ['escalation is allowed for one name', 'jack', merge(`${roles}/weak`, { rules: [rule('', ['secrets'], ['get'])] })],
      ['but not for another', 'jack', merge(`${roles}/ok`, { rules: [rule('', ['secrets'], ['get'])] })],
      ['nor for a new one', 'jack', post(roles, { metadata: { name: 'weak2' }, rules: [rule('', ['secrets'], ['get'])] })],
      [
        'a binding to a role that one does not hold',
        'ines',
        post(bindings, { metadata: { name: 'bad' }, roleRef: roleRef('Role', 'strong'), subjects }),
      ],
      [
        'a binding to a role that one holds',
        'ines',
        post(bindings, { metadata: { name: 'good' }, roleRef: roleRef('Role', 'ok'), subjects }),
      ],
      [
        'a binding to a role that is not there',
        'ines',
        post(bindings, { metadata: { name: 'bad' }, roleRef: roleRef('Role', 'none'), subjects }),
      ],
      [
        'a binding to a ClusterRole that is not there',
        'ines',
        post(bindings, { metadata: { name: 'bad' }, roleRef: roleRef('ClusterRole', 'none'), subjects }),
      ],
      [
        'a binding to a ClusterRole that one may bind',
        'jack',
        post(bindings, { metadata: { name: 'viewers' }, roleRef: roleRef('ClusterRole', 'view'), subjects }),
      ],
      [
        'a binding to another one',
        'jack',
        post(bindings, { metadata: { name: 'bad' }, roleRef: roleRef('ClusterRole', 'rights:everything-here'), subjects }),
      ],
      ['a binding that changes its role', 'fred', merge(`${bindings}/good`, { roleRef: { name: 'weak' } })],
      ['a binding that gets a subject', 'ines', merge(`${bindings}/good`, { subjects: [{ kind: 'User', name: 'y' }] })],
      [
        'a binding to what one does not hold that gets a subject',
        'ines',
        merge(`${bindings}/binder`, { subjects: [{ kind: 'User', name: 'ines' }] }),
      ],
      ['an odd kind of role', 'ines', post(bindings, { metadata: { name: 'bad' }, roleRef: roleRef('Thing', 'x'), subjects })],
    ])('%s', async (_title, username, request) => {
      await onBoth(async (server) => told(await asUser(server, username).request(request)));
      await pause();
    });
  });

  describe('roles and bindings that say nonsense', () => {
    const roles = `${RBAC}/namespaces/${first}/roles`;
    const bindings = `${RBAC}/namespaces/${first}/rolebindings`;
    const good = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'config' };
    test.each<[string, string, unknown]>([
      ['no verbs', roles, { rules: [{ apiGroups: [''], resources: ['pods'] }] }],
      ['no groups', roles, { rules: [{ resources: ['pods'], verbs: ['get'] }] }],
      ['no resources', roles, { rules: [{ apiGroups: [''], verbs: ['get'] }] }],
      ['nothing', roles, { rules: [{}] }],
      ['null', roles, { rules: [null] }],
      ['paths in a namespace', roles, { rules: [{ nonResourceURLs: ['/x'], verbs: ['get'] }] }],
      [
        'paths and resources',
        `${RBAC}/clusterroles`,
        { rules: [{ nonResourceURLs: ['/x'], apiGroups: [''], resources: ['pods'], verbs: ['get'] }] },
      ],
      ['rules that are text', roles, { rules: 'all' }],
      ['verbs that are text', roles, { rules: [{ verbs: '*' }] }],
      ['gathering nothing', `${RBAC}/clusterroles`, { aggregationRule: { clusterRoleSelectors: [] } }],
      ['no reference', bindings, { subjects: [] }],
      ['a reference to a thing', bindings, { roleRef: { kind: 'Thing', name: 'x' } }],
      ['a reference without a name', bindings, { roleRef: { ...good, name: '' } }],
      ['a reference with a bad name', bindings, { roleRef: { ...good, name: 'a/b' } }],
      ['a reference into another group', bindings, { roleRef: { ...good, apiGroup: 'apps' } }],
      ['a Role for the cluster', `${RBAC}/clusterrolebindings`, { roleRef: good }],
      ['a subject of no kind', bindings, { roleRef: good, subjects: [{ name: 'x' }] }],
      ['a subject of a strange kind', bindings, { roleRef: good, subjects: [{ kind: 'Robot', name: 'x' }] }],
      ['a subject without a name', bindings, { roleRef: good, subjects: [{ kind: 'User' }] }],
      ['a user of another group', bindings, { roleRef: good, subjects: [{ kind: 'User', name: 'x', apiGroup: 'apps' }] }],
      ['an account of a group', bindings, { roleRef: good, subjects: [{ kind: 'ServiceAccount', name: 'x', apiGroup: 'apps' }] }],
      ['an account with a bad name', bindings, { roleRef: good, subjects: [{ kind: 'ServiceAccount', name: 'X_' }] }],
      ['an account without a namespace, for the cluster', `${RBAC}/clusterrolebindings`, { roleRef: { ...good, kind: 'ClusterRole' }, subjects: [{ kind: 'ServiceAccount', name: 'x' }] }], // prettier-ignore
      ['left out groups, which is good', bindings, { roleRef: { kind: 'Role', name: 'config' }, subjects: [{ kind: 'User', name: 'x' }, { kind: 'Group', name: 'y' }, { kind: 'ServiceAccount', name: 'z' }] }], // prettier-ignore
    ])('%s', async (_title, path, body) => {
      const named = { metadata: { name: 'nonsense' }, ...(body as object) };
      await onBoth(async (server) => {
        const answer = await asAdmin(server).request({ ...post(path, named), query: { dryRun: 'All' } });
        return answer.code < 400 ? comparable(answer) : told(answer);
      });
    });
  });

  describe('questions', () => {
    const token = `/api/v1/namespaces/${first}/serviceaccounts/robot/token`;
    const pods = { verb: 'get', resource: 'pods' };
    test.each<[string, ApiRequest]>([
      ['a bad token', post(`${AUTHENTICATION}/tokenreviews`, { spec: { token: 'bad' } })],
      ['no token', post(`${AUTHENTICATION}/tokenreviews`, { spec: {} })],
      ['no spec', post(`${AUTHENTICATION}/tokenreviews`, {})],
      ['who I am', post(`${AUTHENTICATION}/selfsubjectreviews`, {})],
      ['who I am, by GET', get(`${AUTHENTICATION}/selfsubjectreviews`)],
      ['who I am, by name', get(`${AUTHENTICATION}/selfsubjectreviews/x`)],
      ['an unknown kind', post(`${AUTHENTICATION}/whoami`, {})],
      [
        'may they',
        post(`${AUTHORIZATION}/subjectaccessreviews`, { spec: { user: 'anna', uid: '1', extra: { a: ['b'] }, resourceAttributes: pods } }),
      ],
      ['about no user', post(`${AUTHORIZATION}/subjectaccessreviews`, { spec: { resourceAttributes: pods } })],
      ['about nothing', post(`${AUTHORIZATION}/subjectaccessreviews`, { spec: { user: 'x' } })],
      [
        'about both',
        post(`${AUTHORIZATION}/subjectaccessreviews`, { spec: { user: 'x', resourceAttributes: {}, nonResourceAttributes: {} } }),
      ],
      ['everything wrong', post(`${AUTHORIZATION}/subjectaccessreviews`, { metadata: { name: 'x' } })],
      ['may I', post(`${AUTHORIZATION}/selfsubjectaccessreviews`, { spec: { resourceAttributes: pods } })],
      ['may I, nothing', post(`${AUTHORIZATION}/selfsubjectaccessreviews`, {})],
      ['what may I, nowhere', post(`${AUTHORIZATION}/selfsubjectrulesreviews`, { spec: {} })],
      ['may they here', post(`${AUTHORIZATION}/namespaces/${first}/localsubjectaccessreviews`, { spec: { user: 'anna', resourceAttributes: { ...pods, namespace: first } } })], // prettier-ignore
      ['may they here, about there', post(`${AUTHORIZATION}/namespaces/${first}/localsubjectaccessreviews`, { spec: { user: 'anna', resourceAttributes: pods } })], // prettier-ignore
      ['may they here, on a path', post(`${AUTHORIZATION}/namespaces/${first}/localsubjectaccessreviews`, { spec: { user: 'anna', nonResourceAttributes: { path: '/' } } })], // prettier-ignore
      ['may they here, from there', post(`${AUTHORIZATION}/namespaces/${first}/localsubjectaccessreviews`, { metadata: { namespace: second }, spec: { user: 'x', resourceAttributes: pods } })], // prettier-ignore
      ['may they anywhere', post(`${AUTHORIZATION}/localsubjectaccessreviews`, { spec: { user: 'x', resourceAttributes: pods } })],
      ['a token', post(token, { spec: { audiences: ['me', 'you'], expirationSeconds: 700 } })],
      ['a token without a wish', post(token, {})],
      ['a short token', post(token, { spec: { expirationSeconds: 599 } })],
      ['a long token', post(token, { spec: { expirationSeconds: 2 ** 32 + 1 } })],
      ['a token bound to nothing', post(token, { spec: { boundObjectRef: {} } })],
      [
        'a token bound to a pod that is not there',
        post(token, { spec: { boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name: 'none' } } }),
      ],
      [
        'a token bound to a secret that is not there',
        post(token, { spec: { boundObjectRef: { apiVersion: 'v1', kind: 'Secret', name: 'none' } } }),
      ],
      ['a token bound to a map', post(token, { spec: { boundObjectRef: { apiVersion: 'v1', kind: 'ConfigMap', name: 'none' } } })],
      [
        'a token bound to a Deployment',
        post(token, { spec: { boundObjectRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'none' } } }),
      ],
      ['a token of another name', post(token, { metadata: { name: 'other' }, spec: {} })],
      ['a token of another namespace', post(token, { metadata: { namespace: 'other' }, spec: {} })],
      ['a token of a missing account', post(`/api/v1/namespaces/${first}/serviceaccounts/none/token`, { spec: {} })],
      ['a token by GET', get(token)],
      ['a token by PUT', put(token, { spec: {} })],
    ])('%s', async (_title, request) => {
      await onBoth(async (server) => anonymised(await asAdmin(server).request(request)));
    });

    test('tokens that are bound to a secret: made, reviewed, and gone with it', async () => {
      await onBoth(async (server) => {
        const admin = asAdmin(server);
        const secrets = `/api/v1/namespaces/${first}/secrets`;
        await admin.request(post(secrets, { metadata: { name: 'holder' } }));
        const boundObjectRef = { apiVersion: 'v1', kind: 'Secret', name: 'holder' };
        const made = await admin.request(post(token, { spec: { boundObjectRef } }));
        const { status } = made.body as { readonly status: { readonly token: string } };
        const review = async (audiences?: readonly string[]): Promise<unknown> =>
          anonymised(
            await admin.request(post(`${AUTHENTICATION}/tokenreviews`, { spec: { token: status.token, ...(audiences && { audiences }) } })),
          );
        const [before, other] = [await review(), await review(['somebody-else'])];
        const wrong = await admin.request(post(token, { spec: { boundObjectRef: { ...boundObjectRef, uid: 'x' } } }));
        await admin.request(remove(`${secrets}/holder`));
        await systemClock.waitUntil(after(systemClock.now(), 12 * SECOND), new AbortController().signal);
        return [anonymised(made), before, isRefused(other), told(wrong), isRefused(await review())];
      });
    });
  });
});

/** Whether a review says that the token is worth nothing; why is said in words of the real server's own parts. */
const isRefused = (review: unknown): unknown => JSON.stringify(review).includes('"authenticated":true');

const CHANCE = /^(token|expirationTimestamp|uid|resourceVersion|creationTimestamp|.*credential-id)$/;

/** An answer without what is different for every token, and without what only one of the servers keeps. */
function anonymised({ code, body }: ApiResponse): unknown {
  const plain = (value: unknown, name = ''): unknown => {
    if (CHANCE.test(name)) return 'set';
    if (Array.isArray(value)) return value.map((item) => plain(item));
    if (!isObject(value)) return typeof value === 'string' ? value.replaceAll(/,"managedFields".*\]\}: must/g, '}: must') : value;
    const kept = Object.entries(value).filter(([key]) => key !== 'managedFields');
    return Object.fromEntries(kept.map(([key, member]) => [key, plain(member, key)]));
  };
  return { code, body: plain(body) };
}
