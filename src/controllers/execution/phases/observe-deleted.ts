import { Lease, Namespace } from '../../../api/builtin/index.ts';
import { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import type { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import type { Listed, Read } from '../../../runtime/reconcile/controller.ts';
import { requestOwner } from '../admission/admit.ts';
import { observeAfterEnd } from '../engines/awx/observe-awx-job.ts';
import { readHistory } from '../history/index.ts';
import type { DeletedExecution, ExecutionContext } from '../observed-execution.ts';
import { preferOwn, readPods, liveRun } from '../run/read-run.ts';
import { otherHolder } from './choose-reads.ts';

/** Reads what is left of a deleted execution. Every read is live: once the execution is gone, nothing can be read again. */
export async function observeDeleted(context: ExecutionContext): Promise<DeletedExecution> {
  const { object, reader, key, settings } = context;
  const { namespace = '', uid } = object.metadata;
  const owner = requestOwner(object);
  const run = await liveRun(reader, key, preferOwn(uid, object.status?.executionRef?.uid));
  const lock = await reader.fetch(Lease, key);
  const history = await readHistory(context, true);
  return {
    stage: 'deleted',
    object,
    settings,
    run,
    lock,
    history,
    pods: await readPods(reader, key),
    holder: holderIn(history, otherHolder(object, { lock, run })),
    request: owner ? await reader.fetch(RemediationRequest, { namespace, name: owner.name }) : { kind: 'absent' },
    namespace: await reader.fetch(Namespace, { namespace: '', name: namespace }),
    awx: await observeAfterEnd(context),
  };
}

function holderIn(history: Listed<WorkflowExecution>, uid: string | undefined): Read<WorkflowExecution> {
  if (history.kind === 'unreadable') return history;
  const holder = history.value.find(({ metadata }) => metadata.uid === uid);
  return holder ? { kind: 'value', value: holder } : { kind: 'absent' };
}
