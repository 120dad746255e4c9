import { Node, type NodeCondition } from '../../../api/builtin/index.ts';
import { MachineHealthCheck } from '../../../api/machine-health-check/machine-health-check.ts';
import { Machine } from '../../../api/machine/machine.ts';
import { PipelineRemediationTemplate } from '../../../api/pipeline-remediation/pipeline-remediation-template.ts';
import { PipelineRemediation } from '../../../api/pipeline-remediation/pipeline-remediation.ts';
import { PowerCycleRemediationTemplate } from '../../../api/power-cycle-remediation/power-cycle-remediation-template.ts';
import { PowerCycleRemediation } from '../../../api/power-cycle-remediation/power-cycle-remediation.ts';
import type { KubeObject } from '../../../api/meta.ts';
import type { Resource } from '../../../api/resource.ts';
import { toTime } from '../../../base/index.ts';
import { Stage } from '../../testing/stage.ts';
import { createMachineHealthControllers } from '../index.ts';

export const NAMESPACE = 'shop';
const CLUSTER = 'here';
export const inShop = (name: string) => ({ namespace: NAMESPACE, name });

export const POWER_CYCLE = { apiVersion: 'remediation.sickbay.dev/v1alpha1', kind: PowerCycleRemediationTemplate.kind, name: 'cycle' };
export const PIPELINE = { apiVersion: 'remediation.sickbay.dev/v1alpha1', kind: PipelineRemediationTemplate.kind, name: 'pipe' };

/** Both reconcilers of machine health on a server in memory, with Machines that a test changes. */
export class HealthStage {
  readonly stage: Stage;
  /** What the operator may change at any time. */
  readonly settings: { allowRemediateAnnotation: boolean };

  private constructor(stage: Stage, settings: { allowRemediateAnnotation: boolean }) {
    this.stage = stage;
    this.settings = settings;
  }

  static async start(): Promise<HealthStage> {
    const kinds = [
      Machine,
      MachineHealthCheck,
      PowerCycleRemediation,
      PowerCycleRemediationTemplate,
      PipelineRemediation,
      PipelineRemediationTemplate,
    ];
    const settings = { allowRemediateAnnotation: false };
    return new HealthStage(await Stage.start({ kinds, controllers: createMachineHealthControllers(() => settings) }), settings);
  }

  /** As if the process had crashed and restarted. */
  restart(): Promise<void> {
    return this.stage.restart(createMachineHealthControllers(() => this.settings));
  }

  /** Machines worker-0 … with a Node each, all healthy. */
  async fleet(size: number, labels: Readonly<Record<string, string>> = { role: 'worker' }, prefix = 'worker-'): Promise<void> {
    const { admin } = this.stage;
    for (let i = 0; i < size; i++) {
      const name = `${prefix}${i}`;
      await admin.create(Node, { apiVersion: 'v1', kind: 'Node', metadata: { name } });
      await this.turn(name, 'True');
      const metadata = { ...inShop(name), labels };
      await admin.create(Machine, { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Machine', metadata, spec: { clusterName: CLUSTER } });
      await admin.patchStatus(Machine, inShop(name), { type: 'merge', body: { status: { nodeRef: { name } } } });
    }
    await this.stage.settle();
  }

  /** The Node's Ready condition, from now on. */
  async turn(name: string, status: NodeCondition['status']): Promise<void> {
    const now = toTime(this.stage.clock.now());
    const ready = { type: 'Ready', status, reason: 'Kubelet', lastTransitionTime: now, lastHeartbeatTime: now };
    await this.stage.admin.patchStatus(Node, { namespace: '', name }, { type: 'merge', body: { status: { conditions: [ready] } } });
    await this.stage.settle();
  }

  async removeNode(name: string): Promise<void> {
    await this.stage.admin.delete(Node, { namespace: '', name });
    await this.stage.settle();
  }

  /** Templates of both kinds that Sickbay provides. */
  async templates(): Promise<void> {
    const { spec } = PowerCycleRemediationTemplate.sample;
    const metadata = inShop('cycle');
    await this.stage.admin.create(PowerCycleRemediationTemplate, {
      apiVersion: POWER_CYCLE.apiVersion,
      kind: POWER_CYCLE.kind,
      metadata,
      spec,
    });
    const pipe = PipelineRemediationTemplate.sample;
    await this.stage.admin.create(PipelineRemediationTemplate, {
      apiVersion: PIPELINE.apiVersion,
      kind: PIPELINE.kind,
      metadata: inShop('pipe'),
      spec: pipe.spec,
    });
  }

  /** A check over the workers in the current version: Ready=Unknown for 5 minutes, and everything may be remediated. */
  async check(spec: object = {}, name = 'example'): Promise<void> {
    await this.stage.admin.create(MachineHealthCheck, {
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind: 'MachineHealthCheck',
      metadata: inShop(name),
      spec: {
        clusterName: CLUSTER,
        selector: { matchLabels: { role: 'worker' } },
        checks: { unhealthyNodeConditions: [{ type: 'Ready', status: 'Unknown', timeoutSeconds: 300 }] },
        ...spec,
      },
    });
    await this.stage.settle();
  }

  async patch(resource: Resource, name: string, body: object): Promise<void> {
    await this.stage.admin.patch(resource, inShop(name), { type: 'merge', body });
    await this.stage.settle();
  }

  annotate(resource: Resource, name: string, annotations: Readonly<Record<string, string | null>>): Promise<void> {
    return this.patch(resource, name, { metadata: { annotations } });
  }

  machine(name: string): Promise<Machine> {
    return this.stage.admin.get(Machine, inShop(name));
  }

  /** The conditions of a Machine: `type: status reason`. */
  async says(name: string): Promise<Readonly<Record<string, string>>> {
    const { status } = await this.machine(name);
    return Object.fromEntries((status?.conditions ?? []).map(({ type, status: holds, reason }) => [type, `${holds} ${reason ?? ''}`]));
  }

  async statusOf(name = 'example'): Promise<NonNullable<MachineHealthCheck['status']>> {
    return (await this.stage.admin.get(MachineHealthCheck, inShop(name))).status ?? {};
  }

  /** The condition RemediationAllowed of a check. */
  async gate(name = 'example'): Promise<string> {
    const found = (await this.statusOf(name)).conditions?.find(({ type }) => type === 'RemediationAllowed');
    return `${found?.status} ${found?.reason ?? ''}: ${found?.message ?? ''}`;
  }

  /** Names of the Machines recorded in the status of a check. */
  async record(name = 'example'): Promise<readonly string[]> {
    return ((await this.statusOf(name)).remediations ?? []).map(({ machine }) => machine);
  }

  request(name: string, kind: Resource = PowerCycleRemediation): Promise<KubeObject | undefined> {
    return this.stage.admin.get(kind, inShop(name)).catch(() => undefined);
  }

  /** Names of the Machines for which remediation is requested now, by request object or by condition. */
  async asked(): Promise<readonly string[]> {
    const requests = await Promise.all(
      ([PowerCycleRemediation, PipelineRemediation] as readonly Resource[]).map(
        async (kind) => (await this.stage.admin.list(kind, { namespace: NAMESPACE })).items,
      ),
    );
    const { items } = await this.stage.admin.list(Machine, { namespace: NAMESPACE });
    const owners = items.filter(({ status }) =>
      status?.conditions?.some(({ type, status: s }) => type === 'OwnerRemediated' && s === 'False'),
    );
    return [...requests.flat(), ...owners].map(({ metadata }) => metadata.name).toSorted();
  }
}
