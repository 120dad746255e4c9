import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Deployment, Job, Namespace, Pod, ReplicaSet, SubjectAccessReview } from '../../src/api/builtin/index.ts';
import type { Draft } from '../../src/api/meta.ts';
import { MINUTE, systemClock, systemRandom } from '../../src/base/index.ts';
import { until } from '../../src/cli/demo/until.ts';
import { jobFailure, evidenceOf } from '../../src/controllers/execution/engines/job/job-failure.ts';
import { endOf } from '../../src/controllers/execution/engines/job/job-end.ts';
import { jobDraft } from '../../src/controllers/execution/index.ts';
import { createClient } from '../../src/kube/client/api-client.ts';
import type { KubeClient } from '../../src/kube/client/client.ts';
import { httpTransport, type HttpTransport } from '../../src/kube/http/http-transport.ts';
import { loadConfig } from '../../src/kube/identity/load-config.ts';
import { describeOnCluster } from '../../src/testkit/lanes.ts';
import { readLibrary, type LibraryEntry } from '../library.ts';
import { isAccount, ownCopy } from '../testing/accounts.ts';
import { anExecution, IMAGE } from '../testing/cluster-runs.ts';

const BUSYBOX = 'sickbay.test/busybox:1';
const GOOD = ['sleep', '3600'];
const BAD = ['sh', '-c', 'exit 1'];

describe.skipIf(IMAGE === '')('the image named by SICKBAY_TEST_WORKFLOW_IMAGE', () => {
  describeOnCluster('rolls back a Deployment that really crash-loops', (kubeconfig) => {
    const suffix = systemRandom.uuid().slice(0, 8);
    const [shop, runs] = [`wf-shop-${suffix}`, `wf-runs-${suffix}`];
    const over = new AbortController();
    let transport: HttpTransport;
    let client: KubeClient;
    let library: readonly LibraryEntry[];

    beforeAll(async () => {
      transport = httpTransport(await loadConfig({ clock: systemClock, kubeconfig: kubeconfig() }));
      client = createClient(transport);
      for (const name of [shop, runs]) await client.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
      library = (await readLibrary({ namespace: 'unused', executionNamespace: runs, image: IMAGE })).map((entry) => ownCopy(entry, suffix));
      for (const { resource, draft } of library.filter(isAccount)) await client.create(resource, draft);
    });

    afterAll(async () => {
      over.abort(new Error('the tests are over'));
      for (const { resource, draft } of library.filter((entry) => isAccount(entry) && !entry.resource.namespaced))
        await client.delete(resource, { namespace: '', name: draft.metadata.name ?? '' });
      for (const name of [shop, runs]) await client.delete(Namespace, { namespace: '', name });
      await transport.close();
    });

    /** Runs the workflow as the execution controller would, and waits for its end. */
    async function run(name: string, parameters: Readonly<Record<string, string>>): Promise<{ job: Job; pods: readonly Pod[] }> {
      const order = { workflow: 'rollback-deployment', kind: 'Deployment', name: 'web', namespace: shop, parameters };
      const execution = anExecution(library, order);
      const draft = jobDraft({ ...execution, metadata: { ...execution.metadata, name } }, runs, systemClock.now());
      await client.create(Job, { ...draft, metadata: { ...draft.metadata, name }, spec: { ...draft.spec, suspend: false } });
      const find = (jobs: readonly Job[]): Job | undefined => jobs.find((job) => job.metadata.name === name && endOf(job));
      const job = await until(client, { resource: Job, namespace: runs }, find, over.signal);
      return { job, pods: (await client.list(Pod, { namespace: runs, labelSelector: `job-name=${name}` })).items };
    }

    test('to the template of its first revision, and a second time does nothing', { timeout: 4 * MINUTE }, async () => {
      await client.create(Deployment, aDeployment(shop, GOOD));
      await until(client, { resource: Deployment, namespace: shop }, (all) => all.find(isAvailable), over.signal);
      await client.patch(
        Deployment,
        { namespace: shop, name: 'web' },
        { type: 'json', body: [{ op: 'replace', path: COMMAND, value: BAD }] },
      );
      await until(client, { resource: Pod, namespace: shop }, (pods) => pods.find(isCrashLooping), over.signal);

      const first = await run('first', { REVISION: '1' });
      expect(endOf(first.job)?.type).toBe('Complete');
      const { spec, metadata } = await client.get(Deployment, { namespace: shop, name: 'web' });
      const old = (await client.list(ReplicaSet, { namespace: shop })).items.find((set) => commandOf(set.spec.template) === String(GOOD));
      expect(commandOf(spec.template)).toBe(String(GOOD));
      expect(spec.template.metadata?.labels).toEqual({ app: 'web' });
      expect(old?.metadata.ownerReferences?.[0]?.uid).toBe(metadata.uid);
      await until(client, { resource: Deployment, namespace: shop }, (all) => all.find(isAvailable), over.signal);

      const generation = (await client.get(Deployment, { namespace: shop, name: 'web' })).metadata.generation;
      expect(endOf((await run('second', { REVISION: '1' })).job)?.type).toBe('Complete');
      expect((await client.get(Deployment, { namespace: shop, name: 'web' })).metadata.generation).toBe(generation);
    });

    test('and says in the termination message why it cannot', { timeout: 2 * MINUTE }, async () => {
      const { job, pods } = await run('missing', { REVISION: '99' });
      expect(endOf(job)?.type).toBe('Failed');
      const failure = jobFailure(job, evidenceOf(job, pods, undefined, { kind: 'value', value: [] }));
      expect(failure).toMatchObject({ reason: 'TaskFailed', started: false, hasRefused: true, exitCode: 3 });
      expect(failure.message).toContain(`Deployment ${shop}/web is not rolled back: it has no revision 99`);
      expect(pods[0]?.spec).toMatchObject({ serviceAccountName: 'workflow-rollback-deployment', securityContext: { runAsUser: 65_532 } });
    });

    const rights = [
      { verb: 'get', group: 'apps', resource: 'deployments', allowed: true },
      { verb: 'patch', group: 'apps', resource: 'deployments', allowed: true },
      { verb: 'list', group: 'apps', resource: 'replicasets', allowed: true },
      { verb: 'delete', group: 'apps', resource: 'deployments', allowed: false },
      { verb: 'create', group: 'apps', resource: 'deployments', allowed: false },
      { verb: 'patch', group: 'apps', resource: 'replicasets', allowed: false },
      { verb: 'get', group: '', resource: 'secrets', allowed: false },
      { verb: 'create', group: '', resource: 'pods', allowed: false },
    ];
    test.each(rights)('with an account that may $verb $resource: $allowed', async ({ allowed, ...resourceAttributes }) => {
      const user = `system:serviceaccount:${runs}:workflow-rollback-deployment`;
      const review = await client.create(SubjectAccessReview, {
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'SubjectAccessReview',
        metadata: {},
        spec: { user, resourceAttributes: { ...resourceAttributes, namespace: shop } },
      });
      expect(review.status?.allowed).toBe(allowed);
    });
  });
});

const COMMAND = '/spec/template/spec/containers/0/command';

const aDeployment = (namespace: string, command: readonly string[]): Draft<Deployment> => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace },
  spec: {
    replicas: 1,
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: BUSYBOX, command }] } },
  },
});

const commandOf = (template: Deployment['spec']['template'] | undefined): string => String(template?.spec.containers[0]?.command);

const isAvailable = ({ metadata, status }: Deployment): true | undefined =>
  status?.observedGeneration === metadata.generation &&
  status?.updatedReplicas === 1 &&
  status.replicas === 1 &&
  status.availableReplicas === 1
    ? true
    : undefined;

const isCrashLooping = ({ status }: Pod): boolean => (status?.containerStatuses ?? []).some(({ restartCount }) => restartCount > 0);
