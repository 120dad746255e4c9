import { afterEach, describe, expect, test } from 'vitest';
import { AIAnalysis } from '../../../api/ai-analysis/ai-analysis.ts';
import { EffectivenessAssessment } from '../../../api/effectiveness-assessment/effectiveness-assessment.ts';
import { NotificationRequest } from '../../../api/notification-request/notification-request.ts';
import { SignalProcessing } from '../../../api/signal-processing/signal-processing.ts';
import { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import { HOUR, MINUTE, parseTime, SECOND } from '../../../base/index.ts';
import { DEFAULT_SETTINGS } from '../../default-settings.ts';
import { orchestrator, OrchestratorFixture } from '../testing/orchestrator-fixture.ts';

let ward: OrchestratorFixture;
afterEach(async () => {
  expect(ward.stage.troubles).toEqual([]);
  await ward.stage.end();
});

type Assessed = NonNullable<EffectivenessAssessment['status']>;
type Found = NonNullable<Assessed['components']>;

const UNHEALTHY: Found = { healthAssessed: true, healthScore: 0, alertAssessed: true };
const FIRES: Found = { healthAssessed: true, healthScore: 1, alertAssessed: true, alertScore: 0 };
const WELL: Found = { healthAssessed: true, healthScore: 1, alertAssessed: true, alertScore: 1 };
/** Alertmanager was asked to the end, and gave no answer. */
const UNREAD: Assessed = {
  assessmentReason: 'Partial',
  components: { healthAssessed: true, healthScore: 1 },
  conditions: [
    { type: 'AlertmanagerAnswers', status: 'False', reason: 'NoAnswer', message: '', lastTransitionTime: '2026-11-15T03:00:00Z' },
  ],
};

/** Neither server is configured, and the target has no pods. */
const UNMEASURED: Assessed = { components: { hashComputed: true, healthAssessed: true, alertAssessed: true, metricsAssessed: true } };

/** Up to the moment that the run is to be assessed. */
async function carryOut(name: string): Promise<void> {
  await ward.signal(name);
  await ward.report(SignalProcessing, `sp-${name}`, { phase: 'Completed' });
  await ward.report(AIAnalysis, `ai-${name}`, await ward.plan());
  await ward.report(WorkflowExecution, `we-${name}`, { phase: 'Completed' });
}

/** One whole remediation with this assessment; how many minutes its signal is left alone, and how many failures in a row it makes. */
async function remediate(name: string, assessed: Assessed): Promise<readonly [number | undefined, number | undefined]> {
  await carryOut(name);
  await ward.report(EffectivenessAssessment, `ea-${name}`, { phase: 'Completed', assessmentReason: 'Full', ...assessed });
  const { nextAllowedExecution, consecutiveFailureCount, completedAt } = await ward.status(name);
  const [until, from] = [parseTime(nextAllowedExecution), parseTime(completedAt)];
  return [until === undefined || from === undefined ? undefined : (until - from) / MINUTE, consecutiveFailureCount];
}

/** Longer than any wait between two runs. */
const later = (): Promise<void> => ward.stage.advance(11 * MINUTE);

describe('remediations that again and again do not convince', () => {
  test('[EM-242, EM-243, EM-244, EM-247] wait 1, 2 and 4 minutes; after the third the next is blocked, for an hour', async () => {
    ward = await OrchestratorFixture.open();
    const waits: unknown[] = [];
    for (const name of ['a', 'b', 'c']) {
      waits.push(await remediate(name, { components: FIRES }));
      expect(await ward.status(name)).toMatchObject({ overallPhase: 'Completed', outcome: 'Inconclusive' });
      await later();
    }
    expect(waits).toEqual([
      [1, 1],
      [2, 2],
      [4, 3],
    ]);
    await ward.signal('d');
    expect(await ward.status('d')).toMatchObject({ overallPhase: 'Blocked', blockReason: 'ConsecutiveFailures' });
    expect(await ward.names(NotificationRequest)).toContain('nr-block-consecutivefailures-d');
    expect(await ward.names(SignalProcessing)).not.toContain('sp-d');
    await ward.stage.advance(HOUR);
    expect(await ward.status('d')).toMatchObject({ overallPhase: 'Failed', failurePhase: 'Blocked' });
    await ward.signal('e');
    expect((await ward.status('e')).overallPhase, 'the cooldown is over, and what led to it forgiven').toBe('Processing');
  });

  test('[EM-245, EM-246] wait 8 and then 10 minutes where the threshold lets a fourth and a fifth come about', async () => {
    const routing = { ...DEFAULT_SETTINGS.routing, consecutiveFailureThreshold: 9, recurrenceCountThreshold: 9 };
    ward = await OrchestratorFixture.open([orchestrator({ ...DEFAULT_SETTINGS, routing })]);
    const waits: (number | undefined)[] = [];
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) {
      waits.push((await remediate(name, { components: UNHEALTHY }))[0]);
      await later();
    }
    expect(waits).toEqual([1, 2, 4, 8, 10, 10]);
  });

  test('one that comes before its time is blocked until then, and not a second longer', async () => {
    ward = await OrchestratorFixture.open();
    await remediate('a', { components: UNHEALTHY });
    await ward.stage.advance(MINUTE - SECOND);
    await ward.signal('b');
    expect(await ward.status('b')).toMatchObject({ overallPhase: 'Blocked', blockReason: 'ExponentialBackoff' });
    await ward.stage.advance(SECOND);
    await ward.signal('c');
    expect((await ward.status('c')).overallPhase).toBe('Processing');
  });

  const between: readonly { readonly row: string; readonly assessed: Assessed; readonly counts: readonly number[] }[] = [
    { row: '[EM-248] start again after one that helped', assessed: { components: WELL }, counts: [1, 2, 0, 1] },
    { row: 'continue after one of which nothing could be measured (ruling 113)', assessed: UNMEASURED, counts: [1, 2, 2, 3] },
    { row: '[EM-248] continue after one whose alert could not be read', assessed: UNREAD, counts: [1, 2, 2, 3] },
  ];
  test.each(between)('$row', async ({ assessed, counts }) => {
    ward = await OrchestratorFixture.open();
    const found: (number | undefined)[] = [];
    for (const [name, status] of Object.entries({
      a: { components: UNHEALTHY },
      b: { components: UNHEALTHY },
      c: assessed,
      d: { components: UNHEALTHY },
    })) {
      found.push((await remediate(name, status))[1]);
      await later();
    }
    expect(await ward.status('c')).toMatchObject({ outcome: 'Remediated' });
    expect(found).toEqual(counts);
  });
});
