import type { Event, Pod } from '../../../../api/builtin/index.ts';
import type { KubeObject } from '../../../../api/meta.ts';
import type { Listed } from '../../../../kube/client/read.ts';
import { isObstacle, type ClusterMessage } from './failure-causes.ts';
import { summarizePods, type PodEvidence, type PodSummary, type RecordedState } from './pod-evidence.ts';
import { hasStartedEvent, obstacleIn } from './run-events.ts';

/** Everything that is known of a run beside the run itself. */
export interface RunFacts {
  /** Its own pods, and no others. */
  readonly pods: readonly Pod[];
  readonly events: Listed<Event>;
  readonly remembered: RecordedState | undefined;
  /** The run's own word that it never had a pod. */
  readonly hadNoPod: boolean;
}

/** Whether the workflow began, and what its pods, its Events and what is remembered say. Where it is not certain that nothing began, it did. */
export function runEvidence(run: KubeObject, facts: RunFacts): PodEvidence {
  const { pods, events, remembered } = facts;
  const { began, ...told } = summarizePods(pods);
  if (pods.length > 0 && began === 'yes') return { ...told, started: true };
  // A pod that is being deleted says no more why it waited.
  if (pods.length > 0 && began === 'no') return unbegun(told, told.obstacle ?? obstacleIn(readable(events)) ?? lastObstacle(remembered));
  const proof = proofOfNothing(run, facts);
  return proof ? unbegun(told, proof) : { ...told, started: true, ...lastDisruption(told, remembered) };
}

/** What stood in the way to the end: either no pod was ever made, or the one that waited was never told to have started. */
function proofOfNothing(run: KubeObject, { pods, events, remembered, hadNoPod }: RunFacts): ClusterMessage | undefined {
  if (events.kind === 'unreadable' || hasStartedEvent(run, events.value)) return undefined;
  const isPodless = pods.length === 0 && hadNoPod;
  return (isPodless ? obstacleIn(events.value) : undefined) ?? lastObstacle(remembered);
}

const unbegun = (told: Omit<PodSummary, 'began'>, obstacle: ClusterMessage | undefined): PodEvidence => ({
  ...told,
  started: false,
  ...(obstacle ? { obstacle } : {}),
});

/** What it waits for by other means, such as room in the budget, is no word of the cluster. */
const lastObstacle = (remembered: RecordedState | undefined): ClusterMessage | undefined =>
  remembered && !remembered.started && isObstacle(remembered) ? { reason: remembered.reason, message: remembered.message } : undefined;

function lastDisruption(told: Omit<PodSummary, 'began'>, remembered: RecordedState | undefined): Pick<PodEvidence, 'disruption'> {
  if (told.disruption || !remembered?.started || remembered.reason === '') return {};
  return { disruption: { reason: remembered.reason, message: remembered.message } };
}

const readable = (events: Listed<Event>): readonly Event[] => (events.kind === 'value' ? events.value : []);
