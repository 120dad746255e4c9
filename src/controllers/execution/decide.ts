import { assertNever, clip, type Instant } from '../../base/index.ts';
import type { Decision } from '../../runtime/reconcile/controller.ts';
import { cleanupBlocked, decideDeleted } from './phases/decide-deleted.ts';
import { decideFinished } from './phases/decide-finished.ts';
import { decidePending } from './phases/decide-pending.ts';
import { decideRunning } from './phases/decide-running.ts';
import { cleanUpAwx, followAwxJob } from './engines/awx/index.ts';
import { isBeingDeleted } from './phases/execution-finalizer.ts';
import { workflowOf } from './names.ts';
import type { NewExecution, ObservedExecution, RunningExecution } from './observed-execution.ts';
import { STARTING, stay } from './status/execution-status.ts';

/** The life of an execution: take the target's lock, start one run, record its result, keep everything for the cooldown, clean up. */
export function decide(seen: ObservedExecution, now: Instant): Decision {
  switch (seen.stage) {
    case 'new':
      return setPending(seen, now);
    case 'pending':
      return decidePending(seen, now);
    case 'running':
      return whileStopping(seen, now) ?? decideRunning(seen, now);
    case 'running-in-awx':
      return followAwxJob(seen, now);
    case 'finished':
      return decideFinished(seen, now);
    case 'deleted':
      return cleanUpAwx(seen, now) ?? decideDeleted(seen, now);
    default:
      return assertNever(seen);
  }
}

/** It was deleted, and its run cannot be read, so it may still be active. */
function whileStopping({ object, run }: RunningExecution, now: Instant): Decision | undefined {
  if (!isBeingDeleted(object) || run.kind !== 'unreadable') return undefined;
  return stay(object, now, { conditions: [cleanupBlocked(`its run cannot be read: ${run.reason}`)] });
}

/** The longest value that the schema accepts; an id of the catalogue may be longer. */
const LONGEST_NAME = 253;

function setPending({ object }: NewExecution, now: Instant): Decision {
  const { executionEngine, serviceAccountName } = object.spec.workflowRef;
  const set = {
    phase: 'Pending' as const,
    workflowName: clip(workflowOf(object), LONGEST_NAME),
    ...(executionEngine ? { executionEngine } : {}),
    ...(serviceAccountName ? { serviceAccountName } : {}),
  };
  return stay(object, now, { set, conditions: [STARTING] });
}
