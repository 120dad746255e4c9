import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { parseAllDocuments } from 'yaml';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  ClusterRole,
  ClusterRoleBinding,
  Namespace,
  Role,
  RoleBinding,
  SubjectAccessReview,
  type ConfigMap,
  type ResourceAttributes,
} from '../../src/api/builtin/index.ts';
import { crdOf, kinds } from '../../src/api/index.ts';
import type { Draft, KubeObject } from '../../src/api/meta.ts';
import { accountIn, admissionPolicies } from '../../src/api/policies/index.ts';
import { awxRights, openShiftRights, ownRights, peopleRoles, type Grant } from '../../src/api/rights/index.ts';
import { after, systemClock, systemRandom } from '../../src/base/index.ts';
import { parseConfig } from '../../src/config/parse-config.ts';
import { createClient, httpTransport, loadConfig, type HttpTransport, type KubeClient } from '../../src/kube/index.ts';
import { describeOnControlPlane } from '../../src/testkit/lanes.ts';

const HELM = process.env['SICKBAY_TEST_HELM'] ?? '';
const CHART = fileURLToPath(new URL('../../deploy/chart', import.meta.url));
const PLACES = { namespace: 'sickbay-system', executionNamespace: 'kubernaut-workflows' };
const MONITORING = 'effectivenessmonitor.external.ocpMonitoringRbac=true';

const run = promisify(execFile);

/** What Helm makes of the chart, with these values. */
async function rendered(namespace: string, ...flags: readonly string[]): Promise<readonly Draft<KubeObject>[]> {
  const { stdout } = await run(HELM, ['template', 'sickbay', CHART, '--namespace', namespace, ...flags], { maxBuffer: 2 ** 26 });
  const objects = parseAllDocuments(stdout).map((document) => document.toJS() as Draft<KubeObject> | null);
  return objects.filter((object) => object !== null);
}

const inOrder = (objects: readonly object[]): readonly string[] => objects.map((object) => JSON.stringify(object)).toSorted();
const drafts = (grants: readonly Grant[]): readonly object[] => grants.map(({ draft }) => draft);
/** The chart also makes the roles that people are bound to. */
const withPeople = (...grants: readonly Grant[]): readonly string[] => inOrder(drafts([...grants, ...peopleRoles]));
const isRight = ({ kind }: Draft<KubeObject>): boolean => /^(Cluster)?Role(Binding)?$|^ServiceAccount$/.test(kind);

describe.skipIf(HELM === '')('the chart, by the helm that SICKBAY_TEST_HELM names', () => {
  test('[EM-265] gives the account its rights and no others', async () => {
    const objects = await rendered(PLACES.namespace);
    expect(inOrder(objects.filter(isRight))).toEqual(withPeople(...ownRights(PLACES)));
  });

  test('[EM-264] gives it those for the monitoring of OpenShift where it is told to', async () => {
    const objects = await rendered(PLACES.namespace, '--set', MONITORING);
    expect(inOrder(objects.filter(isRight))).toEqual(withPeople(...ownRights(PLACES), ...openShiftRights(PLACES)));
  });

  test('gives it those for AWX where it is told to', async () => {
    const objects = await rendered(PLACES.namespace, '--set', 'awx.rbac=true');
    expect(inOrder(objects.filter(isRight))).toEqual(withPeople(...ownRights(PLACES), ...awxRights(PLACES)));
  });

  test('can be installed in other namespaces', async () => {
    const other = { namespace: 'doctor', executionNamespace: 'theatre' };
    const objects = await rendered(other.namespace, '--set', `config.executionNamespace=${other.executionNamespace}`);
    expect(inOrder(objects.filter(isRight))).toEqual(withPeople(...ownRights(other)));
    const policies = admissionPolicies(other.namespace).flatMap(({ policy, binding }) => [policy, binding]);
    expect(inOrder(objects.filter(({ kind }) => kind.startsWith('ValidatingAdmissionPolicy')))).toEqual(inOrder(policies));
    const theatre = { kind: 'Namespace', metadata: { name: other.executionNamespace } };
    expect(objects).toContainEqual(expect.objectContaining({ ...theatre, metadata: expect.objectContaining(theatre.metadata) as unknown }));
  });

  test('hands on settings that Sickbay understands', async () => {
    const address = 'https://thanos-querier.openshift-monitoring.svc:9091';
    const objects = await rendered('doctor', '--set', `config.dryRun=true,config.external.prometheusUrl=${address}`);
    const map = objects.find(({ kind }) => kind === 'ConfigMap') as ConfigMap | undefined;
    const parsed = parseConfig(map?.data?.['config.yaml'] ?? '');
    expect(parsed).toMatchObject({ settings: { namespace: 'doctor', dryRun: true, external: { prometheusUrl: address } } });
  });

  test('brings every kind', async () => {
    const objects = await rendered(PLACES.namespace, '--include-crds');
    expect(inOrder(objects.filter(({ kind }) => kind === 'CustomResourceDefinition'))).toEqual(inOrder(kinds.map(crdOf)));
  });

  describeOnControlPlane('on a real server, with the roles that OpenShift has', (plane) => {
    const namespace = `chart-${systemRandom.uuid().slice(0, 8)}`;
    const platform = 'openshift-monitoring';
    const made: { readonly resource: Grant['resource']; readonly draft: Draft<KubeObject> }[] = [];
    let transport: HttpTransport;
    let client: KubeClient;

    const make = async (resource: Grant['resource'], draft: Draft<KubeObject>): Promise<void> => {
      await client.create(resource, draft);
      made.unshift({ resource, draft });
    };

    const rule = (resource: string, name: string, verbs: readonly string[]) => [
      { apiGroups: ['monitoring.coreos.com'], resources: [resource], resourceNames: [name], verbs },
    ];
    const rbac = { apiVersion: 'rbac.authorization.k8s.io/v1' };

    beforeAll(async () => {
      transport = httpTransport(await loadConfig({ clock: systemClock, kubeconfig: plane().kubeconfig }));
      client = createClient(transport);
      for (const name of [namespace, platform]) await make(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
      const view: Draft<ClusterRole> = {
        ...rbac,
        kind: 'ClusterRole',
        metadata: { name: 'cluster-monitoring-view' },
        rules: rule('prometheuses/api', 'k8s', ['get', 'create', 'update']),
      };
      await make(ClusterRole, view);
      const alertmanager: Draft<Role> = {
        ...rbac,
        kind: 'Role',
        metadata: { name: 'monitoring-alertmanager-view', namespace: platform },
        rules: rule('alertmanagers/api', 'main', ['get', 'list']),
      };
      await make(Role, alertmanager);
    });

    afterAll(async () => {
      for (const { resource, draft } of made)
        await client.delete(resource, { namespace: draft.metadata.namespace ?? '', name: draft.metadata.name ?? '' });
      await transport.close();
    });

    /** The access review that the proxy before each of them requests for the bearer of a token. */
    const may = async (what: Pick<ResourceAttributes, 'resource' | 'name'>): Promise<boolean | undefined> => {
      const asked = { verb: 'get', group: 'monitoring.coreos.com', subresource: 'api', namespace: platform, ...what };
      const review = { user: accountIn(namespace), resourceAttributes: asked };
      const draft = { apiVersion: 'authorization.k8s.io/v1', kind: 'SubjectAccessReview', metadata: {}, spec: review };
      return (await client.create(SubjectAccessReview, draft)).status?.allowed;
    };
    const both = async () => [await may({ resource: 'prometheuses', name: 'k8s' }), await may({ resource: 'alertmanagers', name: 'main' })];

    test('[EM-264] [EM-265] its questions to Prometheus and Alertmanager pass, and only then', async () => {
      expect(await both()).toEqual([false, false]);
      const plain = new Set(inOrder(await rendered(namespace)));
      const more = (await rendered(namespace, '--set', MONITORING)).filter((object) => !plain.has(JSON.stringify(object)));
      for (const object of more) await make(object.kind === 'RoleBinding' ? RoleBinding : ClusterRoleBinding, object);
      // Rights count a moment after they were written.
      while ((await both()).includes(false)) await systemClock.waitUntil(after(systemClock.now(), 100), new AbortController().signal);
    });
  });
});
