import { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import type { Listed } from '../../../runtime/reconcile/controller.ts';
import { runName } from '../names.ts';
import type { ReadContext } from '../observed-execution.ts';
import { wouldSkip } from './judge-history.ts';

/** How executions are found by their target; the orchestrator has an index of its own of that name, by the target's text. */
export const BY_TARGET = 'lock';

/** The value of that index: what the lock is called, so both have one idea of what one target is. */
export const lockNameOf = ({ spec }: WorkflowExecution): readonly string[] => [runName(spec)];

/**
 * The other executions on the target. To wait, the cache is enough. A skip is final, and a start (`isNext`) must not rest on a cache that
 * may not have received the latest failure: both need a live read. Under the lock no other execution can run meanwhile.
 */
export async function readHistory(context: ReadContext, isNext: boolean): Promise<Listed<WorkflowExecution>> {
  const { object, reader } = context;
  const cached = others(object, reader.list(WorkflowExecution, { index: BY_TARGET, value: runName(object.spec) }));
  if (cached.kind === 'unreadable') return cached;
  if (!isNext && !wouldSkip(object, cached.value, context)) return cached;
  const fieldSelector = `spec.targetResource=${object.spec.targetResource}`;
  return others(object, await reader.fetchList(WorkflowExecution, { namespace: object.metadata.namespace ?? '', fieldSelector }));
}

const others = (object: WorkflowExecution, all: Listed<WorkflowExecution>): Listed<WorkflowExecution> =>
  all.kind === 'unreadable'
    ? all
    : { ...all, value: all.value.filter((one) => one.metadata.uid !== object.metadata.uid && runName(one.spec) === runName(object.spec)) };
