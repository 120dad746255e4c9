import { describe, expect, test } from 'vitest';
import type { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import type { WindowScope } from '../../change-window-settings.ts';
import { BLOCK_REASONS } from '../../../api/remediation-request/status.ts';
import { HOUR, MINUTE, SECOND, toTime } from '../../../base/index.ts';
import type { RoutingEvidence } from './evidence.ts';
import { changesWith, frozen, windowAround } from '../testing/change-evidence.ts';
import { reevaluateBlock } from './reevaluate-block.ts';
import {
  ago,
  all,
  anEarlyEvidence,
  anEvidence,
  anExecution,
  aRequest,
  at,
  failed,
  NOW,
  remediated,
  UNREADABLE,
} from './testing/builders.ts';

type Status = NonNullable<RemediationRequest['status']>;
const containing = (text: string): unknown => expect.stringContaining(text);
const DAY = 24 * HOUR;

const blocked = (status: Status): RemediationRequest =>
  aRequest('rr', { overallPhase: 'Blocked', blockedStartTime: ago(MINUTE), ...status });
const look = (status: Status, change: Parameters<typeof anEarlyEvidence>[0] = {}, now = NOW) =>
  reevaluateBlock(anEarlyEvidence({ request: blocked(status), ...change }), now);

describe('a block by time', () => {
  test.each([
    ['[RR-031, RR-105]', 'ConsecutiveFailures'],
    ['[RR-031, RR-106]', 'RecentlyRemediated'],
    ['[RR-031, RR-107]', 'ExponentialBackoff'],
  ] as const)('%s %s ends in Failed at blockedUntil, which counts as no failure', (_, blockReason) => {
    for (const until of [ago(0), ago(SECOND)])
      expect(look({ blockReason, blockedUntil: until })).toEqual({
        kind: 'leave',
        to: 'Failed',
        why: containing('its block has ended'),
        status: { failurePhase: 'Blocked', failureReason: containing(blockReason) },
      });
  });

  test.each(['ConsecutiveFailures', 'RecentlyRemediated', 'ExponentialBackoff'] as const)(
    '[RR-108] %s changes nothing before, also when its cause has gone',
    (blockReason) => expect(look({ blockReason, blockedUntil: toTime(at(SECOND)) })).toEqual({ kind: 'stay', lookAgainAt: at(SECOND) }),
  );

  test('the failure that reached the threshold keeps its own cause', () =>
    expect(
      look({ blockReason: 'ConsecutiveFailures', blockedUntil: ago(0), completedAt: ago(HOUR), failurePhase: 'WorkflowExecution' }),
    ).toEqual({ kind: 'leave', to: 'Failed', why: containing('cooldown'), status: {} }));

  test.each([undefined, 'soon'])('one that names no time (%s) lasts as long as any may', (blockedUntil) => {
    const status: Status = { blockReason: 'ExponentialBackoff', ...(blockedUntil !== undefined && { blockedUntil }) };
    expect(look(status)).toEqual({ kind: 'stay', lookAgainAt: at(DAY - MINUTE) });
    expect(look(status, {}, at(DAY - MINUTE))).toMatchObject({ to: 'Failed' });
  });
});

describe('a block because an earlier request suppresses what it judged', () => {
  const held: Status = { blockReason: 'ExponentialBackoff', blockedUntil: toTime(at(DAY)) };
  const judged = (status: Status = {}) =>
    all(
      aRequest('judged', {
        overallPhase: 'Completed',
        outcome: 'ManualReviewRequired',
        completedAt: ago(HOUR),
        nextAllowedExecution: toTime(at(DAY)),
        suppression: { signals: [{ name: 'KubePodCrashLooping', severity: 'critical' }] },
        ...status,
      }),
    );

  test('stays while that applies, and is checked every 2 minutes', () =>
    expect(look(held, { others: judged() })).toEqual({ kind: 'stay', lookAgainAt: at(2 * MINUTE) }));

  test('ends when another alert joins', () => {
    const alerts = [{ name: 'HighErrorRate', severity: 'info', instance: '1', lastSeenAt: ago(0) }];
    expect(look({ ...held, deduplication: { alerts } }, { others: judged() })).toMatchObject({ kind: 'leave', to: 'Pending' });
  });

  test('ends when the suppression has ended', () => {
    const { nextAllowedExecution: _, ...rest } = judged().value[0]?.status ?? {};
    const others = all(aRequest('judged', rest));
    expect(look(held, { others })).toMatchObject({ kind: 'leave', to: 'Pending' });
  });
});

describe('UnmanagedResource', () => {
  const unmanaged: Status = { blockReason: 'UnmanagedResource', blockedStartTime: ago(20 * SECOND) };
  const out = { kind: 'out', message: 'not managed' } as const;

  test('[RR-028, RR-116] goes back to Pending when the target comes into scope', () =>
    expect(look(unmanaged)).toEqual({ kind: 'leave', to: 'Pending', why: containing('is managed now'), status: {} }));

  test('[RR-116] stays while it does not, and looks again in its rhythm', () =>
    expect(look(unmanaged, { scope: out })).toEqual({ kind: 'stay', lookAgainAt: at(15 * SECOND) }));

  test('stays when a read fails, and names the reason', () =>
    expect(look(unmanaged, { scope: UNREADABLE })).toEqual({ kind: 'stay', lookAgainAt: at(5 * SECOND), why: 'forbidden' }));

  test('stays while what is to be changed is out of scope', () =>
    expect(reevaluateBlock(anEvidence({ request: blocked(unmanaged), planned: { scope: out } }), NOW).kind).toBe('stay'));
});

describe('DuplicateInProgress', () => {
  const duplicate: Status = { blockReason: 'DuplicateInProgress', duplicateOf: 'original' };
  const original = (status: Status) => all(aRequest('original', status), aRequest('third', { overallPhase: 'Executing' }));
  const inheriting = { routing: { onDuplicateResolved: 'Inherit' } } as const;

  test.each(['Completed', 'Failed', 'TimedOut', 'Skipped', 'Cancelled'] as const)(
    '[RR-029, RR-117] goes back to Pending when the original is %s',
    (overallPhase) =>
      expect(look(duplicate, { others: original({ overallPhase }) })).toEqual({
        kind: 'leave',
        to: 'Pending',
        why: 'RemediationRequest original has ended',
        status: {},
      }),
  );

  test.each(['Pending', 'Processing', 'Analyzing', 'AwaitingApproval', 'Executing', 'Verifying', 'Blocked'] as const)(
    '[RR-117, RR-134] stays while it is %s, and looks again after 30 s',
    (overallPhase) =>
      expect(look(duplicate, { others: original({ overallPhase }) })).toEqual({ kind: 'stay', lookAgainAt: at(30 * SECOND) }),
  );

  test('goes back to Pending when the original is gone, whatever the setting: there is no result to take over', () => {
    for (const change of [{}, inheriting])
      expect(look(duplicate, change)).toMatchObject({ to: 'Pending', why: 'RemediationRequest original no longer exists' });
  });

  test('stays when a read fails', () =>
    expect(look(duplicate, { others: UNREADABLE })).toEqual({ kind: 'stay', lookAgainAt: at(5 * SECOND), why: 'forbidden' }));

  test.each(['Remediated', 'Inconclusive', 'NoActionRequired', 'ManualReviewRequired'] as const)(
    '[RR-261] takes over Completed/%s where the setting says so',
    (outcome) =>
      expect(
        look(duplicate, { ...inheriting, others: original({ overallPhase: 'Completed', outcome, requiresManualReview: true }) }),
      ).toEqual({
        kind: 'leave',
        to: 'Completed',
        why: containing('original'),
        status: { outcome, requiresManualReview: true },
      }),
  );

  test.each(['Failed', 'TimedOut', 'Skipped', 'Cancelled'] as const)(
    '[RR-233, RR-261] is Failed as a duplicate where the setting says so and the original is %s',
    (overallPhase) =>
      expect(look(duplicate, { ...inheriting, others: original({ overallPhase }) })).toEqual({
        kind: 'leave',
        to: 'Failed',
        why: containing(overallPhase),
        status: { failurePhase: 'Deduplicated', failureReason: containing(overallPhase) },
      }),
  );

  test('[RR-261] stays while the original is at work, whatever the setting', () =>
    expect(look(duplicate, { ...inheriting, others: original({ overallPhase: 'Verifying' }) }).kind).toBe('stay'));
});

describe('ResourceBusy', () => {
  const busy: Status = { blockReason: 'ResourceBusy', blockingWorkflowExecution: 'we-other' };
  const with_ = (blockingExecution: RoutingEvidence['blockingExecution'] & object) => look(busy, { blockingExecution });
  const execution = (phase: 'Pending' | 'Running' | 'Completed' | 'Failed' | 'Skipped') =>
    ({ kind: 'value', value: anExecution('other', { phase }) }) as const;

  test.each(['Completed', 'Failed', 'Skipped'] as const)(
    '[RR-030, RR-083, RR-118] goes back to Analyzing when the execution is %s',
    (phase) => expect(with_(execution(phase))).toEqual({ kind: 'leave', to: 'Analyzing', why: containing('we-other'), status: {} }),
  );

  test('[RR-118] and when it is gone', () => expect(with_({ kind: 'absent' })).toMatchObject({ to: 'Analyzing' }));

  test.each(['Pending', 'Running'] as const)('[RR-118, RR-140] stays while it is %s, and looks again after 30 s', (phase) =>
    expect(with_(execution(phase))).toEqual({ kind: 'stay', lookAgainAt: at(30 * SECOND) }),
  );

  test('stays when a read fails', () => expect(with_(UNREADABLE)).toEqual({ kind: 'stay', lookAgainAt: at(5 * SECOND), why: 'forbidden' }));

  test('one that names no execution is judged again', () =>
    expect(look({ blockReason: 'ResourceBusy' })).toMatchObject({ to: 'Analyzing' }));
});

describe('IneffectiveChain', () => {
  const chain = (agoMs: number, more: Status = {}): Status => ({
    blockReason: 'IneffectiveChain',
    blockedStartTime: ago(agoMs),
    requiresManualReview: true,
    ...more,
  });
  const opened = (agoMs: number) => all(aRequest('late', {}, { metadata: { creationTimestamp: ago(agoMs) } }));
  const byLateSignal = {
    kind: 'leave',
    to: 'Failed',
    why: containing('received again'),
    status: { failurePhase: 'Blocked', failureReason: containing('IneffectiveChain'), requiresManualReview: true },
  };

  test('[RR-112] time alone does not end it: it is still blocked well after 4 h', () => {
    expect(look(chain(HOUR))).toEqual({ kind: 'stay', lookAgainAt: at(3 * HOUR) });
    expect(look(chain(4 * HOUR))).toEqual({ kind: 'stay', lookAgainAt: at(20 * HOUR) });
    expect(look(chain(20 * HOUR))).toEqual({ kind: 'stay', lookAgainAt: at(4 * HOUR) });
  });

  test('[RR-113] a signal before the interval is over leaves it as it is', () => {
    expect(look(chain(HOUR), { others: opened(0) }).kind).toBe('stay');
    expect(look(chain(5 * HOUR), { others: opened(HOUR + SECOND) }).kind).toBe('stay');
    expect(look(chain(5 * HOUR, { deduplication: { lastSeenAt: ago(2 * HOUR) } })).kind).toBe('stay');
  });

  test('[RR-114, RR-115] the first signal after it ends it: a person has to look', () => {
    expect(look(chain(5 * HOUR), { others: opened(HOUR) })).toEqual(byLateSignal);
    expect(look(chain(4 * HOUR), { others: opened(0) })).toEqual(byLateSignal);
  });

  test('[RR-114, RR-115] also where it was counted as one more of the old request', () =>
    [0, HOUR].forEach((agoMs) => expect(look(chain(5 * HOUR, { deduplication: { lastSeenAt: ago(agoMs) } }))).toEqual(byLateSignal)));

  test('stays when a read fails', () =>
    expect(look(chain(5 * HOUR), { others: UNREADABLE })).toEqual({ kind: 'stay', lookAgainAt: at(5 * SECOND), why: 'forbidden' }));

  test('[RR-144] the settings say how long the interval is', () => {
    const routing = { ineffectiveTimeWindowMs: HOUR };
    expect(look(chain(HOUR), { others: opened(0), routing })).toEqual(byLateSignal);
    expect(look(chain(MINUTE), { others: opened(0), routing })).toEqual({ kind: 'stay', lookAgainAt: at(HOUR - MINUTE) });
  });

  test('[RR-112, RR-260] after 24 h it is over, and a person has to look', () =>
    expect(look(chain(DAY))).toMatchObject({ to: 'Failed', status: { failurePhase: 'Blocked', requiresManualReview: true } }));
});

/** It waits for a maintenance window that never opens again. */
const NEVER = {
  status: { changeWindow: { kind: 'MaintenanceWindow', name: 'year-end' } },
  evidence: { changes: changesWith({ maintenanceWindows: [windowAround(NOW, -MINUTE)] }) },
} as const;

describe('a block by a change freeze', () => {
  const changeWindow = { kind: 'MaintenanceWindow', name: 'year-end' } as const;
  const inFreeze = (end: number, status: Status = {}, more: Parameters<typeof frozen>[2] = {}) =>
    look(
      { blockReason: 'ChangeFreeze', changeWindow: { kind: 'ChangeFreeze', name: 'year-end' }, blockedUntil: toTime(at(end)), ...status },
      { changes: frozen(NOW, end, more) },
    );

  test('stays until the freeze ends, however long that is, and is checked every minute', () => {
    expect(inFreeze(SECOND)).toEqual({ kind: 'stay', lookAgainAt: at(SECOND), hasEnd: true });
    expect(inFreeze(20 * DAY, { blockedStartTime: ago(9 * DAY) })).toEqual({ kind: 'stay', lookAgainAt: at(MINUTE), hasEnd: true });
  });

  test('ends with the freeze', () =>
    expect(inFreeze(0)).toEqual({ kind: 'leave', to: 'Analyzing', why: 'the change freeze year-end has ended', status: {} }));

  test('ends when a person overrides it', () =>
    expect(inFreeze(HOUR, {}, { override: { by: 'dana@example.com', reason: 'customers cannot pay' } })).toMatchObject({
      to: 'Analyzing',
      why: 'dana@example.com overrode the change freeze year-end (customers cannot pay)',
    }));

  test('ends when the configuration no longer has it', () => {
    const changeWindow = { kind: 'ChangeFreeze', name: 'another' } as const;
    const why = 'the change freeze another is no longer in the configuration';
    expect(look({ blockReason: 'ChangeFreeze', changeWindow }, { changes: changesWith({}) })).toMatchObject({ to: 'Analyzing', why });
    expect(look({ blockReason: 'ChangeFreeze', changeWindow })).toMatchObject({ to: 'Analyzing', why });
  });

  test('names another freeze that holds it back once its own no longer does', () =>
    expect(inFreeze(HOUR, { changeWindow: { kind: 'ChangeFreeze', name: 'another' } })).toMatchObject({
      kind: 'stay',
      hasEnd: true,
      status: { changeWindow: { kind: 'ChangeFreeze', name: 'year-end' }, blockedUntil: toTime(at(HOUR)) },
    }));

  const scopedTo = (scope: WindowScope, more: Status = {}) =>
    look(
      { blockReason: 'ChangeFreeze', changeWindow: { kind: 'ChangeFreeze', name: 'year-end' }, blockedUntil: toTime(at(HOUR)), ...more },
      { changes: changesWith({ changeFreezes: [windowAround(NOW, HOUR, scope)] }) },
    );

  test('ends at once when a signal joins whose severity is out of its scope', () =>
    expect(scopedTo({ severities: ['warning', 'info'] })).toEqual({
      kind: 'leave',
      to: 'Analyzing',
      why: 'the change freeze year-end no longer holds back Deployment shop/checkout, whose severity is critical',
      status: {},
    }));

  test('ends when the operator narrows its namespaces or labels, and stays while the planned target is in its scope', () => {
    expect(scopedTo({ namespaces: ['bank'] })).toMatchObject({ to: 'Analyzing' });
    expect(scopedTo({ labels: { tier: 'database' } })).toMatchObject({ to: 'Analyzing' });
    const target = { kind: 'Deployment', name: 'ledger', namespace: 'bank' };
    const changeWindow = { kind: 'ChangeFreeze', name: 'year-end', target } as const;
    expect(scopedTo({ namespaces: ['bank'] }, { changeWindow })).toMatchObject({ kind: 'stay', hasEnd: true });
    expect(scopedTo({ namespaces: ['bank'] }, { changeWindow, blockedUntil: ago(0) })).toMatchObject({
      status: { changeWindow, blockMessage: containing('Deployment bank/ledger') },
    });
  });

  test('ends when another maintenance window of the target opens', () => {
    const waited = { ...windowAround(at(3 * HOUR), HOUR), name: 'nightly' };
    const changes = changesWith({ maintenanceWindows: [waited, windowAround(NOW, HOUR)] });
    const changeWindow = { kind: 'MaintenanceWindow', name: 'nightly' } as const;
    expect(look({ blockReason: 'ChangeFreeze', changeWindow }, { changes })).toMatchObject({ to: 'Analyzing' });
  });

  test('labels that cannot be read keep it waiting until its end, and fail nothing', () => {
    const labels = { kind: 'unreadable', reason: 'forbidden' } as const;
    const changes = changesWith({ changeFreezes: [windowAround(NOW, HOUR, { labels: { tier: 'web' } })] }, { labels });
    const status = { blockReason: 'ChangeFreeze', changeWindow, blockedStartTime: ago(9 * DAY) } as const;
    expect(look({ ...status, blockedUntil: toTime(at(HOUR)) }, { changes })).toMatchObject({ kind: 'stay', hasEnd: true });
    expect(look({ ...status, blockedUntil: ago(0) }, { changes })).toMatchObject({ to: 'Analyzing' });
  });

  test('shows another end once the configuration says so', () =>
    expect(inFreeze(2 * HOUR, { blockedUntil: toTime(at(HOUR)) })).toMatchObject({
      kind: 'stay',
      status: { blockedUntil: toTime(at(2 * HOUR)), blockMessage: containing(`before it ends at ${toTime(at(2 * HOUR))}`) },
    }));

  const outside = (window: ReturnType<typeof windowAround>) =>
    look({ blockReason: 'ChangeFreeze', changeWindow, blockedUntil: ago(0) }, { changes: changesWith({ maintenanceWindows: [window] }) });
  test('outside maintenance windows ends when the window opens', () => {
    expect(outside(windowAround(NOW, MINUTE))).toMatchObject({ to: 'Analyzing', why: 'the maintenance window year-end has opened' });
    expect(outside(windowAround(at(3 * HOUR), MINUTE))).toMatchObject({
      kind: 'stay',
      hasEnd: true,
      status: { blockedUntil: toTime(at(2 * HOUR)) },
    });
    expect(outside(windowAround(NOW, -MINUTE))).toEqual({ kind: 'stay', lookAgainAt: at(MINUTE) });
  });
});

describe('no block is for ever', () => {
  /** What keeps each reason going. */
  const endless = (blockReason: (typeof BLOCK_REASONS)[number], agoMs: number) =>
    look(
      {
        blockReason,
        blockedStartTime: ago(agoMs),
        blockedUntil: toTime(at(9 * DAY)),
        duplicateOf: 'o',
        blockingWorkflowExecution: 'we-o',
        ...NEVER.status,
      },
      {
        ...NEVER.evidence,
        scope: { kind: 'out', message: 'not managed' },
        others: all(aRequest('o', { overallPhase: 'Executing' }, { metadata: { creationTimestamp: ago(9 * DAY) } })),
        blockingExecution: { kind: 'value', value: anExecution('o', { phase: 'Running' }) },
      },
    );

  test.each(BLOCK_REASONS)('[RR-104, RR-260] %s ends after 24 h, which counts as no failure', (blockReason) => {
    expect(endless(blockReason, DAY - SECOND)).toMatchObject({ kind: 'stay' });
    expect(endless(blockReason, DAY)).toMatchObject({ kind: 'leave', to: 'Failed', status: { failurePhase: 'Blocked' } });
  });

  test.each(BLOCK_REASONS)('%s is looked at again in the future, and not after that', (blockReason) => {
    const found = endless(blockReason, DAY - SECOND);
    expect(found).toMatchObject({ kind: 'stay', lookAgainAt: at(SECOND) });
  });

  test('the settings say when', () =>
    expect(look({ blockReason: 'UnmanagedResource' }, { scope: UNREADABLE, routing: { maxBlockedMs: MINUTE } })).toMatchObject({
      to: 'Failed',
      why: containing('1m0s'),
    }));

  test('one without a reason ends then too', () => {
    expect(look({})).toEqual({ kind: 'stay', lookAgainAt: at(DAY - MINUTE) });
    expect(look({}, {}, at(DAY))).toMatchObject({ to: 'Failed' });
  });

  test('one that does not say when it began is as old as its request', () => {
    const request = aRequest('rr', { overallPhase: 'Blocked', blockReason: 'IneffectiveChain' });
    expect(reevaluateBlock(anEarlyEvidence({ request }), NOW)).toEqual({ kind: 'stay', lookAgainAt: at(3 * HOUR) });
  });

  test('an event that lifts a block wins over the end of its time', () =>
    expect(look({ blockReason: 'UnmanagedResource', blockedStartTime: ago(2 * DAY) })).toMatchObject({ to: 'Pending' }));
});

test('[RR-104] ended ones of the fingerprint do not concern a block by event', () =>
  expect(
    look({ blockReason: 'DuplicateInProgress', duplicateOf: 'o' }, { others: all(failed('a', 0), remediated('b', 0), aRequest('o', {})) })
      .kind,
  ).toBe('stay'));
