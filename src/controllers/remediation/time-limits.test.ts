import { describe, expect, test } from 'vitest';
import type { RemediationApprovalRequest } from '../../api/remediation-approval-request/remediation-approval-request.ts';
import type { RemediationPhase } from '../../api/remediation-request/phases.ts';
import { HOUR, MINUTE, SECOND, toTime, type Instant } from '../../base/index.ts';
import { DEFAULT_SETTINGS } from '../default-settings.ts';
import { decide } from './decide.ts';
import { onlyRequest, type RemediationSeen } from './observe.ts';
import { anEvidence } from './routing/testing/builders.ts';
import type { RemediationStatus } from './status.ts';
import {
  ABSENT,
  aDeployment,
  ago,
  anAnalysis,
  analyzing,
  anApproval,
  anAssessment,
  anExecution,
  aNotification,
  aProcessing,
  aRequest,
  at,
  awaiting,
  executing,
  NOW,
  pending,
  processing,
  UNREADABLE,
  value,
  verifying,
} from './testing/builders.ts';
import { assessedBy, deadlineIn, verificationDeadline } from './timeouts.ts';

const decided = (status: RemediationStatus, seen: Partial<RemediationSeen>, now: Instant) => {
  const base = onlyRequest(aRequest(status), DEFAULT_SETTINGS);
  const { status: after, effects } = decide({ ...base, identityIsChecked: true, ...seen }, now);
  return { status: after as RemediationStatus, effects };
};
const phaseAt = (status: RemediationStatus, seen: Partial<RemediationSeen>, now: Instant): RemediationPhase | undefined =>
  decided(status, seen, now).status.overallPhase;

/** Asked for until tomorrow, so that only the clock of the phase counts. */
const asked = (requiredBy = toTime(at(24 * HOUR))) => {
  const approval = anApproval();
  return value({ ...approval, spec: { ...approval.spec, requiredBy } });
};
const { verificationDeadline: _, ...begun } = verifying;
const told = { 'nr-approval-rr': value(aNotification('nr-approval-rr')) };

interface Limited {
  readonly scope: keyof NonNullable<RemediationStatus['timeoutConfig']>;
  readonly status: RemediationStatus;
  readonly seen: Partial<RemediationSeen>;
  readonly defaultMs: number;
  readonly end: RemediationPhase;
}

/** A request in each scope that nothing but time can move. */
const SCOPES: readonly Limited[] = [
  {
    scope: 'global',
    status: pending,
    seen: { processing: ABSENT, evidence: anEvidence({ scope: UNREADABLE }) },
    defaultMs: HOUR,
    end: 'TimedOut',
  },
  {
    scope: 'processing',
    status: processing,
    seen: { processing: value(aProcessing({ phase: 'Enriching' })) },
    defaultMs: 5 * MINUTE,
    end: 'TimedOut',
  },
  {
    scope: 'analyzing',
    status: analyzing,
    seen: { analysis: value(anAnalysis({ phase: 'Investigating' })) },
    defaultMs: 10 * MINUTE,
    end: 'TimedOut',
  },
  {
    scope: 'awaitingApproval',
    status: awaiting,
    seen: { analysis: value(anAnalysis({ approvalRequired: true })), approval: asked(), messages: told },
    defaultMs: 15 * MINUTE,
    end: 'TimedOut',
  },
  {
    scope: 'executing',
    status: executing,
    seen: { execution: value(anExecution({ phase: 'Running' })) },
    defaultMs: 30 * MINUTE,
    end: 'TimedOut',
  },
  {
    scope: 'verifying',
    status: begun,
    // It was to be over long ago, so that its own validity does not count.
    seen: { assessment: value(anAssessment({ phase: 'Stabilizing' }, { creationTimestamp: ago(5 * HOUR) })) },
    defaultMs: 30 * MINUTE,
    end: 'Completed',
  },
];

describe('a limit on a request', () => {
  test.each(SCOPES)('[RR-181] shortens its own $scope time, and no other', ({ scope, status, seen, defaultMs, end }) => {
    const hurried = { ...status, timeoutConfig: { [scope]: '90s' } };
    expect(phaseAt(hurried, seen, at(89 * SECOND))).toBe(status.overallPhase);
    expect(phaseAt(hurried, seen, at(90 * SECOND))).toBe(end);
    expect(phaseAt(status, seen, at(90 * SECOND))).toBe(status.overallPhase);
    expect(phaseAt(status, seen, at(defaultMs))).toBe(end);
  });

  test.each(SCOPES)('[RR-181] lengthens its own $scope time, and no other', ({ scope, status, seen, defaultMs, end }) => {
    const patient = { ...status, timeoutConfig: { global: '3h', [scope]: '2h' } };
    expect(phaseAt(patient, seen, at(2 * HOUR - SECOND))).toBe(status.overallPhase);
    expect(phaseAt(patient, seen, at(2 * HOUR))).toBe(end);
    expect(phaseAt(status, seen, at(defaultMs - SECOND))).toBe(status.overallPhase);
    expect(phaseAt(status, seen, at(defaultMs))).toBe(end);
  });

  test.each(SCOPES)('[RR-181] leaves the other scopes of its own request alone: $scope', ({ scope }) => {
    for (const other of SCOPES.filter((candidate) => candidate.scope !== scope && scope !== 'global')) {
      const status = { ...other.status, timeoutConfig: { [scope]: '90s' } };
      expect(phaseAt(status, other.seen, at(other.defaultMs - SECOND))).toBe(other.status.overallPhase);
    }
  });
});

describe('the time for an approval', () => {
  const asking: Partial<RemediationSeen> = {
    analysis: value(anAnalysis({ approvalRequired: true })),
    approval: ABSENT,
    target: value(aDeployment()),
    namespace: ABSENT,
    workflow: ABSENT,
    execution: ABSENT,
    evidence: anEvidence(),
  };
  const requiredBy = (status: RemediationStatus): string => {
    const [effect] = decided(status, asking, NOW).effects;
    if (effect?.kind !== 'Create') throw new Error('no approval is requested');
    return (effect.object as unknown as RemediationApprovalRequest).spec.requiredBy;
  };

  test('[RR-188] is 15 min from the question on', () => expect(requiredBy(analyzing)).toBe(toTime(at(15 * MINUTE))));

  test('[RR-181, RR-188] or what the request says', () =>
    expect(requiredBy({ ...analyzing, timeoutConfig: { awaitingApproval: '4m' } })).toBe(toTime(at(4 * MINUTE))));

  test('[RR-188] is never longer than what is left of the whole', () =>
    expect(requiredBy({ ...analyzing, startTime: ago(50 * MINUTE) })).toBe(toTime(at(10 * MINUTE))));

  test('[RR-188] expires after 15 min, and not before: there is no decision, nothing is run', () => {
    const seen = { analysis: value(anAnalysis({ approvalRequired: true })), messages: told };
    expect(phaseAt(awaiting, { ...seen, approval: asked() }, at(15 * MINUTE - SECOND))).toBe('AwaitingApproval');
    expect(decided(awaiting, { ...seen, approval: asked() }, at(15 * MINUTE)).status).toMatchObject({
      overallPhase: 'TimedOut',
      timeoutPhase: 'AwaitingApproval',
    });
    // Ruling 54: where the question expires at the same moment, that is what is said.
    expect(decided(awaiting, { ...seen, approval: asked(toTime(at(15 * MINUTE))) }, at(15 * MINUTE)).status).toMatchObject({
      overallPhase: 'Failed',
      failurePhase: 'Approval',
    });
  });
});

describe('a clock without all of its times', () => {
  const bare = aRequest();
  const late = { ...bare, status: { verifyingStartTime: ago(-MINUTE) } };

  test.each(['Pending', 'Processing', 'Analyzing', 'AwaitingApproval', 'Executing'] as const)(
    'runs from the creation of a request that has no status yet, in %s',
    (phase) => {
      const limit = { Pending: 60, Processing: 5, Analyzing: 10, AwaitingApproval: 15, Executing: 30 }[phase];
      expect(deadlineIn(phase, bare, DEFAULT_SETTINGS).at).toBe(at(limit * MINUTE));
    },
  );

  test('runs from the creation in Verifying too, and from its start where that is known', () => {
    expect(verificationDeadline(bare, DEFAULT_SETTINGS)).toBe(at(30 * MINUTE));
    expect(verificationDeadline(late, DEFAULT_SETTINGS)).toBe(at(31 * MINUTE));
  });

  test('leaves out exactly the seconds that it was blocked', () =>
    expect(deadlineIn('Pending', aRequest({ startTime: ago(0), blockedSeconds: 90 }), DEFAULT_SETTINGS).at).toBe(at(HOUR + 90 * SECOND)));

  test.each([
    ['its end', { phase: 'Completed', completionTime: ago(-MINUTE) }, ago(0), 31],
    ['its creation', { phase: 'Completed' }, ago(-2 * MINUTE), 32],
    ['the start of the request', undefined, '', 30],
  ] as const)('gives an assessment its time to begin from %s of the run on', (_, status, creationTimestamp, minutes) => {
    const run = anExecution(status, { creationTimestamp });
    const { status: __, ...without } = run;
    expect(assessedBy(status ? run : without, aRequest({ startTime: ago(0) }), DEFAULT_SETTINGS)).toBe(at(minutes * MINUTE));
  });

  test('gives an assessment as long as the request says', () =>
    expect(assessedBy(anExecution({ completionTime: ago(0) }), aRequest({ timeoutConfig: { verifying: '7m' } }), DEFAULT_SETTINGS)).toBe(
      at(7 * MINUTE),
    ));
});
