import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isTerminal, mayMove, phaseNames } from '../../../api/phases.ts';
import { remediationPhases, type RemediationPhase } from '../../../api/remediation-request/phases.ts';
import type { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import { BLOCK_REASONS, OUTCOMES, type BlockReason, type Outcome } from '../../../api/remediation-request/status.ts';
import { instant, SECOND, toTime } from '../../../base/index.ts';
import { memoryAuditLog } from '../../../store/index.ts';
import { auditEventsOf } from './request-audit-events.ts';
import { aReference, aRequest } from '../testing/builders.ts';

type Status = NonNullable<RemediationRequest['status']>;

/** One step of a life: where to, among the phases that the table allows, and what is written on arrival. */
interface Step {
  readonly choice: number;
  readonly seconds: number;
  readonly block: BlockReason;
  readonly outcome: Outcome;
  readonly needsReview: boolean;
}

const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.record({
    choice: fc.nat(20),
    seconds: fc.integer({ min: 1, max: 900 }),
    block: fc.constantFrom(...BLOCK_REASONS),
    outcome: fc.constantFrom(...OUTCOMES),
    needsReview: fc.boolean(),
  }),
  { minLength: 1, maxLength: 12 },
);

const START_FIELDS: Readonly<Partial<Record<RemediationPhase, keyof Status>>> = {
  Processing: 'processingStartTime',
  Analyzing: 'analyzingStartTime',
  AwaitingApproval: 'awaitingApprovalStartTime',
  Executing: 'executingStartTime',
  Verifying: 'verifyingStartTime',
  Blocked: 'blockedStartTime',
};

/** What the orchestrator writes on entering a phase. A block that is lifted leaves nothing behind, one that ends the request stays. */
function enter(status: Status, phase: RemediationPhase, at: string, step: Step): Status {
  const { blockReason: _, blockedStartTime: __, ...unblocked } = status;
  const isEnd = isTerminal(remediationPhases, phase);
  const field = START_FIELDS[phase];
  return {
    ...(isEnd ? status : unblocked),
    overallPhase: phase,
    ...(field && { [field]: at }),
    ...(phase === 'AwaitingApproval' && { approvalRequestRef: aReference('RemediationApprovalRequest', `rar-${at}`) }),
    ...(phase === 'Verifying' && { effectivenessAssessmentRef: aReference('EffectivenessAssessment', 'ea') }),
    ...(phase === 'Blocked' && { blockReason: step.block, ...(step.block === 'IneffectiveChain' && { requiresManualReview: true }) }),
    ...(isEnd && {
      completedAt: at,
      ...(phase === 'Completed' && { outcome: step.outcome }),
      ...(step.needsReview && { requiresManualReview: true }),
    }),
  };
}

/** Where the table leads from here; a failure that was held back can only fail again. */
const openTo = ({ overallPhase = 'Pending', completedAt }: Status): readonly RemediationPhase[] =>
  overallPhase === 'Blocked' && completedAt !== undefined ? ['Failed'] : remediationPhases.transitions[overallPhase];

/** Every state of a life that follows the table. */
function lifeOf(taken: readonly Step[]): readonly RemediationRequest[] {
  let now = 1_772_445_600_000;
  let status: Status = { overallPhase: 'Pending', startTime: toTime(instant(now)) };
  const states = [aRequest(), aRequest(status)];
  for (const step of taken) {
    const open = openTo(status);
    const next = open[step.choice % Math.max(1, open.length)];
    if (next === undefined) break;
    now += step.seconds * SECOND;
    status = enter(status, next, toTime(instant(now)), step);
    states.push(aRequest(status));
  }
  return states;
}

const idsOf = (request: RemediationRequest): ReadonlySet<string> => new Set(auditEventsOf(request).map(({ id }) => id));

/** Events that a later state cannot imply any more: of a phase that is entered again or a block that is lifted. */
function mayVanish(before: RemediationRequest, after: RemediationRequest): (id: string) => boolean {
  const [left, entered] = [before.status?.overallPhase, after.status?.overallPhase];
  const again = `/${entered}@`;
  const isLifted = left === 'Blocked' && !isTerminal(remediationPhases, entered);
  return (id) =>
    id.includes(again) ||
    (entered === 'AwaitingApproval' && id.includes('approval.requested')) ||
    ((isLifted || entered === 'Blocked') && (id.includes('routing.blocked') || id.includes('/Blocked@'))) ||
    // The time of a review that a block asked for goes with the block, until the end has one.
    (isLifted && id.includes('manual_review'));
}

describe('along any life that the table allows', () => {
  test('what was implied stays implied, but for what is overwritten by the next entry', () => {
    fc.assert(
      fc.property(steps, (taken) => {
        const states = lifeOf(taken);
        states.slice(1).forEach((after, i) => {
          const before = states[i]!;
          const ids = idsOf(after);
          const excused = mayVanish(before, after);
          expect([...idsOf(before)].filter((id) => !ids.has(id) && !excused(id))).toEqual([]);
        });
      }),
      { numRuns: 1_000 },
    );
  });

  test('ids are never used for two things, and looking twice records once', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (taken) => {
        const log = memoryAuditLog();
        const seen = new Map<string, string>();
        for (const state of lifeOf(taken)) {
          const events = auditEventsOf(state);
          expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
          for (const { id, type } of events) {
            expect(seen.get(id) ?? type).toBe(type);
            seen.set(id, type);
          }
          await log.append(events);
          await log.append(events);
        }
        expect(await log.find({})).toHaveLength(seen.size);
      }),
      { numRuns: 200 },
    );
  });

  test('every move is told when the state that it led to is looked at: the record has each entry, in order', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (taken) => {
        const log = memoryAuditLog();
        const states = lifeOf(taken);
        for (const state of states) await log.append(auditEventsOf(state));
        const entered = (await log.find({}))
          .filter(({ type }) => type === 'orchestrator.phase.transitioned' || type === 'orchestrator.lifecycle.transitioned')
          .map(({ data, at }) => `${data['phase'] as string}@${at}`);
        // That Pending was entered again leaves no time behind.
        const lived = states.map(({ status }) => status?.overallPhase).filter((phase) => phase !== undefined && phase !== 'Pending');
        expect(entered.map((entry) => entry.split('@')[0])).toEqual(lived);
        const times = entered.map((entry) => entry.split('@')[1] ?? '');
        expect(times.every((time, i) => i === 0 || times[i - 1]! < time)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  test('a look that was missed is made up for: from the last state alone come all events, where nothing was entered twice', () => {
    fc.assert(
      fc.property(steps, (taken) => {
        const states = lifeOf(taken);
        const phases = states.map(({ status }) => status?.overallPhase);
        fc.pre(new Set(phases).size === phases.length && !phases.slice(0, -1).includes('Blocked'));
        const all = new Set(states.flatMap((state) => [...idsOf(state)]));
        expect(idsOf(states.at(-1)!)).toEqual(all);
      }),
      { numRuns: 500 },
    );
  });

  test('the lives tried here go through every phase, and only where the table lets them', () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(steps, (taken) => {
        const phases = lifeOf(taken).flatMap(({ status }) => (status?.overallPhase ? [status.overallPhase] : []));
        phases.forEach((phase) => seen.add(phase));
        phases.slice(1).forEach((phase, i) => expect(mayMove(remediationPhases, phases[i]!, phase)).toBe(true));
      }),
      // Always the same lives: that every phase is among them must not be left to chance.
      { numRuns: 3_000, seed: 1 },
    );
    expect([...seen].toSorted()).toEqual([...phaseNames(remediationPhases)].toSorted());
  });
});
