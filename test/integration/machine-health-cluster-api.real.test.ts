import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { Cluster, Role, RoleBinding, Secret } from '../../src/api/builtin/index.ts';
import {
  CustomResourceDefinition,
  Machine,
  MachineHealthCheck,
  MachineSet,
  PowerCycleRemediation,
  PowerCycleRemediationTemplate,
  resourceName,
  type Draft,
  type Resource,
} from '../../src/api/index.ts';
import { ACCOUNT, ownRights, type Grant } from '../../src/api/rights/index.ts';
import { after, hasCode, MINUTE, silent, steadyClock, systemClock, systemRandom, toTime } from '../../src/base/index.ts';
import { install } from '../../src/cli/process/install.ts';
import { createProcess } from '../../src/cli/process/process.ts';
import { whoseDefinitions } from '../../src/cli/process/machine-definitions.ts';
import { DEFAULT_SETTINGS } from '../../src/controllers/default-settings.ts';
import { httpTransport } from '../../src/kube/index.ts';
import { describeOnOwnControlPlane } from '../../src/testkit/lanes.ts';
import { MachineWard, reach } from './machine-health/machine-ward.ts';
import { tokenOf } from './machine-health/token-of.ts';
import { Rival } from './machine-health/rival.ts';

/** The folder of Cluster API's own definitions. */
const FOLDER = process.env['SICKBAY_TEST_CLUSTER_API_CRDS'] ?? '';
const run = promisify(execFile);
const HELM = process.env['SICKBAY_TEST_HELM'] ?? '';
const THEIRS: readonly Resource[] = [Machine, MachineHealthCheck, MachineSet, Cluster];
const OURS = { labels: { 'cluster.x-k8s.io/watch-filter': 'sickbay' }, annotations: { 'cluster.x-k8s.io/paused': '' } };
const REFERENCE = { apiVersion: 'remediation.sickbay.dev/v1alpha1', kind: 'PowerCycleRemediationTemplate', name: 'cycle' };

describe.skipIf(FOLDER === '')('with the definitions named by SICKBAY_TEST_CLUSTER_API_CRDS', () => {
  describeOnOwnControlPlane("machine health beside Cluster API's own definitions", (plane) => {
    let ward: MachineWard;

    beforeAll(async () => {
      ward = await MachineWard.open(reach(plane()), 'fleet');
      for (const { group, plural } of THEIRS) {
        const draft = parse(readFileSync(join(FOLDER, `${group}_${plural}.yaml`), 'utf8')) as Draft<CustomResourceDefinition>;
        await ward.admin.create(CustomResourceDefinition, draft);
      }
      for (const kind of THEIRS) await untilServed(kind);
      await ward.cluster();
    }, 2 * MINUTE);

    afterAll(() => ward.close());

    async function untilServed(kind: Resource): Promise<void> {
      for (;;) {
        const isServed = await ward.admin.list(kind).then(
          () => true,
          (error: unknown) => (hasCode(error, 'NotFound') ? false : Promise.reject(error as Error)),
        );
        if (isServed) return;
        await systemClock.waitUntil(after(systemClock.now(), 100), new AbortController().signal);
      }
    }

    const definition = async (kind: Resource): Promise<string> =>
      JSON.stringify(await ward.admin.get(CustomResourceDefinition, { namespace: '', name: resourceName(kind) }));

    /** Where each object stands; it moves with every write. */
    const versions = async (names: readonly string[]): Promise<readonly string[]> => {
      const all = [...(await ward.admin.list(Machine)).items, ...(await ward.admin.list(MachineHealthCheck)).items];
      return all
        .map(({ kind, metadata }) => `${kind} ${metadata.name} ${metadata.resourceVersion}`)
        .filter((text) => names.includes(text.split(' ')[1] ?? ''));
    };

    test('[MH-045] [MH-162] installation leaves their definitions byte for byte, and what is there as it was', async () => {
      await ward.machine('old', { labels: { pool: 'old' } });
      await ward.check('old', { selector: { matchLabels: { pool: 'old' } } });
      const before = [...(await Promise.all(THEIRS.map(definition))), ...(await versions(['old']))];
      await install({ client: ward.admin, clock: systemClock, settings: DEFAULT_SETTINGS });
      expect([...(await Promise.all(THEIRS.map(definition))), ...(await versions(['old']))]).toEqual(before);
      expect(await whoseDefinitions(ward.admin, { clock: steadyClock, log: silent })).toBe('cluster-api');
    });

    test.skipIf(HELM === '')('[MH-045] nor does the chart touch them, by the helm that SICKBAY_TEST_HELM names', async () => {
      const before = await Promise.all(THEIRS.map(definition));
      const chart = fileURLToPath(new URL('../../deploy/chart', import.meta.url));
      const helm = (verb: string, ...flags: readonly string[]): Promise<unknown> =>
        run(HELM, [verb, 'sickbay', ...flags, '--kubeconfig', plane().kubeconfig, '--namespace', 'doctor'], { maxBuffer: 2 ** 26 });
      const install = ['--create-namespace', '--set', 'config.executionNamespace=theatre'];
      await expect(helm('install', chart, ...install)).rejects.toThrow('conflict');
      expect(await Promise.all(THEIRS.map(definition))).toEqual(before);
      // The rest of the chart installs where the kinds are defined.
      await helm('upgrade', chart, '--install', '--skip-crds', ...install);
      await helm('uninstall');
      expect(await Promise.all(THEIRS.map(definition))).toEqual(before);
    });

    test('the process as it is wired keeps to that, with its own rights', { timeout: 2 * MINUTE }, async () => {
      const { namespace, executionNamespace } = DEFAULT_SETTINGS;
      const token = await tokenOf(ward.admin, [...ownRights({ namespace, executionNamespace }), ...kubeconfigRights(namespace)], namespace);
      const data = { value: Buffer.from(readFileSync(plane().kubeconfig)).toString('base64') };
      await ward.admin.create(Secret, { apiVersion: 'v1', kind: 'Secret', metadata: ward.key('c-kubeconfig'), data });
      const definitions = await whoseDefinitions(ward.as(token), { clock: steadyClock, log: silent });
      const sickbay = createProcess({
        transport: ward.recorded(token),
        settings: () => DEFAULT_SETTINGS,
        clock: systemClock,
        steady: steadyClock,
        random: systemRandom,
        log: silent,
        identity: 'test',
        identityIsChecked: () => false,
        ...(definitions && { checksMachines: definitions }),
        openCluster: httpTransport,
      });
      const over = new AbortController();
      const running = sickbay.run(over.signal);
      running.catch(() => undefined);
      const before = await versions(['old']);
      await ward.turn('old', 'True');
      await worksOnOurs('z');
      over.abort(new Error('told to stop'));
      await running;
      expect(await versions(['old'])).toEqual(before);
      expect(ward.refused).toEqual([]);
    });

    /** One whole round on a check of ours: proof that the controllers are at work. */
    async function worksOnOurs(pool: string): Promise<void> {
      for (const name of [`${pool}-0`, `${pool}-1`]) await ward.machine(name, { labels: { pool } });
      await ward.check(pool, { selector: { matchLabels: { pool } } }, OURS);
      await ward.turn(`${pool}-0`, 'True');
      await ward.untilStated(`${pool}-0`, { HealthCheckSucceeded: 'False', OwnerRemediated: 'False' });
      await ward.turn(`${pool}-0`, 'False');
      await ward.untilStated(`${pool}-0`, { HealthCheckSucceeded: 'True' });
    }

    /** What an administrator grants, so that Sickbay may read the kubeconfig of the Cluster. */
    const kubeconfigRights = (namespace: string): readonly Grant[] => {
      const metadata = ward.key('sickbay-kubeconfigs');
      const apiVersion = 'rbac.authorization.k8s.io/v1';
      const rules = [{ apiGroups: [''], resources: ['secrets'], resourceNames: ['c-kubeconfig'], verbs: ['get'] }];
      const subjects = [{ kind: 'ServiceAccount', name: ACCOUNT, namespace }] as const;
      const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: metadata.name } as const;
      const role: Draft<Role> = { apiVersion, kind: 'Role', metadata, rules };
      const binding: Draft<RoleBinding> = { apiVersion, kind: 'RoleBinding', metadata, roleRef, subjects };
      return [
        { resource: Role, draft: role },
        { resource: RoleBinding, draft: binding },
      ];
    };

    describe('at work', () => {
      beforeAll(async () => {
        await ward.admin.create(PowerCycleRemediationTemplate, { ...PowerCycleRemediationTemplate.sample, metadata: ward.key('cycle') });
        // Whatever their Machine has no place for is refused, not dropped.
        const change: Parameters<MachineWard['start']>[0] = {
          definitions: 'cluster-api',
          change: (request) =>
            request.path.includes('/machines/') && request.method === 'PATCH'
              ? { ...request, query: { ...request.query, fieldValidation: 'Strict' } }
              : request,
        };
        await ward.start(change);
      });

      test('a check of Cluster API is judged and reported, while neither it nor its Machines are written to', async () => {
        for (const name of ['t-0', 't-1']) await ward.machine(name, { labels: { pool: 't' } });
        await ward.check('t', { selector: { matchLabels: { pool: 't' } }, remediation: { templateRef: REFERENCE } });
        await ward.check('unpaused', { selector: { matchLabels: { pool: 't' } } }, { labels: OURS.labels });
        const names = ['t-0', 't-1', 't', 'unpaused', 'old'];
        const before = await versions(names);
        await ward.turn('t-0', 'True');
        await worksOnOurs('u');
        await expect
          .poll(() => ward.lines, { timeout: MINUTE / 2 })
          .toContainEqual({
            check: 'fleet/t',
            machines: 2,
            healthy: 1,
            unhealthy: ['t-0'],
            remediationAllowed: true,
          });
        const contested = await ward.admin.get(MachineHealthCheck, ward.key('unpaused'));
        await ward.untilTold(contested, 'NotKeptOff');
        expect(await versions(names)).toEqual(before);
        expect((await ward.admin.list(PowerCycleRemediation)).items).toEqual([]);
      });

      test('[MH-045] a check of Sickbay remediates and recovers on the schema of Cluster API', async () => {
        for (const name of ['v-0', 'v-1']) await ward.machine(name, { labels: { pool: 'v' } });
        await ward.check('v', { selector: { matchLabels: { pool: 'v' } }, remediation: { templateRef: REFERENCE } }, OURS);
        await ward.turn('v-0', 'True');
        const made = await ward.until(PowerCycleRemediation, 'v-0', () => true);
        const { metadata } = await ward.untilStated('v-0', { HealthCheckSucceeded: 'False', ExternallyRemediated: 'False' });
        expect(made.metadata.ownerReferences).toMatchObject([{ kind: 'Machine', uid: metadata.uid }]);
        await ward.until(
          MachineHealthCheck,
          'v',
          ({ metadata: { labels }, status }) =>
            status?.currentHealthy === 1 && status.expectedMachines === 2 && labels?.['cluster.x-k8s.io/cluster-name'] === 'c',
        );
        const { resourceVersion } = (await ward.admin.get(MachineHealthCheck, ward.key('v'))).metadata;
        await worksOnOurs('y');
        // Fields that the schema prunes do not change the object each time that they are sent.
        expect((await ward.admin.get(MachineHealthCheck, ward.key('v'))).metadata.resourceVersion).toBe(resourceVersion);
        await ward.turn('v-0', 'False');
        await ward.untilGone(PowerCycleRemediation, 'v-0');
        const well = await ward.untilStated('v-0', { HealthCheckSucceeded: 'True' });
        await ward.until(Machine, 'v-0', ({ status }) => !status?.conditions?.some(({ type }) => type === 'ExternallyRemediated'));
        expect(well.status?.deprecated?.v1beta1?.conditions).toMatchObject([{ type: 'HealthCheckSucceeded', status: 'True' }]);
        expect(ward.refused).toEqual([]);
      });

      test('a Machine that a check of Cluster API selects is left alone, even if Sickbay cannot read that check', async () => {
        await ward.machine('w-0', { labels: { pool: 'w' } });
        await ward.machine('w-1', { labels: { pool: 'w', theirs: 'yes' } });
        const unreadable = { triggerIf: { unhealthyLessThanOrEqualTo: '150%' } };
        await ward.check('w-theirs', { selector: { matchLabels: { theirs: 'yes' } }, remediation: unreadable });
        await ward.check('w', { selector: { matchLabels: { pool: 'w' } } }, OURS);
        const before = await versions(['w-1', 'w-theirs']);
        await ward.turn('w-1', 'True');
        await ward.turn('w-0', 'True');
        await ward.untilStated('w-0', { HealthCheckSucceeded: 'False', OwnerRemediated: 'False' });
        const { status } = await ward.until(MachineHealthCheck, 'w', ({ status }) => status?.currentHealthy === 0);
        expect(status?.conditions?.find(({ type }) => type === 'Overlapping')).toMatchObject({ status: 'True' });
        expect(await versions(['w-1', 'w-theirs'])).toEqual(before);
      });

      test(
        'another controller that writes on the same objects never finds its own conditions removed',
        { timeout: 2 * MINUTE },
        async () => {
          for (const name of ['x-0', 'x-1']) await ward.machine(name, { labels: { pool: 'x' } });
          await ward.check('x', { selector: { matchLabels: { pool: 'x' } } }, OURS);
          const rival = new Rival(ward.admin);
          const counting = rival.keepCounting(Machine, ward.key('x-0'), 'InfrastructureReady');
          const saying = rival.keepSaying(MachineHealthCheck, ward.key('x'), {
            type: 'Paused',
            status: 'True',
            reason: 'Paused',
            message: 'MachineHealthCheck has the cluster.x-k8s.io/paused annotation',
            lastTransitionTime: toTime(systemClock.now()),
          });
          const rounds = async (): Promise<void> => {
            for (const _ of [1, 2, 3]) {
              await ward.turn('x-0', 'True');
              await ward.untilStated('x-0', { HealthCheckSucceeded: 'False' });
              await ward.until(MachineHealthCheck, 'x', ({ status }) => status?.currentHealthy === 1);
              await ward.turn('x-0', 'False');
              await ward.untilStated('x-0', { HealthCheckSucceeded: 'True' });
              await ward.until(MachineHealthCheck, 'x', ({ status }) => status?.currentHealthy === 2);
            }
          };
          const [counted, said] = await Promise.all([counting, saying, rounds().finally(() => rival.stop())]);
          // It wrote many times between the writes of Sickbay, and each time found its previous write unchanged.
          expect(counted.writes).toBeGreaterThan(5);
          expect(counted.reverted).toBe(0);
          // One write of its condition was enough.
          expect(said.writes).toBe(1);
          const { status } = await ward.admin.get(MachineHealthCheck, ward.key('x'));
          expect(status?.conditions?.find(({ type }) => type === 'Paused')).toMatchObject({ status: 'True' });
        },
      );
    });
  });
});
