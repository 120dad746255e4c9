import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isTerminal, mayMove } from '../../api/phases.ts';
import { executionPhases } from '../../api/workflow-execution/phases.ts';
import type { WorkflowExecution } from '../../api/workflow-execution/workflow-execution.ts';
import { after, MINUTE, SECOND, toTime, type Instant } from '../../base/index.ts';
import type { Decision } from '../../runtime/reconcile/controller.ts';
import { DEFAULT_SETTINGS } from '../default-settings.ts';
import { admit } from './admission/admit.ts';
import { decide } from './decide.ts';
import { isPodActive } from './engines/evidence/pod-evidence.ts';
import { executionUidOf } from './names.ts';
import type { ExecutionStatus } from './status/execution-status.ts';
import {
  ABSENT,
  aBudget,
  aJob,
  aLock,
  anExecution,
  aPod,
  aRequest,
  effectText,
  found,
  inState,
  listed,
  NOW,
  running,
  seenWith,
  type Everything,
  type FullObservation,
  UNREADABLE,
} from './testing/builders.ts';

const SEED_REASONS = [
  'OOMKilled',
  'DeadlineExceeded',
  'Forbidden',
  'ResourceExhausted',
  'ConfigurationError',
  'ImagePullBackOff',
  'TaskFailed',
  'Unknown',
];

const moment = toTime(NOW);
const statuses = fc.constantFrom<WorkflowExecution['status'][]>(
  undefined,
  { phase: 'Pending' },
  running,
  { ...running, executionRef: { uid: 'job-0' } },
  { phase: 'Running' },
  { ...running, phase: 'Pending' },
  { ...running, executionStatus: { status: 'Waiting', reason: 'ErrImagePull' } },
  { phase: 'Completed', completionTime: moment },
  { ...running, phase: 'Failed', completionTime: moment },
  { phase: 'Skipped' },
);
const locks = fc.constantFrom<Everything['lock'][]>(
  ABSENT,
  UNREADABLE,
  found(aLock()),
  found(aLock('wfe-1', { deletionTimestamp: moment })),
  found(aLock('wfe-2')),
  found(aLock('', { labels: {} })),
);
const jobs = fc
  .record({
    uid: fc.constantFrom('job-1', 'job-2'),
    of: fc.constantFrom('wfe-1', 'wfe-2', ''),
    held: fc.boolean(),
    generation: fc.constantFrom(1, 2, 3),
    deleted: fc.boolean(),
    ended: fc.constantFrom(undefined, { type: 'Complete' as const }, { type: 'Failed' as const, reason: 'DeadlineExceeded' }),
  })
  .map(({ ended, ...job }) => found(aJob({ ...job, ...(ended ? { ended } : {}) })));
const runs = fc.oneof(fc.constantFrom<Everything['run'][]>(ABSENT, UNREADABLE), jobs);
const holders = fc.constantFrom<Everything['holder'][]>(
  ABSENT,
  UNREADABLE,
  found(anExecution({ uid: 'wfe-2', status: { phase: 'Running' } })),
  found(anExecution({ uid: 'wfe-2', status: { phase: 'Completed', completionTime: moment } })),
);
const requests = fc.constantFrom<Everything['request'][]>(
  ABSENT,
  UNREADABLE,
  found(aRequest()),
  found(aRequest({ overallPhase: 'Analyzing' })),
  found(aRequest({ overallPhase: 'Cancelled' })),
  found(aRequest({ workflowExecutionRef: { uid: 'wfe-9' } })),
);
const pods = fc.constantFrom<Everything['pods'][]>(
  UNREADABLE,
  listed(),
  listed(aPod({ phase: 'Succeeded' })),
  listed(inState({ running: {} })),
  listed(inState({ waiting: { reason: 'ErrImagePull' } }, 'Pending')),
  listed(aPod({ phase: 'Running' }, { of: 'wfe-2', job: 'job-2' })),
);
const itself = anExecution();
const busy = ['wfe-3', 'wfe-4'].map((uid) => anExecution({ uid, name: uid }));
const budgets = fc.constantFrom<Everything['budget'][]>(
  ABSENT,
  UNREADABLE,
  aBudget(itself),
  aBudget(itself, { claimed: busy }),
  // More often than the others, since most follows from it.
  ...Array.from({ length: 4 }, () => aBudget(itself, { claimed: [itself] })),
);
const settings = fc.constantFrom<Everything['settings'][]>(DEFAULT_SETTINGS, DEFAULT_SETTINGS, DEFAULT_SETTINGS, {
  ...DEFAULT_SETTINGS,
  budget: { ...DEFAULT_SETTINGS.budget, paused: 'incident' },
});
const times = fc.constantFrom(0, 30 * SECOND, MINUTE, 20 * MINUTE, 21 * MINUTE).map((ms) => after(NOW, ms));

const anything = fc
  .record({ status: statuses, lock: locks, run: runs, holder: holders, request: requests, pods, budget: budgets, settings })
  .map(({ status, ...seen }) => seenWith({ ...seen, object: anExecution(status ? { status } : {}) }));

/** Holds for whatever is seen at whatever time; fails with the observation that breaks it. */
function always(judge: (seen: FullObservation, decision: Decision, now: Instant) => void): void {
  fc.assert(
    fc.property(anything, times, (seen, now) => judge(seen, decide(seen, now), now)),
    { numRuns: 5_000 },
  );
}

const does = (decision: Decision, what: string): boolean => decision.effects.some((effect) => effectText(effect) === what);
const isOurLock = ({ lock }: FullObservation): boolean =>
  lock.kind === 'value' && lock.value.spec?.holderIdentity === 'wfe-1' && lock.value.metadata.deletionTimestamp === undefined;

describe('whatever exists', () => {
  test('a Job is created only under our own lock, for an admitted plan, where nothing else is at work', () =>
    always((seen, decision) => {
      if (!does(decision, 'Create Job')) return;
      expect(seen.object.status?.phase).toBe('Pending');
      expect(isOurLock(seen)).toBe(true);
      expect(seen.run.kind).toBe('absent');
      expect(admit(seen.object, seen.request).kind).toBe('Go');
      expect(seen.pods.kind === 'value' && !seen.pods.value.some(isPodActive)).toBe(true);
    }));

  test('a Job is released only if it never was before, its UID is recorded in status, and its owner still wants it', () =>
    always((seen, decision) => {
      if (!does(decision, 'Patch Job')) return;
      const job = seen.run.kind === 'value' ? seen.run.value : aJob({ uid: 'none' });
      expect(job.metadata.uid).toBe((decision.status as ExecutionStatus).executionRef?.uid);
      expect(job.metadata).toMatchObject({ generation: 1 });
      expect(job).toMatchObject({ spec: { suspend: true } });
      const isRecorded = seen.object.status?.executionRef?.uid === job.metadata.uid;
      expect(isRecorded || executionUidOf(job) === 'wfe-1').toBe(true);
      expect(admit(seen.object, seen.request).kind).toBe('Go');
    }));

  test('a Job is released only with its claim on the ledger, and never while all is paused', () =>
    always((seen, decision) => {
      if (!does(decision, 'Patch Job')) return;
      expect(seen.settings.budget.paused).toBeUndefined();
      expect(seen.budget.kind === 'value' && seen.budget.question.claims.some(({ uid }) => uid === 'wfe-1')).toBe(true);
    }));

  test('a Job is created only with its claim on the ledger, or right after it was put there', () =>
    always((seen, decision) => {
      if (!does(decision, 'Create Job')) return;
      const isClaimed = seen.budget.kind === 'value' && seen.budget.question.claims.some(({ uid }) => uid === 'wfe-1');
      expect(decision.effects.map(effectText)).toEqual(isClaimed ? ['Create Job'] : ['Patch ConfigMap', 'Create Job']);
    }));

  test('once a UID is recorded in status nothing is ever created', () =>
    always((seen, decision) => {
      if (seen.object.status?.executionRef?.uid === undefined) return;
      // A ledger that is missing may be made at any time.
      expect(decision.effects.filter(({ kind }) => kind === 'Create').map(effectText)).toEqual(
        does(decision, 'Create ConfigMap') ? ['Create ConfigMap'] : [],
      );
    }));

  test('what is ours neither by mark nor by record is never touched', () =>
    always((seen, decision) => {
      const foreign = [seen.run, seen.lock].flatMap((read) =>
        read.kind === 'value' && executionUidOf(read.value) === undefined ? [read.value.metadata.uid] : [],
      );
      const untouchable = foreign.filter((uid) => uid !== seen.object.status?.executionRef?.uid);
      for (const effect of decision.effects)
        if (effect.kind === 'Delete' || effect.kind === 'Patch') expect(untouchable).not.toContain(effect.uid);
    }));

  test('our lock is released only when our run is gone, and none of its pods is alive', () =>
    always((seen, decision) => {
      if (!does(decision, 'Delete Lease') || !isOurLock(seen)) return;
      expect(isTerminal(executionPhases, seen.object.status?.phase)).toBe(true);
      expect(seen.pods.kind === 'value' && !seen.pods.value.some((pod) => isPodActive(pod) && executionUidOf(pod) === 'wfe-1')).toBe(true);
      expect(seen.run.kind).not.toBe('unreadable');
      if (seen.run.kind !== 'value') return;
      expect(executionUidOf(seen.run.value)).not.toBe('wfe-1');
      expect(seen.run.value.metadata.uid).not.toBe(seen.object.status?.executionRef?.uid);
    }));

  test('another execution’s lock is cleared only when that one is over or gone', () =>
    always((seen, decision) => {
      const isTheirs = seen.lock.kind === 'value' && executionUidOf(seen.lock.value) === 'wfe-2';
      if (!does(decision, 'Delete Lease') || !isTheirs) return;
      expect(seen.holder.kind === 'absent' || (seen.holder.kind === 'value' && seen.holder.value.status?.phase === 'Completed')).toBe(true);
    }));

  test('[WE-028] phases move along the table, and the last one is the last', () =>
    always((seen, decision) => {
      const from = seen.object.status?.phase;
      const to = (decision.status as ExecutionStatus | undefined)?.phase;
      if (from === undefined) expect(to).toBe('Pending');
      else expect(from === to || mayMove(executionPhases, from, to ?? 'Pending')).toBe(true);
    }));

  test('[WE-033] what is skipped has started nothing', () =>
    always((_, decision) => {
      if ((decision.status as ExecutionStatus | undefined)?.phase !== 'Skipped') return;
      const acts = decision.effects.map(effectText).filter((effect) => /^(Create|Patch)/.test(effect));
      // Its finalizer may go.
      expect(acts.filter((act) => act !== 'Patch WorkflowExecution')).toEqual([]);
      expect((decision.status as ExecutionStatus).executionRef).toBeUndefined();
    }));

  test('what is not over is looked at again within ten seconds', () =>
    always((seen, decision, now) => {
      if (isTerminal(executionPhases, seen.object.status?.phase)) return;
      expect(decision.wakeAt).toBeGreaterThan(now);
      expect(decision.wakeAt).toBeLessThanOrEqual(after(now, 10 * SECOND));
    }));

  test('[WE-017] [WE-092] a failure has one of the eight reasons, and an end that a cooldown can count from', () =>
    always((seen, decision) => {
      const status = decision.status as ExecutionStatus | undefined;
      if (status?.phase !== 'Failed' || seen.object.status?.phase === 'Failed') return;
      expect(SEED_REASONS).toContain(status.failureReason);
      expect(status.failureDetails?.reason).toBe(status.failureReason);
      expect(status.completionTime).toBeDefined();
    }));
});
