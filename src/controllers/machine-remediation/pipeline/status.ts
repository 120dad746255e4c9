import type { PipelineRemediation } from '../../../api/pipeline-remediation/pipeline-remediation.ts';
import type { PipelineRemediationPhase } from '../../../api/pipeline-remediation/phases.ts';
import { after, given, instant, MINUTE, type Instant } from '../../../base/index.ts';
import { getCondition, setCondition } from '../../../kube/objects/conditions.ts';
import type { Decision, Effect } from '../../../runtime/reconcile/controller.ts';
import { cordonedBy } from './cordon.ts';
import type { PipelineSeen } from './observe.ts';
import { conditionEvent } from '../../kubernetes-events.ts';

export type PipelineStatus = NonNullable<PipelineRemediation['status']>;

/** How soon to look again where an event is awaited, or something that tells nobody when it changes. */
export const LOOK_AGAIN_MS = MINUTE;

/** Where it stands and why, in a word and in a sentence. */
export interface Standing {
  /** Where it goes; without one it stays where it is. */
  readonly phase?: PipelineRemediationPhase;
  readonly reason: string;
  readonly message: string;
  /** Something a person should look at. */
  readonly isTrouble?: boolean;
  readonly change?: Partial<PipelineStatus>;
  readonly effects?: readonly Effect[];
  readonly wakeAt?: Instant;
}

/** What is done meanwhile, and the word for it. */
interface Waiting {
  readonly effects?: readonly Effect[];
  readonly reason?: string;
  /** When it is over at the latest: somebody may open the Node before that. */
  readonly until?: Instant;
}

/** Says it on the status, and as an Event when it is news; then the effects. */
export function stand(seen: PipelineSeen, standing: Standing, now: Instant): Decision {
  const { reason, message, isTrouble = false, effects = [], wakeAt = after(now, LOOK_AGAIN_MS) } = standing;
  const isNews = getCondition(seen.object.status?.conditions, 'Ready')?.reason !== reason;
  const news: readonly Effect[] = isNews ? [conditionEvent({ type: isTrouble ? 'Warning' : 'Normal', reason, message })] : [];
  return { status: statusOf(seen, standing, now), effects: [...news, ...effects], wakeAt };
}

/** One that was taken back waits for something to be over, and looks again. */
export function wait(
  seen: PipelineSeen,
  message: string,
  now: Instant,
  { effects = [], reason = 'Ending', until }: Waiting = {},
): Decision {
  const wakeAt = instant(Math.min(until ?? Infinity, after(now, LOOK_AGAIN_MS)));
  return stand(seen, { phase: 'Ending', reason, message, effects, wakeAt }, now);
}

/** A state, with what is said about it where something is. */
export const inFull = (state: string, message = ''): string => (message === '' ? state : `${state}: ${message}`);

function statusOf(seen: PipelineSeen, { reason, message, isTrouble, change, ...standing }: Standing, now: Instant): PipelineStatus {
  const { metadata, status = {} } = seen.object;
  const { cordonedBy: _, ...before } = status;
  const phase = standing.phase ?? before.phase;
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
