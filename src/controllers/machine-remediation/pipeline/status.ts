import type { PipelineRemediation } from '../../../api/pipeline-remediation/pipeline-remediation.ts';
import type { PipelineRemediationPhase } from '../../../api/pipeline-remediation/phases.ts';
import { after, given, instant, MINUTE, type Instant } from '../../../base/index.ts';
import { getCondition, setCondition } from '../../../kube/objects/conditions.ts';
import type { Decision, Effect } from '../../../runtime/reconcile/controller.ts';
import { cordonedBy } from './cordon.ts';
import type { PipelineSeen } from './observe.ts';
import { conditionEvent } from '../../kubernetes-events.ts';

export type PipelineStatus = NonNullable<PipelineRemediation['status']>;

/** How soon to read again what no watch reports, and what a watch might have missed. */
export const PIPELINE_RECHECK_MS = MINUTE;

/** The next state of the request, with its reason and message. */
export interface PipelineUpdate {
  /** The phase to enter; without one the phase stays. */
  readonly phase?: PipelineRemediationPhase;
  readonly reason: string;
  readonly message: string;
  /** Whether an operator should act. */
  readonly isTrouble?: boolean;
  readonly change?: Partial<PipelineStatus>;
  readonly effects?: readonly Effect[];
  readonly wakeAt?: Instant;
}

/** Effects and reason of a wait. */
interface Waiting {
  readonly effects?: readonly Effect[];
  readonly reason?: string;
  /** When the wait ends at the latest. */
  readonly until?: Instant;
}

/** Writes the status, records an Event for a new reason, then performs the effects. */
export function updatePipeline(seen: PipelineSeen, update: PipelineUpdate, now: Instant): Decision {
  const { reason, message, isTrouble = false, effects = [], wakeAt = after(now, PIPELINE_RECHECK_MS) } = update;
  const isNews = getCondition(seen.object.status?.conditions, 'Ready')?.reason !== reason;
  const news: readonly Effect[] = isNews ? [conditionEvent({ type: isTrouble ? 'Warning' : 'Normal', reason, message })] : [];
  return { status: statusOf(seen, update, now), effects: [...news, ...effects], wakeAt };
}

/** A request that is being deleted waits for something to finish, and checks again. */
export function waitInDeletion(
  seen: PipelineSeen,
  message: string,
  now: Instant,
  { effects = [], reason = 'Ending', until }: Waiting = {},
): Decision {
  const wakeAt = instant(Math.min(until ?? Infinity, after(now, PIPELINE_RECHECK_MS)));
  return updatePipeline(seen, { phase: 'Ending', reason, message, effects, wakeAt }, now);
}

/** A state, with the message about it where there is one. */
export const inFull = (state: string, message = ''): string => (message === '' ? state : `${state}: ${message}`);

function statusOf(seen: PipelineSeen, { reason, message, isTrouble, change, ...update }: PipelineUpdate, now: Instant): PipelineStatus {
  const { metadata, status = {} } = seen.object;
  const { cordonedBy: _, ...before } = status;
  const phase = update.phase ?? before.phase;
  const isAtWork = phase === 'Requested' && isTrouble !== true;
  const ready = { type: 'Ready', status: isAtWork ? 'True' : 'False', reason, message } as const;
  return {
    ...before,
    ...given({ phase, cordonedBy: cordonedBy(seen), observedGeneration: metadata.generation }),
    ...change,
    message,
    conditions: [...setCondition(before.conditions, ready, now)],
  };
}
