import { quoted, type ExecutionFailure } from '../../status/failure.ts';
import type { PodEvidence } from './pod-evidence.ts';

/**
 * The failure of a run that reports by its exit code that a precondition is not met and that it changed nothing: a failure before execution
 * (ruling 118). `words` name the precondition. Undefined where it ended in another way, or the cluster had ended its pod.
 */
export function refusalOf({ refused, disruption, end }: PodEvidence, words = ''): ExecutionFailure | undefined {
  if (!refused || !end || disruption) return undefined;
  return {
    reason: 'TaskFailed',
    message: quoted(`a precondition is not met: ${words || 'the workflow does not say which one'}`),
    started: false,
    hasRefused: true,
    advice: 'Check whether the target still needs remediation, and meet the precondition if it does.',
  };
}

/** A workflow ends with the reason; what it did before is in the lines above. */
export const lastLine = (text = ''): string => text.trim().split('\n').at(-1)?.trim() ?? '';
