/** The power-cycle remediator and a real Redfish service: hosts take seconds to switch, and only what they say of their power counts. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Node, Secret } from '../../src/api/builtin/index.ts';
import { MachineHealthCheck } from '../../src/api/machine-health-check/machine-health-check.ts';
import { Machine } from '../../src/api/machine/machine.ts';
import { PowerCycleRemediation } from '../../src/api/power-cycle-remediation/power-cycle-remediation.ts';
import { MINUTE, SECOND, steadyClock } from '../../src/base/index.ts';
import {
  createPowerCalls,
  createPowerCycleController,
  POWER_CALL,
  CommandFailures,
} from '../../src/controllers/machine-remediation/power-cycle/index.ts';
import { DEFAULT_SETTINGS } from '../../src/controllers/default-settings.ts';
import { Stage } from '../../src/controllers/testing/stage.ts';
import { BmcError, createRedfishClient, type BmcAccess } from '../../src/redfish/index.ts';
import { describeWithRedfish } from '../../src/testkit/lanes.ts';
import { eventually } from '../../src/testkit/monitoring-servers.ts';
import { startRedfishEmulator, type RedfishEmulator } from '../../src/testkit/redfish-emulator.ts';

/** Hosts are emulated on this machine. */
const SETTINGS = { ...DEFAULT_SETTINGS, powerCycle: { bmcAddresses: '127.0.0.0/8, localhost' } };
const KEY = { namespace: 'shop', name: 'worker-0' };

describeWithRedfish('a Redfish service', (program) => {
  let emulator: RedfishEmulator;
  const bmc = createRedfishClient({ steady: steadyClock });
  beforeAll(async () => void (emulator = await startRedfishEmulator(program(), 2)));
  afterAll(() => emulator.stop());

  const access = (change: Partial<BmcAccess> = {}): BmcAccess => ({
    address: emulator.url,
    username: emulator.username,
    password: emulator.password,
    system: emulator.systems[1]!,
    insecureSkipVerify: false,
    ...change,
  });

  test('switches a host off and on, in its own time', async () => {
    expect(await bmc.powerOf(access())).toBe('On');
    await bmc.setPower(access(), 'off');
    await eventually('the host to be off', MINUTE, async () => ((await bmc.powerOf(access())) === 'Off' ? true : undefined));
    await bmc.setPower(access(), 'on');
    await eventually('the host to be on', MINUTE, async () => ((await bmc.powerOf(access())) === 'On' ? true : undefined));
  });

  test.each([
    { reason: 'the password is wrong', change: { password: 'wrong' }, fault: 'Unauthorized' },
    { reason: 'there is no such system', change: { system: 'nobody' }, fault: 'NotFound' },
  ])('reports the failure where $reason', async ({ change, fault }) => {
    const error = await bmc.powerOf(access(change)).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(BmcError);
    expect(error).toMatchObject({ fault });
  });

  test('is not guessed at where it has several systems', async () => {
    const { system: _, ...unnamed } = access();
    await expect(bmc.powerOf(unnamed)).rejects.toMatchObject({
      fault: 'NotFound',
      message: expect.stringContaining('has 2 systems') as string,
    });
  });

  test('[MH-034] [MH-127] a request power-cycles its host, and goes when it is on again', async () => {
    const failures = new CommandFailures();
    const stage = await Stage.start({
      kinds: [Machine, MachineHealthCheck, PowerCycleRemediation],
      controllers: [createPowerCycleController({ settings: () => SETTINGS, bmc, failures })],
      calls: ({ client, log, clock }) => ({
        [POWER_CALL]: createPowerCalls({ client, settings: () => SETTINGS, log, clock, bmc, failures }),
      }),
    });
    try {
      await ask(stage, access({ system: emulator.systems[0]! }));
      // Time on the stage is twice as fast as that of the hosts.
      const until = (what: string, isSo: (status: PowerCycleRemediation | undefined) => boolean) =>
        eventually(what, MINUTE, async () => {
          await stage.advance(SECOND / 2);
          const found = await stage.admin.get(PowerCycleRemediation, KEY).catch(() => undefined);
          return isSo(found) ? true : undefined;
        });
      await until('the cycle to be complete', (found) => found?.status?.phase === 'waiting');
      expect(stage.phases).toEqual(['pending', 'power-off', 'freeing', 'power-on', 'waiting']);
      expect(await bmc.powerOf(access({ system: emulator.systems[0]! }))).toBe('On');
      await stage.admin.delete(PowerCycleRemediation, KEY);
      await stage.advance(3 * MINUTE);
      await until('the request to be gone', (found) => found === undefined);
      expect((await stage.admin.get(Node, { namespace: '', name: KEY.name })).spec?.taints ?? []).toEqual([]);
      expect(stage.troubles).toEqual([]);
    } finally {
      await stage.end();
    }
  });
});

/** A Machine that fails the check that is about it, its Node, the Secret of its host, and the request for it. */
async function ask({ admin, settle }: Stage, { address, username, password, system = '' }: BmcAccess): Promise<void> {
  await admin.create(Node, { apiVersion: 'v1', kind: 'Node', metadata: { name: KEY.name } });
  const silent = { type: 'Ready', status: 'Unknown' } as const;
  await admin.patchStatus(Node, { namespace: '', name: KEY.name }, { type: 'merge', body: { status: { conditions: [silent] } } });
  const labels = { role: 'worker' };
  const apiVersion = 'cluster.x-k8s.io/v1beta2';
  const machine = await admin.create(Machine, { apiVersion, kind: 'Machine', metadata: { ...KEY, labels }, spec: { clusterName: 'here' } });
  await admin.create(MachineHealthCheck, {
    apiVersion,
    kind: 'MachineHealthCheck',
    metadata: { namespace: KEY.namespace, name: 'workers' },
    spec: {
      clusterName: 'here',
      selector: { matchLabels: labels },
      checks: { unhealthyNodeConditions: [{ type: 'Ready', status: 'Unknown', timeoutSeconds: 60 }] },
    },
  });
  const failing = { type: 'HealthCheckSucceeded', status: 'False', reason: 'UnhealthyNode', lastTransitionTime: '2026-01-10T11:00:00Z' };
  await admin.patchStatus(Machine, KEY, { type: 'merge', body: { status: { nodeRef: { name: KEY.name }, conditions: [failing] } } });
  await admin.create(Secret, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { namespace: KEY.namespace, name: `${KEY.name}-bmc` },
    data: Object.fromEntries(
      Object.entries({ address, username, password, system }).map(([entry, text]) => [entry, Buffer.from(text).toString('base64')]),
    ),
  });
  await admin.create(PowerCycleRemediation, {
    apiVersion: 'remediation.sickbay.dev/v1alpha1',
    kind: 'PowerCycleRemediation',
    metadata: {
      ...KEY,
      ownerReferences: [{ apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Machine', name: KEY.name, uid: machine.metadata.uid }],
    },
    spec: {},
  });
  await settle();
}
