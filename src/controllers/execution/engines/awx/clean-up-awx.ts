import { after, type Instant } from '../../../../base/index.ts';
import type { Decision, Effect } from '../../../../runtime/reconcile/controller.ts';
import { RECHECK_INTERVAL_MS } from '../../status/execution-status.ts';
import { awxStep } from './awx-step.ts';
import type { FinishedExecution } from '../../observed-execution.ts';
import { AWX_POLL_MS, whyUnknown } from './launch/start-awx-job.ts';
import { hasFinalizer, removeFinalizer } from './awx-finalizer.ts';
import { isOver, type AwxLeftovers } from './observed-awx.ts';
import { markName } from './launch/needed-credentials.ts';
import { warningEvent } from '../../../kubernetes-events.ts';

/**
 * Clears AWX of an execution that is over, at once: a job that goes on is stopped, credentials go, then their types, then the finalizer.
 * The mark goes after everything else, since it is what a job is found by. Undefined when nothing can be left there.
 */
type AwxCleanupCase = Pick<FinishedExecution, 'object' | 'awx'>;

export function cleanUpAwx(seen: AwxCleanupCase, now: Instant): Decision | undefined {
  const { object, awx } = seen;
  if (!hasFinalizer(object)) return undefined;
  if (awx.kind !== 'remains') return held(seen, now, whyUnknown(awx));
  const effects = stepsOf(seen, awx);
  if (effects.length === 0) return cleared(object, now);
  if (awx.trouble) return held(seen, now, awx.trouble.message, effects);
  return { status: object.status, effects, wakeAt: after(now, isRunning(awx) ? RECHECK_INTERVAL_MS : AWX_POLL_MS) };
}

/** First the record of what there was, then the finalizer: each is one write. */
function cleared(object: AwxCleanupCase['object'], now: Instant): Decision {
  const { ephemeralCredentialIDs, ...status } = object.status ?? {};
  const effects = ephemeralCredentialIDs === undefined ? [removeFinalizer(object)] : [];
  return { status, effects, wakeAt: after(now, AWX_POLL_MS) };
}

/** The target stays locked and the execution stays until AWX has deleted the job and its credentials. */
function held({ object }: AwxCleanupCase, now: Instant, why: string, effects: readonly Effect[] = []): Decision {
  const message = `its job or its credentials in AWX could not be deleted yet, so ${object.spec.targetResource} stays locked: ${why}`;
  return {
    status: object.status,
    effects: [...effects, warningEvent('CleanupFailed', message)],
    wakeAt: after(now, RECHECK_INTERVAL_MS),
  };
}

function stepsOf({ object }: AwxCleanupCase, awx: AwxLeftovers): readonly Effect[] {
  const { credentials, types, job } = awx;
  const mark = markName(object.metadata);
  const others = credentials.filter(({ name }) => name !== mark);
  const stop = isRunning(awx) && job.kind === 'value' ? [awxStep(object, { do: 'cancel', job: job.value.id })] : [];
  if (stop.length > 0 || others.length > 0) return [...stop, ...others.map(({ id }) => awxStep(object, { do: 'delete credential', id }))];
  if (credentials.length > 0) return credentials.map(({ id }) => awxStep(object, { do: 'delete credential', id }));
  return types.map(({ id }) => awxStep(object, { do: 'delete type', id }));
}

/** Whether a job goes on, or may. */
const isRunning = ({ job }: AwxLeftovers): boolean => job.kind === 'unreadable' || (job.kind === 'value' && !isOver(job.value));
