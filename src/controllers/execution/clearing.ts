import type { Pod } from '../../api/builtin/index.ts';
import type { Listed } from '../../runtime/controller.ts';
import { isAlive } from './engines/pod-story.ts';

/** Why a run of this name may still be at work, although its Job has gone; undefined when none is. */
export function stillAlive(pods: Listed<Pod>): string | undefined {
  if (pods.kind === 'unreadable') return `the pods of an earlier run cannot be read: ${pods.reason}`;
  const pod = pods.value.find(isAlive);
  return pod && `pod ${pod.metadata.name} of an earlier run has not ended yet`;
}
