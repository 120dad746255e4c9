import { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import type { Instant } from '../../../base/index.ts';
import type { Listed, Reader } from '../../../runtime/reconcile/controller.ts';
import type { Settings } from '../../settings.ts';
import { runName } from '../names.ts';
import { judgeHistory } from './judge-history.ts';

/** How executions are found by their target; the orchestrator has an index of its own of that name, by the target's text. */
export const BY_TARGET = 'lock';

/** The value of that index: what the lock is called, so both have one idea of what one target is. */
export const targetOf = ({ spec }: WorkflowExecution): readonly string[] => [runName(spec)];

export interface HistoryLook {
  readonly object: WorkflowExecution;
  readonly reader: Reader;
  readonly now: Instant;
  readonly settings: Settings;
}

/**
 * The other executions on the target. To wait, the cache's word will do. To be skipped is final, and to start (`isNext`) must not rest on a
 * cache that has not heard of a failure yet: for both the server is asked. Under the lock nobody else can run meanwhile.
 */
export async function readHistory(look: HistoryLook, isNext: boolean): Promise<Listed<WorkflowExecution>> {
  const { object, reader } = look;
  const cached = others(object, reader.list(WorkflowExecution, { index: BY_TARGET, value: runName(object.spec) }));
  if (cached.kind === 'unreadable') return cached;
  const isSkipped = judgeHistory(object.spec.targetResource, cached.value, look).kind === 'Skip';
  if (!isNext && !isSkipped) return cached;
  const fieldSelector = `spec.targetResource=${object.spec.targetResource}`;
  return others(object, await reader.fetchList(WorkflowExecution, { namespace: object.metadata.namespace ?? '', fieldSelector }));
}

const others = (object: WorkflowExecution, all: Listed<WorkflowExecution>): Listed<WorkflowExecution> =>
  all.kind === 'unreadable'
    ? all
    : { ...all, value: all.value.filter((one) => one.metadata.uid !== object.metadata.uid && runName(one.spec) === runName(object.spec)) };
