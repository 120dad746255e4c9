import { Node, type NodeCondition } from '../../../../api/builtin/index.ts';
import { MachineHealthCheck } from '../../../../api/machine-health-check/machine-health-check.ts';
import { Machine } from '../../../../api/machine/machine.ts';
import { PipelineRemediationTemplate } from '../../../../api/pipeline-remediation/pipeline-remediation-template.ts';
import { PipelineRemediation } from '../../../../api/pipeline-remediation/pipeline-remediation.ts';
import { PowerCycleRemediationTemplate } from '../../../../api/power-cycle-remediation/power-cycle-remediation-template.ts';
import { PowerCycleRemediation } from '../../../../api/power-cycle-remediation/power-cycle-remediation.ts';
import { RemediationRequest } from '../../../../api/remediation-request/remediation-request.ts';
import { LABELS } from '../../../../api/well-known.ts';
import { MINUTE, SECOND, toTime } from '../../../../base/index.ts';
import type { Controller } from '../../../../runtime/index.ts';
import { createMachineHealthControllers } from '../../../machine-health/index.ts';
import { DEFAULT_SETTINGS } from '../../../default-settings.ts';
import { Stage } from '../../../testing/stage.ts';
import { createPipelineRemediationController } from '../index.ts';

const { namespace } = DEFAULT_SETTINGS;
export const KEY = { namespace: 'shop', name: 'worker-0' };
export const NODE_KEY = { namespace: '', name: 'worker-0' };

const KINDS = [
  Machine,
  MachineHealthCheck,
  PipelineRemediation,
  PipelineRemediationTemplate,
  PowerCycleRemediation,
  PowerCycleRemediationTemplate,
  RemediationRequest,
];

export const health = (): readonly Controller[] => createMachineHealthControllers(() => DEFAULT_SETTINGS.machineHealth);
export const pipeline = (): Controller => createPipelineRemediationController(() => DEFAULT_SETTINGS, 'us') as Controller;

/** A Machine whose Node may be worked on, and a check that hands it to the pipeline; the pipeline itself is played. */
export class MachineStage {
  readonly stage: Stage;

  private constructor(stage: Stage) {
    this.stage = stage;
  }

  static async start(controllers: readonly Controller[] = [...health(), pipeline()]): Promise<MachineStage> {
    const the = new MachineStage(await Stage.start({ kinds: KINDS, controllers }));
    await the.#open();
    return the;
  }

  async #open(): Promise<void> {
    const { admin } = this.stage;
    await admin.create(Node, { apiVersion: 'v1', kind: 'Node', metadata: { name: KEY.name, labels: { [LABELS.managed]: 'true' } } });
    await this.turn('True');
    const spec = { clusterName: 'here' };
    await admin.create(Machine, {
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind: 'Machine',
      metadata: { ...KEY, labels: { role: 'worker' } },
      spec,
    });
    await admin.patchStatus(Machine, KEY, { type: 'merge', body: { status: { nodeRef: { name: KEY.name } } } });
    const apiVersion = 'remediation.sickbay.dev/v1alpha1';
    const kind = PipelineRemediationTemplate.kind;
    await admin.create(PipelineRemediationTemplate, {
      apiVersion,
      kind,
      metadata: { ...KEY, name: 'pipe' },
      spec: { template: { spec: {} } },
    });
    await admin.create(MachineHealthCheck, {
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind: 'MachineHealthCheck',
      metadata: { ...KEY, name: 'workers' },
      spec: {
        clusterName: 'here',
        selector: { matchLabels: { role: 'worker' } },
        checks: { unhealthyNodeConditions: [{ type: 'Ready', status: 'Unknown', timeoutSeconds: 300 }] },
        remediation: { templateRef: { apiVersion, kind, name: 'pipe' } },
      },
    });
    await this.stage.advance(SECOND);
  }

  /** The Node's Ready condition, from now on. */
  async turn(status: NodeCondition['status']): Promise<void> {
    const now = toTime(this.stage.clock.now());
    const ready = { type: 'Ready', status, reason: 'Kubelet', lastTransitionTime: now, lastHeartbeatTime: now };
    await this.stage.admin.patchStatus(Node, NODE_KEY, { type: 'merge', body: { status: { conditions: [ready] } } });
    await this.stage.settle();
  }

  async fail(): Promise<void> {
    await this.turn('Unknown');
    await this.stage.advance(6 * MINUTE);
  }

  async recover(): Promise<void> {
    await this.turn('True');
    await this.stage.advance(5 * SECOND);
  }

  /** The PipelineRemediation of the Machine; undefined when there is none. */
  request(): Promise<PipelineRemediation | undefined> {
    return this.stage.admin.get(PipelineRemediation, KEY).catch(() => undefined);
  }

  async remediations(): Promise<readonly RemediationRequest[]> {
    return (await this.stage.admin.list(RemediationRequest, { namespace })).items;
  }

  /** The status that the pipeline writes on a RemediationRequest. */
  async set(name: string, status: NonNullable<RemediationRequest['status']>): Promise<void> {
    await this.stage.admin.patchStatus(RemediationRequest, { namespace, name }, { type: 'merge', body: { status } });
    await this.stage.advance(SECOND);
  }

  machine(): Promise<Machine> {
    return this.stage.admin.get(Machine, KEY);
  }

  check(): Promise<MachineHealthCheck> {
    return this.stage.admin.get(MachineHealthCheck, { ...KEY, name: 'workers' });
  }
}
