import { describe, expect, test } from 'vitest';
import { MINUTE } from '../../../base/index.ts';
import { DEFAULT_SETTINGS } from '../../default-settings.ts';
import { decide } from '../decide.ts';
import { onlyRequest, type RemediationSeen } from '../observe.ts';
import type { RemediationStatus } from '../status.ts';
import { analyzing, anAnalysis, aProcessing, aRequest, at, processing, value } from '../testing/builders.ts';

const LATE = [
  {
    id: 'CO-043',
    phase: 'Processing',
    status: processing,
    limit: 5 * MINUTE,
    unfinished: { processing: value(aProcessing({ phase: 'Enriching' })) },
    finished: { processing: value(aProcessing({ phase: 'Completed' })) },
  },
  {
    id: 'CO-083',
    phase: 'Analyzing',
    status: analyzing,
    limit: 10 * MINUTE,
    unfinished: { analysis: value(anAnalysis({ phase: 'Investigating' })) },
    finished: { analysis: value(anAnalysis()) },
  },
] as const;

const statusOf = (seen: RemediationSeen, ms: number): RemediationStatus | undefined =>
  decide(seen, at(ms)).status as RemediationStatus | undefined;

describe.each(LATE)('a child that does not finish by the default limit of $phase', ({ id, phase, status, limit, unfinished, finished }) => {
  const seen = (more: Partial<RemediationSeen>, object = aRequest(status)) => ({ ...onlyRequest(object, DEFAULT_SETTINGS), ...more });

  test(`[${id}] ends the request as TimedOut there, and not a moment before`, () => {
    expect(statusOf(seen(unfinished), limit - 1_000)?.overallPhase ?? phase).toBe(phase);
    expect(statusOf(seen(unfinished), limit)).toMatchObject({ overallPhase: 'TimedOut', timeoutPhase: phase });
  });

  test(`[${id}] changes nothing when its result comes later`, () => {
    const ended = statusOf(seen(unfinished), limit);
    const later = decide(seen(finished, aRequest(ended)), at(limit + MINUTE));
    expect(later.status ?? ended).toMatchObject({ overallPhase: 'TimedOut', timeoutPhase: phase, completedAt: ended?.completedAt });
    expect(
      later.effects.filter(({ kind }) => kind === 'Create').map((effect) => 'resource' in effect && effect.resource.kind),
    ).not.toContain('WorkflowExecution');
  });
});
