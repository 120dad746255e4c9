import { Job, Namespace } from '../../../api/builtin/index.ts';
import { keyOf } from '../../../api/meta.ts';
import { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import { RemediationWorkflow } from '../../../api/remediation-workflow/remediation-workflow.ts';
import { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import { after, hasCode, HOUR, toTime } from '../../../base/index.ts';
import { DEFAULT_SETTINGS } from '../../default-settings.ts';
import type { BudgetSettings, Settings } from '../../settings.ts';
import { Stage } from '../../testing/stage.ts';
import { endOf } from '../engines/job/job-end.ts';
import { createExecutionController } from '../index.ts';
import type { Planned } from './builders.ts';
import { offer } from './offer.ts';
import { openExecution } from './open-execution.ts';
import type { ExecutionStatus } from '../status/execution-status.ts';

const { namespace, executionNamespace, budget: DEFAULT_BUDGET } = DEFAULT_SETTINGS;

type WorkflowRef = WorkflowExecution['spec']['workflowRef'];

export interface PlanOptions {
  readonly parameters?: Readonly<Record<string, string>>;
  /** What the catalogue says of the workflow beside what the plan does; false leaves the catalogue alone. */
  readonly offered?: Partial<RemediationWorkflow['spec']> | false;
  readonly leavesEngineOpen?: true;
}

/** The real controller on a server in memory; runs go on until the test ends them. */
export class Ward {
  settings: Settings = DEFAULT_SETTINGS;
  readonly stage: Stage;

  private constructor(stage: Stage) {
    this.stage = stage;
  }

  static async open(budget: Partial<BudgetSettings> = {}): Promise<Ward> {
    let settings = (): Settings => DEFAULT_SETTINGS;
    const stage = await Stage.start({
      kinds: [WorkflowExecution, RemediationRequest, RemediationWorkflow],
      controllers: [createExecutionController(() => settings())],
    });
    const ward = new Ward(stage);
    settings = () => ward.settings;
    ward.change(budget);
    await stage.admin.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: executionNamespace } });
    return ward;
  }

  change(budget: Partial<BudgetSettings>): void {
    this.settings = { ...DEFAULT_SETTINGS, budget: { ...DEFAULT_BUDGET, ...budget } };
  }

  /** A request that is executing, and its execution. */
  async remediate(name: string, targetResource: string, workflow: Partial<WorkflowRef> = {}, options: PlanOptions = {}): Promise<void> {
    const { admin, clock } = this.stage;
    const { executionEngine = 'job', ...rest } = { workflowId: 'w', version: '1.0.0', executionBundle: 'image:1', ...workflow };
    const plan = {
      targetResource,
      workflowRef: options.leavesEngineOpen ? rest : { executionEngine, ...rest },
      ...(options.parameters && { parameters: options.parameters }),
    } satisfies Partial<WorkflowExecution['spec']>;
    if (options.offered !== false) await this.offer(plan, options.offered);
    await openExecution(admin, { name, namespace, plan, timesOutAt: after(clock.now(), 6 * HOUR) });
    await this.stage.settle();
  }

  /** Puts the workflow of a plan into the catalogue, or what it says now in place of what it said. */
  async offer(plan: Planned, change: Partial<RemediationWorkflow['spec']> = {}): Promise<void> {
    await this.withdraw(plan.workflowRef.workflowName ?? plan.workflowRef.workflowId);
    await offer(this.stage.admin, plan, change);
  }

  /** Takes a workflow out of the catalogue. */
  async withdraw(name: string): Promise<void> {
    try {
      await this.stage.admin.delete(RemediationWorkflow, { namespace, name });
    } catch (error) {
      if (!hasCode(error, 'NotFound')) throw error;
    }
  }

  /** Jobs that were released and have not ended. */
  async atWork(): Promise<readonly Job[]> {
    const { items } = await this.stage.admin.list(Job, { namespace: executionNamespace });
    return items.filter((job) => job.spec.suspend !== true && !endOf(job));
  }

  async end(job: Job, type: 'Complete' | 'Failed' = 'Complete'): Promise<void> {
    const condition = {
      type,
      status: 'True',
      reason: 'Ended',
      message: '',
      lastTransitionTime: toTime(this.stage.clock.now()),
    };
    await this.stage.admin.patchStatus(Job, keyOf(job), { type: 'merge', body: { status: { conditions: [condition] } } });
    await this.stage.settle();
  }

  async endOne(type?: 'Complete' | 'Failed'): Promise<void> {
    const [job] = await this.atWork();
    if (job) await this.end(job, type);
  }

  async statusOf(name: string): Promise<ExecutionStatus> {
    return (await this.stage.admin.get(WorkflowExecution, { namespace, name: `we-${name}` })).status ?? {};
  }

  async readyOf(name: string): Promise<string> {
    const ready = (await this.statusOf(name)).conditions?.find(({ type }) => type === 'Ready');
    return `${ready?.reason ?? ''}: ${ready?.message ?? ''}`;
  }

  async phases(): Promise<Readonly<Record<string, number>>> {
    const { items } = await this.stage.admin.list(WorkflowExecution, { namespace });
    const counts: Record<string, number> = {};
    for (const { status } of items) counts[status?.phase ?? 'new'] = (counts[status?.phase ?? 'new'] ?? 0) + 1;
    return counts;
  }
}
