import { expect } from 'vitest';
import { mayMove } from '../../../api/phases.ts';
import { executionPhases } from '../../../api/workflow-execution/phases.ts';
import { after, SECOND, type Instant } from '../../../base/index.ts';
import { decide } from '../decide.ts';
import type { Everything } from '../testing/builders.ts';
import type { ExecutionStatus } from '../status/execution-status.ts';
import { effectText, NOW, seenWith } from './builders.ts';

/** A row of a table over what is seen in a phase that is not the last. */
export interface Case {
  readonly name: string;
  readonly reason: string;
  readonly seen?: Partial<Everything>;
  readonly at?: Instant;
  readonly phase: string;
  /** The reason of the Ready condition. */
  readonly because?: string;
  readonly effects?: readonly string[];
  /** How an end is judged: whether the workflow may have acted. */
  readonly acted?: boolean;
}

/** What is decided for the row, and what holds for every decision before the end: a legal step, and a look within ten seconds. */
export function judged({ seen, at = NOW }: Pick<Case, 'seen' | 'at'>) {
  const observed = seenWith(seen);
  const decision = decide(observed, at);
  const status = decision.status as ExecutionStatus;
  const from = observed.object.status?.phase;
  if (from !== undefined && status.phase !== undefined && status.phase !== from)
    expect(mayMove(executionPhases, from, status.phase)).toBe(true);
  expect(decision.wakeAt).toBeGreaterThan(at);
  expect(decision.wakeAt).toBeLessThanOrEqual(after(at, 10 * SECOND));
  return {
    phase: status.phase,
    because: status.conditions?.find(({ type }) => type === 'Ready')?.reason,
    effects: decision.effects.map(effectText),
    acted: status.failureDetails?.wasExecutionFailure,
  };
}

/** The row's own expectation, in the same words. */
export const wanted = ({ phase, because, effects = [], acted }: Case) => ({ phase, because, effects, acted });
