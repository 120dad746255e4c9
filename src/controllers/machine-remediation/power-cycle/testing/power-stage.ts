import { ConfigMap, Node, Pod, Secret, type NodeCondition } from '../../../../api/builtin/index.ts';
import { MachineHealthCheck } from '../../../../api/machine-health-check/machine-health-check.ts';
import { Machine } from '../../../../api/machine/machine.ts';
import { PowerCycleRemediation } from '../../../../api/power-cycle-remediation/power-cycle-remediation.ts';
import { PowerCycleRemediationTemplate } from '../../../../api/power-cycle-remediation/power-cycle-remediation-template.ts';
import { WorkflowExecution } from '../../../../api/workflow-execution/workflow-execution.ts';
import { after, SECOND, toTime } from '../../../../base/index.ts';
import { ledgerKey } from '../../../budget/index.ts';
import { createMachineHealthControllers, type Definitions } from '../../../machine-health/index.ts';
import type { Settings } from '../../../settings.ts';
import { SETTINGS } from './builders.ts';
import { Stage } from '../../../testing/stage.ts';
import { createPowerCalls, createPowerCycleController, POWER_CALL, CommandFailures } from '../index.ts';
import { SimBmc } from './sim-bmc.ts';

export const NAMESPACE = 'shop';
export const NAME = 'worker-0';
export const KEY = { namespace: NAMESPACE, name: NAME };
export const CHECK = { namespace: NAMESPACE, name: 'workers' };
export const OWN_HOST = 'https://bmc-0';
const SECRET = { namespace: NAMESPACE, name: `${NAME}-bmc` };

/** A Machine, its Node and its host, with the controllers that check and power-cycle it, on a server with the real schemas. */
export class PowerStage {
  readonly stage: Stage;
  readonly bmc: SimBmc;
  settings: Settings = SETTINGS;
  readonly #ending = new AbortController();

  private constructor(stage: Stage, bmc: SimBmc) {
    this.stage = stage;
    this.bmc = bmc;
  }

  static async start(definitions: Definitions = 'sickbay'): Promise<PowerStage> {
    const bmc = new SimBmc();
    const failures = new CommandFailures();
    let settings = (): Settings => SETTINGS;
    const stage = await Stage.start({
      kinds: [Machine, MachineHealthCheck, PowerCycleRemediation, PowerCycleRemediationTemplate, WorkflowExecution],
      controllers: [
        ...createMachineHealthControllers(() => settings().machineHealth, { definitions }),
        createPowerCycleController({ settings: () => settings(), bmc: bmc, failures, definitions }),
      ],
      calls: ({ client, log, clock }) => ({
        [POWER_CALL]: createPowerCalls({ client, settings: () => settings(), log, clock, bmc: bmc, failures, definitions }),
      }),
    });
    const made = new PowerStage(stage, bmc);
    settings = () => made.settings;
    await made.#machine();
    return made;
  }

  async end(): Promise<void> {
    this.#ending.abort();
    await this.stage.end();
  }

  /** From now on every answer of a host takes so long. */
  slowDown(ms: number): void {
    const { clock } = this.stage;
    this.bmc.asked = () => clock.waitUntil(after(clock.now(), ms), this.#ending.signal);
  }

  async #machine(): Promise<void> {
    const { admin } = this.stage;
    await admin.create(Node, { apiVersion: 'v1', kind: 'Node', metadata: { name: NAME } });
    await this.turnReady('True');
    await admin.create(Machine, {
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind: 'Machine',
      metadata: { ...KEY, labels: { role: 'worker' } },
      spec: { clusterName: 'here' },
    });
    await admin.patchStatus(Machine, KEY, { type: 'merge', body: { status: { nodeRef: { name: NAME } } } });
    await this.secret();
  }

  /** A pod on the Node, which the taint is to free. */
  workload() {
    return this.stage.admin.create(Pod, {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { namespace: NAMESPACE, name: 'web' },
      spec: { nodeName: NAME, containers: [{ name: 'web', image: 'web' }] },
    });
  }

  async secret(): Promise<void> {
    await this.stage.admin.create(Secret, { apiVersion: 'v1', kind: 'Secret', metadata: SECRET, data: dataOf(OWN_HOST) });
  }

  /** Changes the Secret so that it points to this host. */
  leadTo(address: string) {
    return this.stage.admin.patch(Secret, SECRET, { type: 'merge', body: { data: dataOf(address) } });
  }

  async turnReady(status: NodeCondition['status']): Promise<void> {
    const { admin, clock } = this.stage;
    const ready = { type: 'Ready', status, reason: 'Kubelet', lastTransitionTime: toTime(clock.now()) };
    await admin.patchStatus(Node, { namespace: '', name: NAME }, { type: 'merge', body: { status: { conditions: [ready] } } });
    await this.stage.settle();
  }

  async check(spec: object = {}, safeguards?: object, metadata: object = {}): Promise<void> {
    const { admin } = this.stage;
    await admin.create(PowerCycleRemediationTemplate, {
      apiVersion: 'remediation.sickbay.dev/v1alpha1',
      kind: PowerCycleRemediationTemplate.kind,
      metadata: { namespace: NAMESPACE, name: 'cycle' },
      spec: { template: { spec } },
    });
    await admin.create(MachineHealthCheck, {
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind: 'MachineHealthCheck',
      metadata: { ...CHECK, ...metadata },
      spec: {
        clusterName: 'here',
        ...(safeguards && { safeguards }),
        selector: { matchLabels: { role: 'worker' } },
        checks: { unhealthyNodeConditions: ['Unknown', 'False'].map((status) => ({ type: 'Ready', status, timeoutSeconds: 60 })) },
        remediation: {
          templateRef: { apiVersion: 'remediation.sickbay.dev/v1alpha1', kind: PowerCycleRemediationTemplate.kind, name: 'cycle' },
        },
      },
    });
    await this.stage.settle();
  }

  /** The Node stops reporting, or reports NotReady, and its Machine is found unhealthy. */
  async fallIll(status: 'Unknown' | 'False' = 'Unknown'): Promise<void> {
    await this.turnReady(status);
    await this.stage.advance(62 * SECOND);
  }

  changeCheck(body: object) {
    return this.stage.admin.patch(MachineHealthCheck, CHECK, { type: 'merge', body });
  }

  /** The annotation that pauses the check, or null to remove it. */
  waitForRetry(value: '' | null) {
    return this.changeCheck({ metadata: { annotations: { 'cluster.x-k8s.io/paused': value } } });
  }

  request() {
    return this.stage.admin.get(PowerCycleRemediation, KEY).catch(() => undefined);
  }

  async statusOf() {
    return (await this.request())?.status ?? {};
  }

  async taints(): Promise<readonly string[]> {
    return ((await this.stage.admin.get(Node, { namespace: '', name: NAME })).spec?.taints ?? []).map(({ key }) => key);
  }

  host() {
    return this.bmc.host(OWN_HOST);
  }

  async conditionsOf(): Promise<Readonly<Record<string, string>>> {
    const { status } = await this.stage.admin.get(Machine, KEY);
    return Object.fromEntries((status?.conditions ?? []).map((one) => [one.type, `${one.status} ${one.reason ?? ''}`]));
  }

  async claims(): Promise<readonly object[]> {
    const { data = {} } = await this.stage.admin.get(ConfigMap, ledgerKey('sickbay-system'));
    return Object.values(data).map((text) => JSON.parse(text) as object);
  }
}

function dataOf(address: string): Record<string, string> {
  const data = { address, username: 'admin', password: 'secret-of-the-host' };
  return Object.fromEntries(Object.entries(data).map(([entry, text]) => [entry, Buffer.from(text).toString('base64')]));
}
