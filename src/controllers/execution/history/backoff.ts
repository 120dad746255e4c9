import type { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import { after, toTime, type Instant } from '../../../base/index.ts';
import type { ExecutionSettings } from '../../settings.ts';
import type { ExecutionFailure } from '../status/failure.ts';

/**
 * The status fields of a failure before execution: one more in a row, and the time of the next allowed execution. A run that had started
 * is no part of that row, and is not retried.
 */
export function countFailure({ status }: WorkflowExecution, now: Instant, { failure, settings }: CountedFailure): BackoffStatus {
  if (failure.started || failure.isUncounted) return {};
  const consecutiveFailures = (status?.consecutiveFailures ?? 0) + 1;
  return { consecutiveFailures, nextAllowedExecution: toTime(after(now, backoffMs(consecutiveFailures, settings))) };
}

/** The status after a success: it ends the row of failures, and the target may be remediated again at once. */
export function withoutFailures<S extends Partial<BackoffStatus>>(status: S | undefined): Omit<S, keyof BackoffStatus> {
  const { consecutiveFailures: _, nextAllowedExecution: __, ...rest } = status ?? ({} as S);
  return rest;
}

export interface CountedFailure {
  readonly failure: ExecutionFailure;
  readonly settings: ExecutionSettings;
}

type BackoffStatus = Pick<NonNullable<WorkflowExecution['status']>, 'consecutiveFailures' | 'nextAllowedExecution'>;

/**
 * The back-off of a target after its n-th failure in a row before execution. The exponent is capped, and then the time; the count continues.
 */
export function backoffMs(failures: number, settings: ExecutionSettings): number {
  const exponent = Math.min(Math.max(failures, 1) - 1, settings.maxBackoffExponent);
  return Math.min(settings.baseCooldownMs * 2 ** exponent, settings.maxCooldownMs);
}
