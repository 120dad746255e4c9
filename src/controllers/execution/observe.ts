import type { ObjectKey } from '../../api/meta.ts';
import { WorkflowExecution } from '../../api/workflow-execution/workflow-execution.ts';
import { assertNever, type Instant } from '../../base/index.ts';
import type { Reader } from '../../runtime/reconcile/controller.ts';
import type { Settings } from '../settings.ts';
import type { AwxConnection } from './engines/awx/index.ts';
import { runName } from './names.ts';
import { stageOf, type ExecutionContext, type ObservedExecution } from './observed-execution.ts';
import { observeDeleted } from './phases/observe-deleted.ts';
import { observeFinished } from './phases/observe-finished.ts';
import { observePending } from './phases/observe-pending.ts';
import { observeRunning, observeRunningInAwx } from './phases/observe-running.ts';

/** Reads what the stage of the execution needs; `decide` decides. Undefined when the execution is gone. */
export async function observe(
  key: ObjectKey,
  reader: Reader,
  at: { readonly now: Instant; readonly settings: Settings; readonly door?: AwxConnection | undefined },
): Promise<ObservedExecution | undefined> {
  const found = reader.get(WorkflowExecution, key);
  if (found.kind !== 'value') return undefined;
  const object = found.value;
  return observeStage({ object, reader, ...at, key: { namespace: at.settings.executionNamespace, name: runName(object.spec) } });
}

function observeStage(context: ExecutionContext): ObservedExecution | Promise<ObservedExecution> {
  const { object, settings } = context;
  const stage = stageOf(object);
  switch (stage) {
    case 'new':
      return { stage, object, settings };
    case 'pending':
      return observePending(context);
    case 'running':
      return observeRunning(context);
    case 'running-in-awx':
      return observeRunningInAwx(context);
    case 'finished':
      return observeFinished(context);
    case 'deleted':
      return observeDeleted(context);
    default:
      return assertNever(stage);
  }
}
