/** A power cycle on a real kube-apiserver, with the rights of our account and the one Secret that it was allowed. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ConfigMap, Namespace, Node, Role, RoleBinding, Secret, ServiceAccount } from '../../src/api/builtin/index.ts';
import { kinds, Machine, PowerCycleRemediation, PowerCycleRemediationTemplate } from '../../src/api/index.ts';
import { ACCOUNT, ownRights } from '../../src/api/rights/index.ts';
import { after, MINUTE, silent, systemClock, toMicroTime } from '../../src/base/index.ts';
import { ledgerKey } from '../../src/controllers/budget/index.ts';
import {
  createPowerCalls,
  createPowerCycleController,
  POWER_CALL,
  CommandFailures,
} from '../../src/controllers/machine-remediation/power-cycle/index.ts';
import { SimBmc } from '../../src/controllers/machine-remediation/power-cycle/testing/sim-bmc.ts';
import { DEFAULT_SETTINGS } from '../../src/controllers/default-settings.ts';
import { installKinds } from '../../src/kube/client/install-kinds.ts';
import type { Controller } from '../../src/runtime/index.ts';
import { describeOnOwnControlPlane } from '../../src/testkit/lanes.ts';
import { runControllers } from '../cluster/run-controllers.ts';
import { MachineWard, reach } from './machine-health/machine-ward.ts';
import { tokenOf } from './machine-health/token-of.ts';

/** Hosts are emulated on this machine. */
const SETTINGS = { ...DEFAULT_SETTINGS, powerCycle: { bmcAddresses: 'bmc-0' } };
const { namespace: SYSTEM, executionNamespace: RUNS } = DEFAULT_SETTINGS;
const NAME = 'worker-0';
const slow = { timeout: 5 * MINUTE };

describeOnOwnControlPlane('power cycles on a real kube-apiserver', (plane) => {
  let ward: MachineWard;
  let working: Promise<unknown> = Promise.resolve();
  const over = new AbortController();
  const bmc = new SimBmc();
  const host = bmc.host('https://bmc-0');

  beforeAll(async () => {
    ward = await MachineWard.open(reach(plane()), 'machines');
    const { admin } = ward;
    await installKinds(kinds, { client: admin, clock: systemClock, until: after(systemClock.now(), MINUTE) });
    for (const name of [SYSTEM, RUNS]) await admin.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    await admin.create(ServiceAccount, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: ACCOUNT, namespace: SYSTEM } });
    const rights = ownRights({ namespace: SYSTEM, executionNamespace: RUNS }).filter(({ resource }) => resource.kind !== 'ServiceAccount');
    const token = await tokenOf(admin, rights, SYSTEM);
    await admin.create(PowerCycleRemediationTemplate, { ...PowerCycleRemediationTemplate.sample, metadata: ward.key('cycle') });
    await ward.start();
    const failures = new CommandFailures();
    const controller = createPowerCycleController({ settings: () => SETTINGS, bmc, failures }) as Controller;
    const call = createPowerCalls({ client: ward.as(token), settings: () => SETTINGS, bmc, failures, clock: systemClock, log: silent });
    working = runControllers(ward.recorded(token), [controller], over.signal, { [POWER_CALL]: call }).catch(() => undefined);
  }, 2 * MINUTE);

  afterAll(async () => {
    over.abort(new Error('the tests are over'));
    await working;
    await ward.close();
  });

  /** What the documentation tells people to do for each host. */
  async function allowSecret(): Promise<void> {
    const { admin } = ward;
    const entries = { address: 'https://bmc-0', username: 'admin', password: 'opens-nothing-real' };
    await admin.create(Secret, { apiVersion: 'v1', kind: 'Secret', metadata: ward.key(`${NAME}-bmc`), stringData: entries });
    const rule = { apiGroups: [''], resources: ['secrets'], resourceNames: [`${NAME}-bmc`], verbs: ['get'] };
    const api = 'rbac.authorization.k8s.io';
    await admin.create(Role, { apiVersion: `${api}/v1`, kind: 'Role', metadata: ward.key('sickbay-bmc'), rules: [rule] });
    await admin.create(RoleBinding, {
      apiVersion: `${api}/v1`,
      kind: 'RoleBinding',
      metadata: ward.key('sickbay-bmc'),
      roleRef: { apiGroup: api, kind: 'Role', name: 'sickbay-bmc' },
      subjects: [{ kind: 'ServiceAccount', name: ACCOUNT, namespace: SYSTEM }],
    });
  }

  /** No kubelet is behind it, which Kubernetes says of a host that is off. */
  const fallSilent = () =>
    ward.admin.patchStatus(
      Node,
      { namespace: '', name: NAME },
      { type: 'strategic', body: { status: { conditions: [{ type: 'Ready', status: 'Unknown' }] } } },
    );

  test('[MH-038] [MH-111] [MH-129] from an unhealthy Node to a deleted request, without any right that is not its own', slow, async () => {
    await ward.machine(NAME, { labels: { pool: 'a' } });
    const { uid } = (await ward.admin.get(Machine, ward.key(NAME))).metadata;
    const templateRef = { apiVersion: 'remediation.sickbay.dev/v1alpha1', kind: 'PowerCycleRemediationTemplate', name: 'cycle' };
    await ward.check('a', { selector: { matchLabels: { pool: 'a' } }, remediation: { templateRef } });
    await ward.turn(NAME, 'True');
    await fallSilent();
    const says = (reason: string) => (found: PowerCycleRemediation) => found.status?.conditions?.[0]?.reason === reason;
    const request = await ward.until(PowerCycleRemediation, NAME, says('BmcAccessMissing'));
    expect(request.status).toMatchObject({ phase: 'pending', message: expect.stringContaining('allow Sickbay') as string });
    await ward.untilTold(request, 'BmcAccessMissing');
    await allowSecret();

    const freed = await ward.until(
      PowerCycleRemediation,
      NAME,
      ({ status }) => status?.phase === 'waiting' && status.taintedNode === undefined,
    );
    expect(freed.metadata.finalizers).toEqual(['remediation.sickbay.dev']);
    expect(host.heard).toEqual(['off', 'on']);
    await ward.untilTold(freed, 'FreeingWorkloads');
    const taints = (await ward.admin.get(Node, { namespace: '', name: NAME })).spec?.taints ?? [];
    expect(taints.map(({ key }) => key)).not.toContain('node.kubernetes.io/out-of-service');
    // Marked while its host was off, and unmarked since; more often where Kubernetes wrote on it at that moment.
    expect(ward.writes().filter((write) => write === `PATCH /api/v1/nodes/${NAME}`).length).toBeGreaterThanOrEqual(2);

    await ward.turn(NAME, 'False');
    // As if the power-off had been requested long ago, so that no wait after it remains.
    const powerOffRequestedAt = toMicroTime(after(systemClock.now(), -3 * MINUTE));
    await ward.admin.patchStatus(PowerCycleRemediation, ward.key(NAME), { type: 'merge', body: { status: { powerOffRequestedAt } } });
    await ward.untilGone(PowerCycleRemediation, NAME);
    expect([host.power, (await ward.admin.get(Machine, ward.key(NAME))).metadata.uid]).toEqual(['On', uid]);
    const claims = Object.values((await ward.admin.get(ConfigMap, ledgerKey(SYSTEM))).data ?? {});
    expect(claims.map((text) => JSON.parse(text) as object)).toMatchObject([{ node: NAME, endedAt: expect.any(String) as string }]);
    // Until it was allowed.
    expect(ward.refused.filter((refusal) => !refusal.includes(`/secrets/${NAME}-bmc 403`))).toEqual([]);
  });
});
