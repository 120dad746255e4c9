import { Lease, Namespace } from '../../../api/builtin/index.ts';
import type { ObjectKey } from '../../../api/meta.ts';
import { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import type { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import type { Listed, Read } from '../../../runtime/reconcile/controller.ts';
import { ownerOf } from '../admission/admit.ts';
import { readHistory, type HistoryLook } from '../history/index.ts';
import { occupantOf } from '../lock/judge-lock.ts';
import { executionUidOf } from '../names.ts';
import type { ExecutionSeen } from '../observe.ts';
import { ownFirst, readPods, servedRun } from '../run/read-run.ts';

/** What is seen of an execution that somebody deleted, all on the server's word: when it has gone nobody can look again. */
export async function observeLeaving(look: HistoryLook & { readonly key: ObjectKey }): Promise<Partial<ExecutionSeen>> {
  const { object, reader, key } = look;
  const { namespace = '', uid } = object.metadata;
  const owner = ownerOf(object);
  const run = await servedRun(reader, key, ownFirst(uid, object.status?.executionRef?.uid));
  const lock = await reader.fetch(Lease, key);
  const history = await readHistory(look, true);
  return {
    run,
    lock,
    history,
    pods: await readPods(reader, key),
    holder: holderIn(history, occupantOf(uid, lock, run.kind === 'value' ? executionUidOf(run.value) : undefined)),
    request: owner ? await reader.fetch(RemediationRequest, { namespace, name: owner.name }) : { kind: 'absent' },
    namespace: await reader.fetch(Namespace, { namespace: '', name: namespace }),
  };
}

function holderIn(history: Listed<WorkflowExecution>, uid: string | undefined): Read<WorkflowExecution> {
  if (history.kind === 'unreadable') return history;
  const holder = history.value.find(({ metadata }) => metadata.uid === uid);
  return holder ? { kind: 'value', value: holder } : { kind: 'absent' };
}
