import { afterAll, beforeAll, expect, test } from 'vitest';
import { Namespace, Node, Pod, ServiceAccount } from '../../src/api/builtin/index.ts';
import {
  kinds,
  Machine,
  MachineHealthCheck,
  MachineSet,
  PowerCycleRemediation,
  PowerCycleRemediationTemplate,
  type Draft,
} from '../../src/api/index.ts';
import { ACCOUNT } from '../../src/api/rights/index.ts';
import { machineRights } from '../../src/api/rights/machines.ts';
import { after, hasCode, MINUTE, systemClock } from '../../src/base/index.ts';
import type { KubeClient } from '../../src/kube/index.ts';
import { installKinds } from '../../src/kube/client/install-kinds.ts';
import { describeOnOwnControlPlane } from '../../src/testkit/lanes.ts';
import { MachineWard, reach } from './machine-health/machine-ward.ts';
import { tokenOf } from './machine-health/token-of.ts';

/** The server collects garbage of a kind from half a minute after the kind is defined. */
const patiently = { timeout: 3 * MINUTE };
const SYSTEM = 'sickbay-system';
const REFERENCE = { apiVersion: 'remediation.sickbay.dev/v1alpha1', kind: 'PowerCycleRemediationTemplate', name: 'cycle' };

describeOnOwnControlPlane('machine health on a real kube-apiserver, with the rights of its role alone', (plane) => {
  let ward: MachineWard;
  let token: string;
  let account: KubeClient;

  beforeAll(async () => {
    ward = await MachineWard.open(reach(plane()), 'machines');
    const { admin } = ward;
    await installKinds(kinds, { client: admin, clock: systemClock, until: after(systemClock.now(), MINUTE) });
    await admin.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: SYSTEM } });
    await admin.create(ServiceAccount, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: ACCOUNT, namespace: SYSTEM } });
    // Its rights and no others.
    token = await tokenOf(admin, machineRights({ namespace: SYSTEM, executionNamespace: 'sickbay-runs' }), SYSTEM);
    account = ward.as(token);
    await admin.create(PowerCycleRemediationTemplate, templateNamed('cycle'));
    await ward.start({ token, keepsMachineSets: true });
  }, 2 * MINUTE);

  afterAll(() => ward.close());

  const templateNamed = (name: string): Draft<PowerCycleRemediationTemplate> => ({
    ...PowerCycleRemediationTemplate.sample,
    metadata: ward.key(name),
  });

  test('[MH-001] [MH-162] existing objects are left as they were, healthy or unhealthy, until a check selects them', async () => {
    await ward.machine('old', { labels: { pool: 'old' } });
    await ward.turn('old', 'True');
    const before = await ward.admin.get(Machine, ward.key('old'));
    // A check that selects no Machine: once it has its figures, every Machine has been evaluated.
    await ward.check('nobody', { selector: { matchLabels: { pool: 'nobody' } } });
    await ward.until(MachineHealthCheck, 'nobody', ({ status }) => status?.expectedMachines === 0);
    expect(await ward.admin.get(Machine, ward.key('old'))).toEqual(before);
    expect(ward.writes().filter((write) => !write.endsWith('/machinehealthchecks/nobody/status'))).toEqual([]);
  });

  test('[MH-014] [MH-070] [MH-078] a Node becomes unhealthy: its Machine reports it in both styles, its owner is asked, the check counts it, an Event is recorded', async () => {
    const set = await ward.admin.create(MachineSet, { ...MachineSet.sample, metadata: ward.key('workers') });
    const owner = { apiVersion: set.apiVersion, kind: set.kind, name: set.metadata.name, uid: set.metadata.uid };
    for (const name of ['a-0', 'a-1', 'a-2']) await ward.machine(name, { labels: { pool: 'a' }, ownerReferences: [owner] });
    await ward.check('a', { selector: { matchLabels: { pool: 'a' } } });
    await ward.until(MachineHealthCheck, 'a', ({ status }) => status?.currentHealthy === 3 && status.expectedMachines === 3);

    await ward.turn('a-0', 'True');
    const unhealthy = await ward.untilStated('a-0', {
      HealthCheckSucceeded: 'False',
      OwnerRemediated: 'False',
      HasRemediatingOwner: 'True',
    });
    expect(unhealthy.status?.deprecated?.v1beta1?.conditions).toMatchObject([
      { type: 'HealthCheckSucceeded', status: 'False', severity: 'Warning', reason: 'UnhealthyNode' },
      { type: 'OwnerRemediated', status: 'False', severity: 'Warning', reason: 'WaitingForRemediation' },
    ]);
    await ward.until(MachineHealthCheck, 'a', ({ status }) => status?.currentHealthy === 2 && status.expectedMachines === 3);
    expect((await ward.untilTold(unhealthy, 'MachineMarkedUnhealthy')).type).toBe('Normal');

    await ward.turn('a-0', 'False');
    const well = await ward.untilStated('a-0', { HealthCheckSucceeded: 'True' });
    expect(well.status?.deprecated?.v1beta1?.conditions).toMatchObject([{ type: 'HealthCheckSucceeded', status: 'True' }, {}]);
    await ward.until(MachineHealthCheck, 'a', ({ status }) => status?.currentHealthy === 3);
  });

  test(
    '[MH-015] [MH-092] [MH-093] [MH-096] [MH-100] a request outlives its process, goes when its Machine is well, and goes with its Machine',
    patiently,
    async () => {
      for (const name of ['b-0', 'b-1', 'b-2']) await ward.machine(name, { labels: { pool: 'b' } });
      await ward.check('b', { selector: { matchLabels: { pool: 'b' } }, remediation: { templateRef: REFERENCE } });
      await ward.turn('b-0', 'True');
      const made = await ward.until(PowerCycleRemediation, 'b-0', () => true);
      expect(made.spec).toEqual(PowerCycleRemediationTemplate.sample.spec.template.spec);

      await ward.start({ token });
      await ward.turn('b-1', 'True');
      // The new life has looked at the whole check.
      await ward.until(PowerCycleRemediation, 'b-1', () => true);
      expect((await ward.admin.get(PowerCycleRemediation, ward.key('b-0'))).metadata.uid).toBe(made.metadata.uid);

      await ward.turn('b-0', 'False');
      await ward.untilGone(PowerCycleRemediation, 'b-0');
      await ward.untilStated('b-0', { HealthCheckSucceeded: 'True' });

      await ward.admin.delete(Machine, ward.key('b-1'));
      await ward.untilGone(PowerCycleRemediation, 'b-1');
      // Ours went by our own call, this one by the server's.
      const deletions = ward.writes().filter((write) => write.startsWith('DELETE'));
      expect(deletions).toEqual(['DELETE /apis/remediation.sickbay.dev/v1alpha1/namespaces/machines/powercycleremediations/b-0']);
    },
  );

  test('[MH-032] [MH-152] all of that took no deletion but of requests, no eviction, no change of a Node or of what a Machine should be', async () => {
    expect(ward.refused).toEqual([]);
    const kindsOfWrites = new Set(
      ward.writes().map((write) => write.replace(/namespaces\/[^/]+\//, '').replace(/\/(a|b)-\d|\/[ab]\b|\/nobody/, '')),
    );
    const events = [...kindsOfWrites].filter((write) => write.includes('/events'));
    expect([...kindsOfWrites].filter((write) => !events.includes(write)).toSorted()).toEqual([
      'DELETE /apis/remediation.sickbay.dev/v1alpha1/powercycleremediations',
      'PATCH /apis/cluster.x-k8s.io/v1beta2/machinehealthchecks/status',
      'PATCH /apis/cluster.x-k8s.io/v1beta2/machines/status',
      'POST /apis/remediation.sickbay.dev/v1alpha1/powercycleremediations',
    ]);
  });

  test.each([
    { what: 'delete a Machine', act: (by: KubeClient) => by.delete(Machine, ward.key('a-1')) },
    { what: 'delete a Node', act: (by: KubeClient) => by.delete(Node, { namespace: '', name: 'a-1' }) },
    {
      what: 'cordon a Node',
      act: (by: KubeClient) => by.patch(Node, { namespace: '', name: 'a-1' }, { type: 'merge', body: { spec: { unschedulable: true } } }),
    },
    { what: 'delete a check', act: (by: KubeClient) => by.delete(MachineHealthCheck, ward.key('a')) },
    {
      what: 'evict a Pod',
      act: (by: KubeClient) => {
        const body = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: ward.key('web') };
        return by.subresource(Pod, ward.key('web'), { name: 'eviction', body });
      },
    },
  ])('[MH-032] [MH-152] its role may not $what', async ({ act }) => {
    await expect(act(account)).rejects.toSatisfy((error) => hasCode(error, 'Forbidden'));
  });

  test('[MH-155] it marks through the status alone', async () => {
    const annotated = account.patch(Machine, ward.key('a-1'), { type: 'merge', body: { metadata: { annotations: { a: 'b' } } } });
    await expect(annotated).rejects.toSatisfy((error) => hasCode(error, 'Forbidden'));
    const { status } = await ward.admin.get(Machine, ward.key('a-1'));
    const marked = await account.patchStatus(Machine, ward.key('a-1'), { type: 'merge', body: { status: { phase: 'Running' } } });
    expect(marked.status).toEqual({ ...status, phase: 'Running' });
  });
});
