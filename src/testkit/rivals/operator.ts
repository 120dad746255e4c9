import { Job, Lease, PipelineRun } from '../../api/builtin/index.ts';
import { keyOf, type KubeObject } from '../../api/meta.ts';
import { RemediationRequest } from '../../api/remediation-request/remediation-request.ts';
import type { Resource } from '../../api/resource.ts';
import { ANNOTATIONS } from '../../api/well-known.ts';
import { WorkflowExecution } from '../../api/workflow-execution/workflow-execution.ts';
import { hasCode, toTime } from '../../base/index.ts';
import { storedBlock } from '../../controllers/execution/index.ts';
import type { Simulation } from '../../simulation/index.ts';
import { executionOf, lift, type Record } from './kubelet.ts';

/** Plays the person who looks at a target after runs failed on it, and lets others go on. */
export async function clearTarget(simulation: Simulation, record: Record, target: string): Promise<void> {
  const { admin, mirror, time } = simulation;
  const failed = mirror.all(WorkflowExecution).filter(({ spec, status }) => spec.targetResource === target && status?.phase === 'Failed');
  const clearedAt = toTime(time.now());
  const blockClearance = { clearedBy: 'anna', clearReason: 'looked at it', clearMethod: 'StatusField', clearedAt };
  // Whatever has harmed it so far was looked at; what comes while she writes was not.
  lift(record, target);
  for (const one of failed)
    await unlessGone(() => admin.patchStatus(WorkflowExecution, keyOf(one), { type: 'merge', body: { status: { blockClearance } } }));
  const annotations = { [ANNOTATIONS.blockClearedBy]: 'anna', [ANNOTATIONS.blockClearReason]: 'looked at it' };
  for (const lock of mirror
    .all(Lease)
    .filter((one) => storedBlock(one) && one.metadata.annotations?.[ANNOTATIONS.targetResource] === target))
    await unlessGone(() => admin.patch(Lease, keyOf(lock), { type: 'merge', body: { metadata: { uid: lock.metadata.uid, annotations } } }));
}

/** Deletes an execution, as it is now: one that has failed, while its request lives, is thereby done with. */
export async function deleteExecution(simulation: Simulation, record: Record, key: { name: string; namespace: string }): Promise<void> {
  const execution = simulation.mirror.get(WorkflowExecution, key);
  if (!execution || execution.metadata.deletionTimestamp !== undefined) return;
  const { uid, resourceVersion } = execution.metadata;
  const isDone = execution.status?.phase === 'Failed';
  try {
    await simulation.admin.delete(WorkflowExecution, key, { preconditions: { uid, resourceVersion } });
    if (isDone) lift(record, execution.spec.targetResource, uid);
  } catch (error) {
    if (hasCode(error, 'Conflict')) return deleteExecution(simulation, record, key);
    if (!hasCode(error, 'NotFound')) throw error;
  }
}

/** Deletes a request, and with it its execution. */
export const deleteRequest = ({ admin }: Simulation, key: { name: string; namespace: string }): Promise<void> =>
  unlessGone(() => admin.delete(RemediationRequest, key));

/** Deletes the runs on a target by hand, whichever engine made them. */
export async function deleteRun({ admin, mirror }: Simulation, record: Record, target: string): Promise<void> {
  for (const resource of [Job, PipelineRun] as readonly Resource[]) {
    const runs = mirror.all<KubeObject>(resource).filter(({ metadata }) => metadata.annotations?.[ANNOTATIONS.targetResource] === target);
    for (const run of runs) record.robbed.add(executionOf(run));
    for (const run of runs) await unlessGone(() => admin.delete(resource, keyOf(run)));
  }
}

async function unlessGone(write: () => Promise<unknown>): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (!hasCode(error, 'NotFound') && !hasCode(error, 'Conflict')) throw error;
  }
}
