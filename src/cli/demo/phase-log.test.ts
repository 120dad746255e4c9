import { describe, expect, test } from 'vitest';
import type { RemediationPhase } from '../../api/index.ts';
import { aRequest } from '../../controllers/remediation/testing/builders.ts';
import { ManualClock } from '../../testkit/manual-clock.ts';
import { PhaseLog } from './phase-log.ts';

const at = (overallPhase: RemediationPhase, message?: string) => aRequest({ overallPhase, ...(message === undefined ? {} : { message }) });

function setUp() {
  const clock = new ManualClock();
  const printed: string[] = [];
  return { clock, printed, log: new PhaseLog(clock, (text) => printed.push(text)) };
}

describe('a log of phases', () => {
  test('tells of the request once, and of each phase once', () => {
    const { log, printed } = setUp();
    for (const phase of ['Pending', 'Pending', 'Processing', 'Processing'] as const) log.judge(at(phase, `in ${phase}`));
    expect(printed).toEqual(['RemediationRequest rr', '  Pending          in Pending', '  Processing       in Processing']);
  });

  test('a phase without a message leaves no blanks', () => {
    const { log, printed } = setUp();
    log.judge(at('Pending'));
    expect(printed).toEqual(['RemediationRequest rr', '  Pending']);
  });

  test.each([
    { request: undefined, reason: 'there is none yet' },
    { request: aRequest(), reason: 'it has no status yet' },
    { request: aRequest({ message: 'nothing yet' }), reason: 'it has no phase yet' },
  ])('prints nothing when $reason', ({ request }) => {
    const { log, printed } = setUp();
    expect(log.judge(request)).toBeUndefined();
    expect(printed).toEqual([]);
    expect(log.phase).toBeUndefined();
    expect(log.isOver).toBe(false);
  });

  test.each<{ phase: RemediationPhase; over: boolean }>([
    { phase: 'Pending', over: false },
    { phase: 'Processing', over: false },
    { phase: 'Analyzing', over: false },
    { phase: 'Executing', over: false },
    { phase: 'Verifying', over: false },
    { phase: 'Completed', over: true },
    { phase: 'Failed', over: true },
    { phase: 'TimedOut', over: true },
  ])('$phase is the end: $over', ({ phase, over }) => {
    const { log } = setUp();
    const request = at(phase);
    expect(log.judge(request)).toBe(over ? request : undefined);
    expect(log.phase).toBe(phase);
    expect(log.isOver).toBe(over);
  });

  test('keeps the duration of each finished phase', async () => {
    const { log, clock } = setUp();
    expect(log.durations()).toEqual([]);
    log.judge(at('Pending'));
    expect(log.durations()).toEqual([]);
    await clock.advance(1_500);
    log.judge(at('Processing'));
    await clock.advance(250);
    log.judge(at('Processing'));
    await clock.advance(250);
    log.judge(at('Failed'));
    await clock.advance(9_000);
    expect(log.durations()).toEqual([
      { phase: 'Pending', seconds: 1.5 },
      { phase: 'Processing', seconds: 0.5 },
    ]);
  });
});
