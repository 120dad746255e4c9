import { describe, expect, test } from 'vitest';
import type { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import { HOUR, MINUTE, SECOND, toTime } from '../../../base/index.ts';
import { DEFAULT_SETTINGS } from '../../default-settings.ts';
import { decide } from '../decide.ts';
import { onlyRequest, type RemediationSeen } from '../observe.ts';
import { openUndoRequest, undoRequestFor } from './open-undo-request.ts';
import type { RemediationStatus } from '../status.ts';
import {
  ABSENT,
  ago,
  anAssessment,
  anExecution,
  aNotification,
  aRequest,
  at,
  NOW,
  TARGET,
  UNREADABLE,
  value,
  verifying,
} from '../testing/builders.ts';
import { expectDecision, type DecisionCase } from '../testing/expect-decision.ts';
import type { Undo } from './undo-verdict.ts';

const NAME = 'rr-undo-rr-uid';
const undo: Undo = {
  requestRef: { name: NAME },
  workflow: 'rollback-deployment',
  parameters: { REVISION: '2' },
  did: 'rolled back from revision 2 to the template of revision 1',
  specHash: TARGET.specHash,
};
const wanted: RemediationStatus = {
  overallPhase: 'Completed',
  outcome: 'Inconclusive',
  completedAt: ago(0),
  nextAllowedExecution: toTime(at(MINUTE)),
  remediationTarget: TARGET,
  notificationRequestRefs: [{ name: 'nr-manual-review-rr', uid: 'nr-manual-review-rr-uid' }],
  undo,
};
const onRecord: RemediationStatus = { ...wanted, undo: { ...undo, requestRef: { name: NAME, uid: 'taker' } } };

const taker = (uid: string): RemediationRequest => {
  const { metadata, ...rest } = aRequest({}, { undoOf: { name: 'rr', uid } });
  return { ...rest, metadata: { ...metadata, name: NAME, uid: 'taker' } };
};
const create = [`Create RemediationRequest ${NAME}`];

const cases: readonly DecisionCase[] = [
  {
    name: 'a moment before its signal may be worked on',
    reason: 'it would only be blocked, and fail',
    status: wanted,
    seen: { undoing: ABSENT },
    atMs: MINUTE - 1,
    want: wanted,
  },
  {
    name: 'long before',
    reason: 'it looks again in time',
    status: wanted,
    seen: { undoing: ABSENT },
    atMs: 50 * SECOND,
    want: wanted,
    wakesAtMs: MINUTE,
  },
  {
    name: 'at that very moment',
    reason: 'it is opened, and opened again after a crash',
    status: wanted,
    seen: { undoing: ABSENT },
    atMs: MINUTE,
    want: wanted,
    effects: create,
  },
  {
    name: 'whether it is there cannot be read',
    reason: 'not known is not absent',
    status: wanted,
    seen: { undoing: UNREADABLE },
    atMs: MINUTE,
    want: wanted,
  },
  {
    name: 'what its signal came to cannot be read',
    reason: 'it may have to wait',
    status: wanted,
    seen: { undoing: ABSENT, siblings: UNREADABLE },
    atMs: MINUTE,
    want: wanted,
  },
  {
    name: 'it is there',
    reason: 'its UID is recorded, without which it does nothing',
    status: wanted,
    seen: { undoing: value(taker('rr-uid')) },
    want: onRecord,
    effects: ['Event'],
    wakes: false,
  },
  {
    name: 'recorded',
    reason: 'whatever became of it, there is no second',
    status: onRecord,
    seen: { undoing: ABSENT },
    atMs: MINUTE,
    want: onRecord,
    wakes: false,
  },
  {
    name: 'while notifications are being sent',
    reason: 'neither waits for the other',
    status: { ...wanted, notificationRequestRefs: [] },
    seen: { undoing: ABSENT, messages: { 'nr-manual-review-rr': value(aNotification('nr-manual-review-rr', { phase: 'Sending' })) } },
    atMs: MINUTE,
    want: { undo },
    effects: create,
  },
  {
    name: 'being deleted',
    reason: 'nothing new is started for a request that is being deleted',
    status: wanted,
    seen: { object: deleted(), undoing: ABSENT },
    atMs: MINUTE,
    want: wanted,
  },
];

function deleted(): RemediationRequest {
  const request = aRequest(wanted);
  return { ...request, metadata: { ...request.metadata, deletionTimestamp: ago(0) } };
}

describe('the request that undoes a change', () => {
  test.each(cases)('$name: $reason', (row) => expectDecision(row));

  test('of another is not taken for it', () => {
    const object = aRequest(wanted);
    const seen = { ...onlyRequest(object, DEFAULT_SETTINGS), siblings: { kind: 'value', value: [object] } as const };
    for (const foreign of [taker('another'), aRequest()])
      expect(openUndoRequest({ ...seen, undoing: value(foreign) }, at(MINUTE))).toMatchObject({
        isDone: true,
        undo: undefined,
        effects: [{ kind: 'Event', type: 'Warning', reason: 'UndoNotOpened' }],
      });
  });

  test('waits for the latest moment that any request of its signal names', () => {
    const object = aRequest(wanted);
    const metadata = { ...object.metadata, name: 'other', uid: 'other' };
    const other = { ...object, metadata, status: { ...wanted, nextAllowedExecution: toTime(at(5 * MINUTE)) } };
    const seen = {
      ...onlyRequest(object, DEFAULT_SETTINGS),
      undoing: ABSENT,
      siblings: { kind: 'value', value: [object, other] } as const,
    };
    expect(openUndoRequest(seen, at(2 * MINUTE))).toMatchObject({ isDone: false, effects: [], until: at(5 * MINUTE) });
  });

  test('is the same however often it is drafted, is about the same signal, and is no dry run', () => {
    const request = aRequest(wanted, { dryRun: false, originalPayload: '{}', clusterID: 'west' });
    const drafted = undoRequestFor(request, undo);
    expect(undoRequestFor(request, undo)).toEqual(drafted);
    const { dryRun: _, originalPayload: __, ...signal } = request.spec;
    expect(drafted.spec).toEqual({ ...signal, receivedTime: wanted.completedAt, undoOf: { name: 'rr', uid: 'rr-uid' } });
    expect(drafted.metadata).toEqual({ name: NAME, namespace: 'sickbay-system' });
  });
});

describe('while it is unknown whether it can be undone', () => {
  const assessment = anAssessment({ phase: 'Completed', assessmentReason: 'Full', components: { healthScore: 0, alertAssessed: true } });
  const observed: RemediationSeen = {
    ...onlyRequest(aRequest(verifying), DEFAULT_SETTINGS),
    siblings: { kind: 'value', value: [] },
    assessment: value(assessment),
    undo: { run: anExecution(), workflow: UNREADABLE, target: UNREADABLE, namespace: UNREADABLE },
  };

  test('the verdict waits', () =>
    expect(decide(observed, NOW).status).toMatchObject({ overallPhase: 'Verifying', effectivenessAssessmentRef: { name: 'ea-rr' } }));

  test('but no longer than verification may take', () => {
    const { status } = decide(observed, at(2 * HOUR)) as { readonly status: RemediationStatus };
    expect(status).toMatchObject({ overallPhase: 'Completed', outcome: 'Inconclusive' });
    expect(status.message).toContain('It is not undone: forbidden');
    expect(status.undo).toBeUndefined();
  });

  test('a remediation that helped does not wait for it', () => {
    const well = anAssessment({ phase: 'Completed', assessmentReason: 'Full', components: { healthScore: 1, alertAssessed: true } });
    expect(decide({ ...observed, assessment: value(well) }, NOW).status).toMatchObject({ outcome: 'Remediated' });
  });
});
