import { keyOf } from '../../api/meta.ts';
import { WorkflowExecution } from '../../api/workflow-execution/workflow-execution.ts';
import { toTime } from '../../base/index.ts';
import type { Simulation } from '../../simulation/index.ts';

/** Plays the person who looks at a target after runs failed on it, and lets others go on. */
export async function clearTarget({ admin, mirror, time }: Simulation, target: string): Promise<void> {
  const failed = mirror.all(WorkflowExecution).filter(({ spec, status }) => spec.targetResource === target && status?.phase === 'Failed');
  const blockClearance = { clearedBy: 'anna', clearReason: 'looked at it', clearMethod: 'StatusField', clearedAt: toTime(time.now()) };
  for (const one of failed) await admin.patchStatus(WorkflowExecution, keyOf(one), { type: 'merge', body: { status: { blockClearance } } });
}
