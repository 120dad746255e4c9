import { expect } from 'vitest';
import type { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import { DEFAULT_SETTINGS } from '../../default-settings.ts';
import { decide } from '../decide.ts';
import { onlyRequest, type RemediationSeen } from '../observe.ts';
import type { RemediationStatus } from '../status.ts';
import { aRequest, at, effectText } from './builders.ts';

/** One row of a table over what is seen. */
export interface DecisionCase {
  readonly name: string;
  readonly reason: string;
  readonly status?: RemediationStatus;
  readonly spec?: Partial<RemediationRequest['spec']>;
  readonly seen?: Partial<RemediationSeen>;
  /** How long after everything began. */
  readonly atMs?: number;
  readonly want: RemediationStatus;
  readonly effects?: readonly string[];
  /** False where nothing more will happen by itself. */
  readonly wakes?: boolean;
  /** When exactly it looks again, as `atMs` counts, where that is what the case is about. */
  readonly wakesAtMs?: number;
  /** Words that the message must have. */
  readonly says?: string;
}

/** Decides the case and compares: `want` is what the status must hold among others. */
export function expectDecision({
  status,
  spec,
  seen,
  atMs = 0,
  want,
  effects = [],
  wakes = true,
  wakesAtMs,
  says = '',
}: DecisionCase): void {
  const object = aRequest(status, spec);
  const decision = decide(
    {
      ...onlyRequest(object, DEFAULT_SETTINGS),
      siblings: { kind: 'value', value: [object] },
      identityIsChecked: true,
      isAudited: true,
      ...seen,
    },
    at(atMs),
  );
  const decided = decision.status as RemediationStatus;
  expect(decided).toMatchObject(want);
  expect(decision.effects.map(effectText)).toEqual(effects);
  expect(decision.wakeAt !== undefined).toBe(wakes);
  if (decision.wakeAt !== undefined) expect(decision.wakeAt).toBeGreaterThan(at(atMs));
  if (wakesAtMs !== undefined) expect(decision.wakeAt).toBe(at(wakesAtMs));
  expect(decided.message ?? '').toContain(says);
}
