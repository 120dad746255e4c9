import { describe, test } from 'vitest';
import { isTerminal, phaseNames } from '../../../api/phases.ts';
import { signalProcessingPhases } from '../../../api/signal-processing/phases.ts';
import { HOUR, MINUTE, SECOND } from '../../../base/index.ts';
import {
  ABSENT,
  ago,
  anAnalysis,
  aProcessing,
  LEFT_OVER,
  processing,
  RESOLVED,
  HEALTHY,
  SOMEBODY_ELSES,
  UNREADABLE,
  untouched,
  value,
} from '../testing/builders.ts';
import { expectDecision, type DecisionCase } from '../testing/expect-decision.ts';

const stays = { overallPhase: 'Processing' } as const;
const ours = { signalProcessingRef: { kind: 'SignalProcessing', name: 'sp-rr', namespace: 'sickbay-system', uid: 'sp-rr-uid' } };

const done = value(aProcessing({ phase: 'Completed' }));
const leftOver = value(aProcessing({ phase: 'Completed' }, LEFT_OVER));

const cases: readonly DecisionCase[] = [
  {
    name: '[RR-064, RR-199] no child',
    reason: 'it is created, and created again after a crash',
    seen: { processing: ABSENT },
    want: stays,
    effects: ['Create SignalProcessing sp-rr'],
  },
  { name: 'unreadable', reason: 'not known is not absent', seen: { processing: UNREADABLE }, want: stays },
  {
    name: 'unreadable, far too late',
    reason: 'an unreadable child never counts as timed out',
    seen: { processing: UNREADABLE },
    atMs: 2 * HOUR,
    want: stays,
  },
  ...[undefined, ...phaseNames(signalProcessingPhases).filter((phase) => !isTerminal(signalProcessingPhases, phase))].flatMap((phase) => {
    const child = value(aProcessing(phase && { phase }));
    return [
      {
        name: `[RR-068] a child that is ${phase}`,
        reason: 'no analysis is created',
        seen: { processing: child, analysis: ABSENT },
        want: stays,
      },
      {
        name: `[RR-068] a child that is ${phase}, although there is an analysis`,
        reason: 'the end of the child is awaited',
        seen: { processing: child, analysis: value(anAnalysis({ phase: 'Pending' })) },
        want: stays,
      },
    ];
  }),
  {
    name: '[RR-069, RR-200] done, no analysis',
    reason: 'it is created first; the phase follows when it is there',
    seen: { processing: done, analysis: ABSENT },
    want: stays,
    effects: ['Create AIAnalysis ai-rr'],
  },
  {
    name: 'done, the analysis unreadable',
    reason: 'not known is not absent',
    seen: { processing: done, analysis: UNREADABLE },
    want: stays,
  },
  {
    name: '[RR-009, RR-070, RR-071, RR-072] done, with an analysis',
    reason: 'on to it, with its name and its clock in the same step',
    seen: { processing: done, analysis: value(anAnalysis({ phase: 'Pending' })) },
    want: {
      overallPhase: 'Analyzing',
      analyzingStartTime: ago(0),
      aiAnalysisRef: { kind: 'AIAnalysis', name: 'ai-rr', uid: 'ai-rr-uid' },
      analysisAttempt: 1,
      ...ours,
    },
    says: 'looking for the cause of KubePodCrashLooping on Deployment shop/checkout',
  },
  {
    name: 'done, and seen late',
    reason: 'an end in time counts, whenever it is seen',
    seen: { processing: done, analysis: value(anAnalysis({ phase: 'Pending' })) },
    atMs: 2 * HOUR,
    want: { overallPhase: 'Analyzing' },
  },
  {
    name: 'done, seen after the phase’s limit, no analysis',
    reason: 'only the clock of the whole counts now',
    seen: { processing: done, analysis: ABSENT },
    atMs: 30 * MINUTE,
    want: stays,
    effects: ['Create AIAnalysis ai-rr'],
  },
  {
    name: 'done, the analysis is foreign',
    reason: 'a plan that we did not order is never carried out',
    seen: { processing: done, analysis: value(anAnalysis({}, SOMEBODY_ELSES)) },
    want: { overallPhase: 'Failed', failurePhase: 'AIAnalysis' },
    says: 'AIAnalysis ai-rr does not belong to this request',
  },
  {
    name: '[RR-010, RR-073, CO-041] failed',
    reason: 'the failure repeats what the child says',
    seen: { processing: value(aProcessing({ phase: 'Failed', error: 'namespace shop cannot be read' })) },
    want: {
      overallPhase: 'Failed',
      failurePhase: 'SignalProcessing',
      failureReason: 'namespace shop cannot be read',
      nextAllowedExecution: ago(-MINUTE),
      completedAt: ago(0),
    },
    says: 'namespace shop cannot be read',
  },
  {
    name: 'failed without a message',
    reason: 'an empty message helps no reader',
    seen: { processing: value(aProcessing({ phase: 'Failed' })) },
    want: { overallPhase: 'Failed' },
    says: 'sp-rr failed without a reason',
  },
  {
    name: 'one moment before the limit',
    reason: 'five minutes are not over',
    seen: { processing: value(aProcessing({ phase: 'Enriching' })) },
    atMs: 5 * MINUTE - 1,
    want: stays,
  },
  {
    name: '[RR-011, RR-185] at the limit',
    reason: 'five minutes are over',
    seen: { processing: value(aProcessing({ phase: 'Enriching' })) },
    atMs: 5 * MINUTE,
    want: { overallPhase: 'TimedOut', timeoutPhase: 'Processing', timeoutTime: ago(-5 * MINUTE), nextAllowedExecution: ago(-6 * MINUTE) },
    says: 'Processing did not finish within 5m0s: sp-rr was still Enriching',
  },
  {
    name: 'at the limit, and still without a status',
    reason: 'its controller does not run',
    seen: { processing: value(untouched(aProcessing())) },
    atMs: 5 * MINUTE,
    want: { overallPhase: 'TimedOut', timeoutPhase: 'Processing' },
    says: 'sp-rr was still new; check whether its target can be read',
  },
  {
    name: 'at the limit, and nothing was created',
    reason: 'a child that would be late at once is not created any more',
    seen: { processing: ABSENT },
    atMs: 5 * MINUTE,
    want: { overallPhase: 'TimedOut', timeoutPhase: 'Processing' },
  },
  {
    name: 'the child gave up at the limit',
    reason: 'who noticed first makes no difference',
    seen: { processing: value(aProcessing({ phase: 'Failed', error: 'shop was never readable', completionTime: ago(-5 * MINUTE) })) },
    atMs: 5 * MINUTE + SECOND,
    want: { overallPhase: 'TimedOut', timeoutPhase: 'Processing' },
    says: 'shop was never readable',
  },
  {
    name: '[RR-198] a limit of its own',
    reason: 'what stands on the request wins',
    status: { ...processing, timeoutConfig: { processing: '10m' } },
    seen: { processing: value(aProcessing({ phase: 'Enriching' })) },
    atMs: 6 * MINUTE,
    want: stays,
  },
  {
    name: 'a limit that is none',
    reason: 'a limit that never ends, or ends at once, is not intended',
    status: { ...processing, timeoutConfig: { processing: '-1m' } },
    seen: { processing: value(aProcessing({ phase: 'Enriching' })) },
    atMs: 4 * MINUTE,
    want: stays,
  },
  {
    name: 'foreign',
    reason: 'it is neither used nor touched',
    seen: { processing: value(aProcessing({ phase: 'Completed' }, SOMEBODY_ELSES)) },
    want: { overallPhase: 'Failed', failurePhase: 'SignalProcessing' },
    says: 'SignalProcessing sp-rr does not belong to this request',
  },
  {
    name: 'left over from an earlier request of the same name',
    reason: 'the garbage collector is about to take it away',
    seen: { processing: leftOver },
    want: stays,
  },
  {
    name: 'left over from an earlier request, to the end',
    reason: 'a live read shows that its deletion is blocked: the wait is still limited',
    seen: { processing: leftOver },
    atMs: 5 * MINUTE,
    want: { overallPhase: 'TimedOut', timeoutPhase: 'Processing' },
    says: 'the SignalProcessing of an earlier request with the same name still exists',
  },
  {
    name: 'all alerts resolved',
    reason: 'nothing has to be run any more',
    status: { ...processing, ...RESOLVED },
    seen: { processing: value(aProcessing({ phase: 'Enriching' })), health: HEALTHY },
    want: { overallPhase: 'Completed', outcome: 'NoActionRequired' },
  },
];

describe('Processing', () => {
  test.each(cases)('$name: $reason', (row) => expectDecision({ status: processing, ...row }));
});
