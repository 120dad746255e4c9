import { describe, expect, test } from 'vitest';
import { ClusterRole, Namespace, ServiceAccount, type ClusterRoleBinding } from '../src/api/builtin/index.ts';
import { ActionType } from '../src/api/action-type/action-type.ts';
import { keyOf, type Draft } from '../src/api/meta.ts';
import { RemediationWorkflow } from '../src/api/remediation-workflow/remediation-workflow.ts';
import { createMemoryApi } from '../src/apiserver/index.ts';
import { after, MINUTE, seededRandom } from '../src/base/index.ts';
import { createClient } from '../src/kube/client/api-client.ts';
import type { KubeClient } from '../src/kube/client/client.ts';
import { installKinds } from '../src/kube/client/install-kinds.ts';
import { ManualClock } from '../src/testkit/manual-clock.ts';
import { installLibrary, readLibrary, type LibraryEntry } from './library.ts';
import type { Environment } from './environment.ts';
import { workflows } from './registry.ts';
import { told } from './testing/scene.ts';
import type { Workflow } from './workflow.ts';

const OPTIONS = { namespace: 'system', executionNamespace: 'runs' };

async function aCluster(): Promise<KubeClient> {
  const clock = new ManualClock();
  const client = createClient(createMemoryApi({ clock, random: seededRandom(1) }));
  await installKinds([ActionType, RemediationWorkflow], { client, clock, until: after(clock.now(), MINUTE) });
  for (const name of Object.values(OPTIONS)) await client.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  return client;
}

const ofKind = (library: readonly LibraryEntry[], kind: string): readonly LibraryEntry[] =>
  library.filter(({ resource }) => resource.kind === kind);

async function versions(client: KubeClient, library: readonly LibraryEntry[]): Promise<readonly string[]> {
  const objects = await Promise.all(library.map(({ resource, draft }) => client.get(resource, keyOf(draft))));
  return objects.map(({ metadata }) => metadata.resourceVersion);
}

describe('the library', () => {
  test('is put where it belongs', async () => {
    const library = await readLibrary(OPTIONS);
    const places = library.map(({ resource, draft }) => `${resource.kind} ${draft.metadata.namespace ?? ''}`.trim());
    const each = ['ActionType system', 'RemediationWorkflow system', 'ServiceAccount runs', 'ClusterRole', 'ClusterRoleBinding'];
    expect(places).toEqual(Object.keys(workflows).flatMap(() => each));
    for (const { draft } of ofKind(library, 'ClusterRoleBinding'))
      expect((draft as Draft<ClusterRoleBinding>).subjects?.map(({ namespace }) => namespace)).toEqual(['runs']);
  });

  test('runs another image when configured to', async () => {
    const bundle = async (image?: string): Promise<string | undefined> => {
      const [entry] = ofKind(await readLibrary({ ...OPTIONS, ...(image ? { image } : {}) }), 'RemediationWorkflow');
      return (entry?.draft as Draft<RemediationWorkflow> | undefined)?.spec.execution.bundle;
    };
    expect(await bundle()).toBe('sickbay/workflows:0.1.0');
    expect(await bundle('mirror/workflows@sha256:1')).toBe('mirror/workflows@sha256:1');
  });

  test('fits together: every workflow has its action type, its account, and an account that is bound', async () => {
    const library = await readLibrary(OPTIONS);
    const types = ofKind(library, 'ActionType').map(({ draft }) => (draft as Draft<ActionType>).spec.name);
    const accounts = ofKind(library, 'ServiceAccount').map(({ draft }) => draft.metadata.name);
    const subjects = ofKind(library, 'ClusterRoleBinding').flatMap(({ draft }) => (draft as Draft<ClusterRoleBinding>).subjects ?? []);
    for (const { draft } of ofKind(library, 'RemediationWorkflow')) {
      const { spec } = draft as Draft<RemediationWorkflow>;
      expect(types).toContain(spec.actionType);
      expect(accounts).toContain(spec.execution.serviceAccountName);
      expect(subjects.map(({ name }) => name)).toContain(spec.execution.serviceAccountName);
    }
  });

  test('has every workflow that can be run, under one name everywhere', async () => {
    const library = await readLibrary(OPTIONS);
    const catalogue = ofKind(library, 'RemediationWorkflow').map(({ draft }) => draft as Draft<RemediationWorkflow>);
    expect(catalogue.map(({ metadata }) => metadata.name)).toEqual(Object.keys(workflows).toSorted());
    for (const { metadata, spec } of catalogue) {
      expect(spec.execution).toMatchObject({
        engineConfig: { args: [metadata.name], runAsUser: 65_532 },
        serviceAccountName: `workflow-${metadata.name}`,
      });
    }
  });

  test('has one workflow for one action, so that none takes the place of another', async () => {
    const catalogue = ofKind(await readLibrary(OPTIONS), 'RemediationWorkflow');
    const actions = catalogue.map(({ draft }) => (draft as Draft<RemediationWorkflow>).spec.actionType);
    expect(new Set(actions).size).toBe(actions.length);
  });

  test('means none to be left without replicas', async () => {
    for (const { draft } of ofKind(await readLibrary(OPTIONS), 'RemediationWorkflow'))
      expect((draft as Draft<RemediationWorkflow>).spec.scalesToZero).toBeUndefined();
  });

  test('declares parameters in upper case, with bounds on everything but what the system supplies', async () => {
    for (const { draft } of ofKind(await readLibrary(OPTIONS), 'RemediationWorkflow'))
      for (const { name, type, ...bounds } of (draft as Draft<RemediationWorkflow>).spec.parameters) {
        expect(name).toMatch(/^[A-Z][A-Z0-9_]*$/);
        const isBounded = type === 'boolean' || ['enum', 'pattern', 'minimum'].some((bound) => bound in bounds);
        expect({ workflow: draft.metadata.name, name, isBounded }).toMatchObject({ isBounded: !name.startsWith('TARGET_RESOURCE_NAME') });
      }
  });

  test('declares the parameters that the programs read, and no others', async () => {
    // What may not be asked for at the same time is asked for one after the other.
    const sets = [{}, { LIMIT: '1' }, { RESTORE: 'a=1' }, { STATE: 'Pending' }, { REPLICAS: '3' }, { REVISION: '1' }];
    for (const { draft } of ofKind(await readLibrary(OPTIONS), 'RemediationWorkflow')) {
      const { name = '' } = draft.metadata;
      const { parameters } = (draft as Draft<RemediationWorkflow>).spec;
      const kind = parameters.find((parameter) => parameter.name === 'TARGET_RESOURCE_KIND')?.enum?.[0];
      const read = new Set<string>();
      for (const set of sets) await readsOf(name, { ...told(String(kind), 'web'), ...set }, read);
      const system = ['TARGET_UID', 'WORKFLOW_EXECUTION'];
      expect([name, ...[...read].filter((one) => !system.includes(one)).toSorted()]).toEqual([
        name,
        ...parameters.map((parameter) => parameter.name).toSorted(),
      ]);
    }
  });

  test('declares the bounds that the programs keep', async () => {
    for (const { draft } of ofKind(await readLibrary(OPTIONS), 'RemediationWorkflow')) {
      const { parameters } = (draft as Draft<RemediationWorkflow>).spec;
      const kind = parameters.find((parameter) => parameter.name === 'TARGET_RESOURCE_KIND')?.enum?.[0];
      const env = told(String(kind), 'web', { REPLICAS: '3', REVISION: '1', STATE: 'Pending', TAINT_KEY: 'a' });
      const end = (name: string, value: unknown) => codeOf(draft.metadata.name ?? '', { ...env, [name]: String(value) });
      for (const parameter of parameters) {
        const { inside, outside } = edgesOf(parameter);
        for (const value of outside) expect([parameter.name, value, await end(parameter.name, value)]).toEqual([parameter.name, value, 2]);
        for (const value of inside)
          expect([parameter.name, value, await end(parameter.name, value)]).toEqual([parameter.name, value, undefined]);
      }
    }
  });

  test('grants no wildcard and no right over Secrets', async () => {
    for (const { draft } of ofKind(await readLibrary(OPTIONS), 'ClusterRole'))
      for (const { verbs, apiGroups = [], resources = [] } of (draft as Draft<ClusterRole>).rules ?? [])
        expect([...verbs, ...apiGroups, ...resources].filter((word) => word === '*' || word === 'secrets')).toEqual([]);
  });
});

type Parameter = RemediationWorkflow['spec']['parameters'][number];

/** Values that are just allowed, and values that are just not. */
function edgesOf({ minimum, maximum, enum: choice }: Parameter): {
  readonly inside: readonly unknown[];
  readonly outside: readonly unknown[];
} {
  const least = minimum === undefined ? [] : [minimum];
  const most = maximum === undefined ? [] : [maximum];
  const outside = [...least.map((value) => value - 1), ...most.map((value) => value + 1), ...(choice ? ['Neither'] : [])];
  return { inside: [...least, ...most, ...(choice ?? [])], outside };
}

/** Runs a workflow without a server, and notes which variables it reads. */
async function readsOf(name: string, env: Readonly<Record<string, string>>, read: Set<string>): Promise<void> {
  const noting = new Proxy(env, { get: (target, member: string) => (read.add(member), target[member]) });
  await codeOf(name, noting);
}

const codeOf = async (name: string, env: Environment): Promise<unknown> =>
  (async () => (workflows[name] as Workflow)(UNREACHABLE, env))().catch(
    (error: unknown) => (error as { readonly exitCode?: number }).exitCode,
  );

const UNREACHABLE = new Proxy({} as KubeClient, { get: () => () => Promise.reject(new Error('the server does not answer')) });

describe('installing the library', () => {
  test('satisfies the schemas of the kinds', async () => {
    const client = await aCluster();
    await installLibrary(client, OPTIONS);
    const workflow = await client.get(RemediationWorkflow, { namespace: 'system', name: 'rollback-deployment' });
    expect(workflow.spec.parameters.map(({ name }) => name)).toContain('REVISION');
    expect((await client.list(ServiceAccount, { namespace: 'runs' })).items.map(({ metadata }) => metadata.name)).toContain(
      'workflow-rollback-deployment',
    );
  });

  test('a second time writes nothing', async () => {
    const client = await aCluster();
    const library = await readLibrary(OPTIONS);
    await installLibrary(client, OPTIONS);
    const before = await versions(client, library);
    await installLibrary(client, OPTIONS);
    expect(await versions(client, library)).toEqual(before);
  });

  test('brings up to date what differs, and leaves what others added', async () => {
    const client = await aCluster();
    await installLibrary(client, OPTIONS);
    const key = { namespace: 'system', name: 'rollback-deployment' };
    await client.patch(RemediationWorkflow, key, {
      type: 'merge',
      body: { metadata: { labels: { team: 'a' } }, spec: { version: '0.0.1' } },
    });
    await client.patch(
      ClusterRole,
      { namespace: '', name: 'sickbay-workflow-rollback-deployment' },
      { type: 'merge', body: { rules: [] } },
    );
    await installLibrary(client, { ...OPTIONS, image: 'mirror/workflows:2' });
    const workflow = await client.get(RemediationWorkflow, key);
    expect(workflow.spec).toMatchObject({ version: '0.1.0', execution: { bundle: 'mirror/workflows:2' } });
    expect(workflow.metadata.labels).toEqual({ team: 'a' });
    expect((await client.get(ClusterRole, { namespace: '', name: 'sickbay-workflow-rollback-deployment' })).rules).toHaveLength(2);
  });
});
