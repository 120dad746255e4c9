/** One check in several versions: what holds on a real kube-apiserver and on ours alike. */
import { beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import {
  gateAllows,
  kinds,
  Machine,
  MachineHealthCheck,
  Namespace,
  normalise,
  PowerCycleRemediation,
  PowerCycleRemediationTemplate,
  type Draft,
  type KindDefinition,
  type KubeObject,
  type NormalisedHealthCheck,
  type Resource,
} from '../../src/api/index.ts';
import { after, hasCode, MINUTE, systemClock } from '../../src/base/index.ts';
import type { KubeClient } from '../../src/kube/index.ts';
import { validObjects } from '../../src/testkit/bad-values.ts';
import { installKinds } from '../../src/kube/client/install-kinds.ts';

const NAMESPACE = 'machine-api';
const VERSIONS = ['v1alpha3', 'v1beta1', 'v1beta2'] as const;

const SEED_CHECK = `
apiVersion: cluster.x-k8s.io/v1alpha3
kind: MachineHealthCheck
metadata:
  name: example
  namespace: machine-api
spec:
  selector:
    matchLabels:
      role: worker
  unhealthyConditions:
  - type:    "Ready"
    status:  "Unknown"
    timeout: "5m"
  - type:    "Ready"
    status:  "False"
    timeout: "5m"
  maxUnhealthy: "40%"
status:
  currentHealthy: 5
  expectedMachines: 5
`;

const SEED_EXTERNAL = [
  `
    kind: MachineHealthCheck
    apiVersion: cluster.x-k8s.io/v1alpha3
    metadata:
      name: remediation-group
      namespace: machine-api
    spec:
      selector:
        matchLabels:
          role: worker
      externalRemediationTemplate:
        kind: PowerCycleRemediationTemplate
        apiVersion: remediation.sickbay.dev/v1alpha1
        name: m3-remediation-group
`,
  `
    kind: PowerCycleRemediationTemplate
    apiVersion: remediation.sickbay.dev/v1alpha1
    metadata:
      name: m3-remediation-group
      namespace: machine-api
    spec:
      template:
        spec:
          strategy: escalate
          deleteAfterRetries: 10
          powerOnTimeoutSeconds: 600
          powerOffTimeoutSeconds: 120
`,
  `
    apiVersion: remediation.sickbay.dev/v1alpha1
    kind: PowerCycleRemediation
    metadata:
      name: name-of-unhealthy-machine
      namespace: machine-api
      finalizers:
      - remediation.sickbay.dev/power-cycle
      ownerReferences:
      - apiVersion: cluster.x-k8s.io/v1beta2
        kind: Machine
        name: name-of-unhealthy-machine
        uid: UID_OF_UNHEALTHY_MACHINE
    spec:
      strategy: escalate
      deleteAfterRetries: 10
      powerOnTimeoutSeconds: 600
      powerOffTimeoutSeconds: 120
    status:
      phase: power-off
      retryCount: 1
`,
] as const;

const served = <T extends KubeObject>(kind: KindDefinition<T>, version: string): Resource<T> => ({ ...kind, version });
const draftOf = <T extends KubeObject>(yaml: string): Draft<T> => parse(yaml) as Draft<T>;

/** Tests on whatever API the client reaches; it is asked for once, before the first of them. */
export function machineHealthCheckSuite(connect: () => KubeClient): void {
  let client: KubeClient;

  beforeAll(async () => {
    client = connect();
    await client.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } });
    await installKinds(kinds, { client, clock: systemClock, until: after(systemClock.now(), MINUTE) });
  });

  const written = VERSIONS.flatMap((one) => VERSIONS.map((other) => ({ one, other })));

  test.each(written)('[MH-043] [MH-044] written in $one in every spelling, it reads back whole in $other', async ({ one, other }) => {
    for (const [i, object] of validObjects(MachineHealthCheck).entries()) {
      const { writtenAs: _, ...spec } = object['spec'] as Record<string, unknown>;
      // Only the v1alpha3 form may do without a cluster.
      const whole = { clusterName: 'prod-eu-1', ...spec };
      const metadata = { name: `whole-${i}`, namespace: NAMESPACE };
      const draft = { ...object, apiVersion: `cluster.x-k8s.io/${one}`, metadata, spec: whole } as unknown as Draft<MachineHealthCheck>;
      await client.create(served(MachineHealthCheck, one), draft, { fieldValidation: 'Strict' });
      const read = await client.get(served(MachineHealthCheck, other), metadata);
      expect([read.apiVersion, read.spec]).toEqual([`cluster.x-k8s.io/${other}`, { ...whole, writtenAs: one }]);
      await client.delete(MachineHealthCheck, metadata);
    }
  });

  test('[MH-041] [MH-042] [MH-068] the first example of the proposal applies unchanged', async () => {
    const created = await client.create(served(MachineHealthCheck, 'v1alpha3'), draftOf<MachineHealthCheck>(SEED_CHECK), {
      fieldValidation: 'Strict',
    });
    expect(created.spec).toEqual({ ...(parse(SEED_CHECK) as MachineHealthCheck).spec, writtenAs: 'v1alpha3' });
    await client.delete(MachineHealthCheck, { namespace: NAMESPACE, name: 'example' });
  });

  test('[MH-042] [MH-060] [MH-119] [MH-123] [MH-131] the three objects of the external example are accepted, placeholders filled and typing errors fixed', async () => {
    // Without its Machine the request would be garbage.
    const machineKey = { namespace: NAMESPACE, name: 'name-of-unhealthy-machine' };
    const machine = await client.create(Machine, { ...Machine.sample, metadata: machineKey });
    const [check, template, unowned] = SEED_EXTERNAL;
    const request = unowned.replace('UID_OF_UNHEALTHY_MACHINE', machine.metadata.uid);
    const options = { fieldValidation: 'Strict' } as const;
    await client.create(served(MachineHealthCheck, 'v1alpha3'), draftOf<MachineHealthCheck>(check), options);
    await client.create(PowerCycleRemediationTemplate, draftOf<PowerCycleRemediationTemplate>(template), options);
    const created = await client.create(PowerCycleRemediation, draftOf<PowerCycleRemediation>(request), options);
    const { status } = parse(request) as PowerCycleRemediation;
    const running = await client.updateStatus(PowerCycleRemediation, { ...created, status: status! }, options);
    expect([running.spec, running.status]).toEqual([(parse(request) as PowerCycleRemediation).spec, status]);
    await client.update(PowerCycleRemediation, { ...running, metadata: { ...running.metadata, finalizers: [] } });
    await client.delete(PowerCycleRemediation, machineKey);
    await client.delete(Machine, machineKey);
    await client.delete(PowerCycleRemediationTemplate, { namespace: NAMESPACE, name: 'm3-remediation-group' });
    await client.delete(MachineHealthCheck, { namespace: NAMESPACE, name: 'remediation-group' });
  });

  test('[MH-059] a check written in v1alpha3 keeps its meaning when it is edited through another version', async () => {
    const key = { namespace: NAMESPACE, name: 'example' };
    const twoOfFive = { total: 5, unhealthy: 2 };
    await client.create(served(MachineHealthCheck, 'v1alpha3'), draftOf<MachineHealthCheck>(SEED_CHECK));
    for (const version of ['v1beta1', 'v1beta2']) {
      const other = served(MachineHealthCheck, version);
      const edited = await client.patch(other, key, { type: 'merge', body: { spec: { selector: { matchLabels: { zone: version } } } } });
      expect(gateAllows(checkOf(edited).gate, twoOfFive)).toBe(false);
      // A client that knows this version only drops what the others wrote.
      const { writtenAs: _, ...spec } = edited.spec;
      await expect(client.update(other, { ...edited, spec: { ...spec, clusterName: 'prod-eu-1' } })).rejects.toSatisfy((error) =>
        hasCode(error, 'Invalid'),
      );
    }
    const loosened = await client.patch(MachineHealthCheck, key, {
      type: 'merge',
      body: {
        spec: {
          clusterName: 'prod-eu-1',
          writtenAs: 'v1beta2',
          maxUnhealthy: null,
          remediation: { triggerIf: { unhealthyLessThanOrEqualTo: '40%' } },
        },
      },
    });
    expect(gateAllows(checkOf(loosened).gate, twoOfFive)).toBe(true);
    await client.delete(MachineHealthCheck, key);
  });

  const timed = (timeout: string) => ({ unhealthyConditions: [{ type: 'Ready', status: 'False', timeout }] });
  const timedSeconds = (timeoutSeconds: number) => ({
    checks: { unhealthyNodeConditions: [{ type: 'Ready', status: 'False', timeoutSeconds }] },
  });
  const atMost = (unhealthyLessThanOrEqualTo: string | number) => ({ remediation: { triggerIf: { unhealthyLessThanOrEqualTo } } });

  test.each([
    { version: 'v1alpha3', spec: { maxUnhealthy: '40 %' }, field: 'spec.maxUnhealthy' },
    { version: 'v1alpha3', spec: { maxUnhealthy: '-1' }, field: 'spec.maxUnhealthy' },
    { version: 'v1alpha3', spec: { maxUnhealthy: -1 }, field: 'spec.maxUnhealthy' },
    { version: 'v1alpha3', spec: { maxUnhealthy: '-10%' }, field: 'spec.maxUnhealthy' },
    { version: 'v1alpha3', spec: { maxUnhealthy: '150%' }, field: 'spec.maxUnhealthy' },
    { version: 'v1alpha3', spec: { selector: {} }, field: 'spec.selector' },
    { version: 'v1alpha3', spec: timed('-5m'), field: 'spec.unhealthyConditions[0].timeout' },
    { version: 'v1alpha3', spec: timed('5 minutes'), field: 'spec.unhealthyConditions[0].timeout' },
    { version: 'v1beta1', spec: { maxUnhealthy: '40 %' }, field: 'spec.maxUnhealthy' },
    { version: 'v1beta1', spec: { unhealthyRange: '[3-1]' }, field: 'spec.unhealthyRange' },
    { version: 'v1beta1', spec: { unhealthyRange: '[1-]' }, field: 'spec.unhealthyRange' },
    { version: 'v1beta1', spec: { selector: { matchLabels: {} } }, field: 'spec.selector' },
    { version: 'v1beta1', spec: { nodeStartupTimeout: '-10m' }, field: 'spec.nodeStartupTimeout' },
    { version: 'v1beta2', spec: atMost('40 %'), field: 'spec.remediation.triggerIf.unhealthyLessThanOrEqualTo' },
    { version: 'v1beta2', spec: atMost('-1'), field: 'spec.remediation.triggerIf.unhealthyLessThanOrEqualTo' },
    { version: 'v1beta2', spec: atMost(-1), field: 'spec.remediation.triggerIf.unhealthyLessThanOrEqualTo' },
    { version: 'v1beta2', spec: { remediation: { triggerIf: { unhealthyInRange: '[3-1]' } } }, field: 'unhealthyInRange' },
    { version: 'v1beta2', spec: timedSeconds(-1), field: 'spec.checks.unhealthyNodeConditions[0].timeoutSeconds' },
    { version: 'v1beta2', spec: { checks: { nodeStartupTimeoutSeconds: -1 } }, field: 'spec.checks.nodeStartupTimeoutSeconds' },
  ])('$version refuses $spec, and names $field', async ({ version, spec, field }) => {
    const bad = {
      apiVersion: `cluster.x-k8s.io/${version}`,
      kind: 'MachineHealthCheck',
      metadata: { name: 'bad', namespace: NAMESPACE },
      spec: { clusterName: 'prod-eu-1', selector: { matchLabels: { role: 'worker' } }, ...spec },
    } as unknown as Draft<MachineHealthCheck>;
    const refused = await client.create(served(MachineHealthCheck, version), bad).catch((error: unknown) => error);
    expect(hasCode(refused, 'Invalid')).toBe(true);
    expect(String(refused)).toContain(field);
  });

  test('a Machine reads back whole in each version', async () => {
    const key = { namespace: NAMESPACE, name: 'worker-0' };
    await client.create(Machine, { ...Machine.sample, metadata: { ...Machine.sample.metadata, namespace: NAMESPACE } });
    for (const version of VERSIONS) expect((await client.get(served(Machine, version), key)).spec).toEqual(Machine.sample.spec);
    await client.delete(Machine, key);
  });
}

function checkOf(object: MachineHealthCheck): NormalisedHealthCheck {
  const read = normalise(object);
  if (read.kind === 'invalid') throw new Error(JSON.stringify(read.problems));
  return read.check;
}
