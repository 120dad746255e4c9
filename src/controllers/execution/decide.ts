import { assertNever, clip, type Instant } from '../../base/index.ts';
import type { Decision } from '../../runtime/reconcile/controller.ts';
import { decideEnded } from './phases/decide-finished.ts';
import { cannotGo } from './phases/decide-deleted.ts';
import { decidePending } from './phases/decide-pending.ts';
import { decideRunning } from './phases/decide-running.ts';
import { isGoing } from './phases/execution-finalizer.ts';
import { workflowOf } from './names.ts';
import type { ExecutionSeen } from './observe.ts';
import { ON_ITS_WAY, stay } from './status/execution-status.ts';

/** The life of an execution: take the target's lock, start one run, take its result, keep everything for the cooldown, clear up. */
export function decide(seen: ExecutionSeen, now: Instant): Decision {
  const phase = seen.object.status?.phase;
  switch (phase) {
    case undefined:
      return begin(seen, now);
    case 'Pending':
      return decidePending(seen, now);
    case 'Running':
      return whileStopping(seen, now) ?? decideRunning(seen, now);
    case 'Completed':
    case 'Failed':
    case 'Skipped':
      return decideEnded(seen, now);
    default:
      return assertNever(phase);
  }
}

/** It was deleted, and whether its run has stopped cannot be told. */
function whileStopping({ object, run }: ExecutionSeen, now: Instant): Decision | undefined {
  if (!isGoing(object) || run.kind !== 'unreadable') return undefined;
  return stay(object, now, { conditions: [cannotGo(`its run cannot be read: ${run.reason}`)] });
}

/** As long as the kind lets it be; an id of the catalogue may be longer. */
const LONGEST_NAME = 253;

function begin({ object }: ExecutionSeen, now: Instant): Decision {
  const { executionEngine, serviceAccountName } = object.spec.workflowRef;
  const set = {
    phase: 'Pending' as const,
    workflowName: clip(workflowOf(object), LONGEST_NAME),
    ...(executionEngine ? { executionEngine } : {}),
    ...(serviceAccountName ? { serviceAccountName } : {}),
  };
  return stay(object, now, { set, conditions: [ON_ITS_WAY] });
}
