/** The examples of the proposal, and checks that cannot work: what holds on a real kube-apiserver and on ours alike. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { Node } from '../../src/api/builtin/index.ts';
import {
  crdOf,
  CustomResourceDefinition,
  kinds,
  Machine,
  MachineHealthCheck,
  PowerCycleRemediationTemplate,
  resourceName,
  type Draft,
  type KubeObject,
  type Resource,
} from '../../src/api/index.ts';
import { after, hasCode, MINUTE, systemClock, toTime } from '../../src/base/index.ts';
import { installKinds } from '../../src/kube/client/install-kinds.ts';
import { beforeTemplates } from './machine-health/before-templates.ts';
import { EMR_EXAMPLE, FIRST_EXAMPLE, MHC_EXAMPLE, TEMPLATE_EXAMPLE } from './machine-health/examples.ts';
import { MachineWard, type Connect } from './machine-health/machine-ward.ts';

const V1ALPHA3 = { ...MachineHealthCheck, version: 'v1alpha3' };
const metal3 = (kind: string): Resource => ({
  group: 'remediation.metal3.io',
  version: 'v1alpha1',
  kind,
  plural: `${kind.toLowerCase()}s`,
  namespaced: true,
});
const Metal3Remediation = metal3('Metal3Remediation');
const Metal3RemediationTemplate = metal3('Metal3RemediationTemplate');
const SICKBAY = PowerCycleRemediationTemplate.sample.apiVersion;
const STRICT = { fieldValidation: 'Strict' } as const;

const draft = <T extends KubeObject>(yaml: string): Draft<T> => parse(yaml) as Draft<T>;
const ago = (ms: number): string => toTime(after(systemClock.now(), -ms));

/** Tests on whatever API the way leads to; it is asked for once, before the first of them. */
export function machineHealthExamplesSuite(connect: () => Connect): void {
  let ward: MachineWard;

  beforeAll(async () => {
    ward = await MachineWard.open(connect(), 'machine-api');
    // As it was before there were templates.
    await ward.admin.create(CustomResourceDefinition, beforeTemplates(crdOf(MachineHealthCheck)));
    await installKinds(kinds, { client: ward.admin, clock: systemClock, until: after(systemClock.now(), MINUTE) });
  }, 2 * MINUTE);

  afterAll(() => ward.close());

  async function define(resource: Resource): Promise<void> {
    await ward.admin.create(CustomResourceDefinition, definitionOf(resource));
    const isServed = () =>
      ward.admin.list(resource).then(
        () => true,
        (error: unknown) => !hasCode(error, 'NotFound'),
      );
    while (!(await isServed())) await systemClock.waitUntil(after(systemClock.now(), 50), new AbortController().signal);
  }

  /** A worker with a Node whose Ready has been so for a while. */
  async function worker(name: string, labels: Record<string, string> = { role: 'worker' }): Promise<void> {
    await ward.machine(name, { labels });
    await ready(name, 'True');
  }

  const ready = (name: string, status: 'True' | 'False' | 'Unknown'): Promise<Node> => {
    const condition = {
      type: 'Ready',
      status,
      reason: 'Told',
      message: '',
      lastTransitionTime: ago(6 * MINUTE),
      lastHeartbeatTime: ago(0),
    };
    return ward.admin.patchStatus(Node, { namespace: '', name }, { type: 'strategic', body: { status: { conditions: [condition] } } });
  };

  const stated = ({ status }: Machine | MachineHealthCheck, type: string): string => {
    const found = status?.conditions?.find((condition) => condition.type === type);
    return found ? `${found.status} ${found.reason}` : '';
  };

  const messageOf = ({ status }: MachineHealthCheck, type: string): string | undefined =>
    status?.conditions?.find((condition) => condition.type === type)?.message;

  const figures = (name: string, currentHealthy: number, expectedMachines: number): Promise<MachineHealthCheck> =>
    ward.until(
      MachineHealthCheck,
      name,
      ({ status }) => status?.currentHealthy === currentHealthy && status.expectedMachines === expectedMachines,
    );

  test('[MH-163] a check that was created before there were templates stays, and keeps its meaning', async () => {
    await ward.admin.create(V1ALPHA3, draft<MachineHealthCheck>(FIRST_EXAMPLE), STRICT);
    await expect(ward.admin.create(V1ALPHA3, draft<MachineHealthCheck>(MHC_EXAMPLE), STRICT)).rejects.toThrow(
      'externalRemediationTemplate',
    );
    const before = await ward.admin.get(MachineHealthCheck, ward.key('example'));
    const key = { namespace: '', name: resourceName(MachineHealthCheck) };
    const { spec } = crdOf(MachineHealthCheck);
    await ward.admin.patch(CustomResourceDefinition, key, { type: 'merge', body: { spec } });
    expect(await ward.admin.get(MachineHealthCheck, ward.key('example'))).toEqual(before);
  });

  test('[MH-062] [MH-063] [MH-065] [MH-069] [MH-070] [MH-163] the first example does what it says', async () => {
    for (let i = 0; i < 5; i++) await worker(`worker-${i}`);
    await ward.start();
    const { status } = parse(FIRST_EXAMPLE) as MachineHealthCheck;
    await figures('example', status?.currentHealthy ?? 0, status?.expectedMachines ?? 0);

    await ready('worker-0', 'Unknown');
    await ward.untilStated('worker-0', { HealthCheckSucceeded: 'False', OwnerRemediated: 'False' });
    await figures('example', 4, 5);
    await ready('worker-0', 'True');
    await figures('example', 5, 5);
    await ready('worker-1', 'False');
    await ward.untilStated('worker-1', { HealthCheckSucceeded: 'False', OwnerRemediated: 'False' });

    // Two of five are 40 percent: from there on nothing more is remediated.
    await ready('worker-2', 'Unknown');
    const restricted = await figures('example', 3, 5);
    expect(stated(restricted, 'RemediationAllowed')).toBe('False TooManyUnhealthy');
    const second = await ward.untilStated('worker-2', { HealthCheckSucceeded: 'False' });
    expect(stated(second, 'OwnerRemediated')).toBe('');
    await ward.admin.delete(MachineHealthCheck, ward.key('example'));
    for (let i = 0; i < 5; i++) await ward.admin.delete(Machine, ward.key(`worker-${i}`));
  });

  test('[MH-164] templates to which no check refers change nothing', async () => {
    await worker('quiet', { pool: 'quiet' });
    await ward.check('quiet', { selector: { matchLabels: { pool: 'quiet' } } });
    await figures('quiet', 1, 1);
    await ward.untilStated('quiet', { HealthCheckSucceeded: 'True' });
    const before = [await ward.admin.get(Machine, ward.key('quiet')), await ward.admin.get(MachineHealthCheck, ward.key('quiet'))];
    const writes = ward.writes().length;
    for (const resource of [Metal3Remediation, Metal3RemediationTemplate]) await define(resource);
    await ward.admin.create(Metal3RemediationTemplate, draft(TEMPLATE_EXAMPLE), STRICT);
    await ward.admin.create(PowerCycleRemediationTemplate, { ...PowerCycleRemediationTemplate.sample, metadata: ward.key('unused') });
    await ward.check('later', { selector: { matchLabels: { pool: 'nobody' } } });
    await figures('later', 0, 0);
    expect([await ward.admin.get(Machine, ward.key('quiet')), await ward.admin.get(MachineHealthCheck, ward.key('quiet'))]).toEqual(before);
    expect(
      ward
        .writes()
        .slice(writes)
        .filter((write) => !write.includes('/later')),
    ).toEqual([]);
  });

  test('[MH-116] [MH-117] [MH-118] [MH-119] [MH-120] [MH-121] [MH-122] [MH-130] [MH-131] the external example does what it says', async () => {
    await ward.admin.create(V1ALPHA3, draft<MachineHealthCheck>(MHC_EXAMPLE), STRICT);
    const labels = { role: 'external' };
    await worker('ill', labels);
    await ready('ill', 'False');
    const name = 'name-of-unhealthy-machine';
    await worker(name, labels);
    await figures('remediation-group', 2, 2);
    // It lists no condition: a Node that is not ready is no fault, one that is gone is. It was found out six minutes ago.
    await ward.admin.delete(Node, { namespace: '', name });
    const failing = {
      type: 'HealthCheckSucceeded',
      status: 'False',
      reason: 'NodeDeleted',
      message: '',
      lastTransitionTime: ago(6 * MINUTE),
    };
    await ward.admin.patchStatus(Machine, ward.key(name), { type: 'merge', body: { status: { conditions: [failing] } } });
    const made = await ward.until(Metal3Remediation, name, () => true);
    const { uid } = (await ward.admin.get(Machine, ward.key(name))).metadata;
    const example = parse(EMR_EXAMPLE.replace('UID', uid)) as KubeObject & { readonly spec: object };
    expect({ ...made, metadata: { ...made.metadata } }).toMatchObject({
      apiVersion: example.apiVersion,
      kind: example.kind,
      metadata: { name: example.metadata.name, namespace: example.metadata.namespace },
      spec: example.spec,
    });
    expect((made as typeof example).spec).toEqual(example.spec);
    expect(made.metadata.ownerReferences).toEqual([{ apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Machine', name, uid }]);
    await figures('remediation-group', 1, 2);
    expect((await ward.admin.list(Metal3Remediation)).items).toHaveLength(1);

    // The status that the remediator writes, as the example shows it.
    const { ownerReferences: _, ...metadata } = example.metadata;
    const running = await ward.admin.patch(Metal3Remediation, ward.key(name), { type: 'merge', body: { ...example, metadata } });
    expect(running).toMatchObject({ status: { phase: 'power-off', retryCount: 1 }, metadata: { finalizers: ['remediation.metal3.io'] } });
    await ward.admin.create(Node, { apiVersion: 'v1', kind: 'Node', metadata: { name } });
    await ready(name, 'True');
    await ward.until(Metal3Remediation, name, (request) => request.metadata.deletionTimestamp !== undefined);
    await ward.admin.patch(Metal3Remediation, ward.key(name), { type: 'merge', body: { metadata: { finalizers: [] } } });
    await ward.untilGone(Metal3Remediation, name);
    await figures('remediation-group', 2, 2);
  });

  test('checks that cannot work report that on themselves, and others continue', async () => {
    await worker('odd', { pool: 'odd' });
    await worker('lost', { pool: 'lost' });
    await worker('fine', { pool: 'fine' });
    const apiVersion = 'nobody.defined.it/v1';
    const template = (kind: string) => ({ remediation: { templateRef: { apiVersion, kind, name: 'x' } } });
    await ward.check('odd', { selector: { matchLabels: { pool: 'odd' } }, ...template('Reboot') });
    await ward.check('lost', { selector: { matchLabels: { pool: 'lost' } }, ...template('RebootTemplate') });
    await ward.check('fine', { selector: { matchLabels: { pool: 'fine' } } });
    for (const name of ['odd', 'lost', 'fine']) await ward.turn(name, 'True');
    await ward.untilStated('fine', { HealthCheckSucceeded: 'False', OwnerRemediated: 'False' });

    const odd = await ward.until(MachineHealthCheck, 'odd', (check) => stated(check, 'ConfigurationValid') === 'False Invalid');
    expect(messageOf(odd, 'ConfigurationValid')).toContain('spec.remediation.templateRef.kind');
    const lost = await ward.untilStated('lost', { HealthCheckSucceeded: 'False', ExternallyRemediated: 'False' });
    expect(stated(lost, 'ExternallyRemediated')).toBe('False RemediationTemplateNotFound');
    expect(stated(lost, 'OwnerRemediated')).toBe('');
    const unseen = await ward.admin.get(MachineHealthCheck, ward.key('lost'));
    expect(stated(unseen, 'TemplateAvailable')).toBe('False TemplateKindNotFound');
    expect(messageOf(unseen, 'TemplateAvailable')).toContain(`spec.remediation.templateRef: the kind RebootTemplate (${apiVersion})`);
    expect(stated(unseen, 'RemediationAllowed')).toBe('True RemediationAllowed');
    await ward.admin.patch(MachineHealthCheck, ward.key('lost'), {
      type: 'merge',
      body: { spec: { remediation: { templateRef: { apiVersion: SICKBAY, kind: PowerCycleRemediationTemplate.kind } } } },
    });
    await ward.until(MachineHealthCheck, 'lost', (check) => stated(check, 'TemplateAvailable') === 'False TemplateNotFound');
    await ward.admin.create(PowerCycleRemediationTemplate, { ...PowerCycleRemediationTemplate.sample, metadata: ward.key('x') });
    // A change of the check has it looked for at once; otherwise that takes half a minute.
    await ward.admin.patch(MachineHealthCheck, ward.key('lost'), {
      type: 'merge',
      body: { spec: { checks: { nodeStartupTimeoutSeconds: 900 } } },
    });
    await ward.until(MachineHealthCheck, 'lost', (check) => stated(check, 'TemplateAvailable') === 'True TemplateAvailable');
    await ward.turn('fine', 'False');
    await figures('fine', 1, 1);
  });
}

/** A definition that accepts every field, as another project might write it. */
const definitionOf = ({ group, kind, plural, version }: Resource): Draft<CustomResourceDefinition> =>
  ({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
        },
      ],
    },
  }) as Draft<CustomResourceDefinition>;
