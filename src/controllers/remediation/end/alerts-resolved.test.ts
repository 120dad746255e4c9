import { describe, expect, test } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../../../base/index.ts';
import { DEFAULT_SETTINGS } from '../../default-settings.ts';
import { decide } from '../decide.ts';
import { onlyRequest, type RemediationSeen } from '../observe.ts';
import type { RemediationStatus } from '../status.ts';
import {
  ABSENT,
  ago,
  analyzing,
  anAnalysis,
  anApproval,
  aProcessing,
  aRequest,
  at,
  awaiting,
  executing,
  HEALTHY,
  healthWith,
  NOTHING_TOLD,
  NOW,
  pending,
  processing,
  TARGET,
  UNREADABLE,
  value,
} from '../testing/builders.ts';
import type { SeenHealth } from './target-health.ts';

const GRACE_MS = DEFAULT_SETTINGS.gateway.resolvedGraceMs;
/** Alerts by how long ago they resolved; null still fires. */
const alerts = (...resolved: readonly (number | null)[]): RemediationStatus => ({
  deduplication: {
    alerts: resolved.map((ms, i) => ({ name: `A${i}`, instance: 'i', lastSeenAt: ago(HOUR), ...(ms !== null && { resolvedAt: ago(ms) }) })),
  },
});
const [target] = HEALTHY as readonly [SeenHealth];
const gone: readonly SeenHealth[] = [{ target: TARGET, object: ABSENT, pods: undefined }];
const lister: readonly SeenHealth[] = [{ ...target, pods: UNREADABLE }];
const unread: readonly SeenHealth[] = [{ ...target, object: UNREADABLE, pods: undefined }];
const claim: readonly SeenHealth[] = [{ ...target, pods: undefined }];
/** It restarted since the alert resolved: the next restart fires it again. */
const restarted: readonly SeenHealth[] = [
  {
    ...target,
    pods: {
      kind: 'value',
      value: [
        {
          apiVersion: 'v1',
          kind: 'Pod',
          metadata: { name: 'p', namespace: 'shop', uid: 'p', resourceVersion: '1', creationTimestamp: ago(HOUR) },
          spec: { containers: [] },
          status: {
            phase: 'Running',
            conditions: [{ type: 'Ready', status: 'True' }],
            containerStatuses: [
              {
                name: 'main',
                image: 'i',
                ready: true,
                restartCount: 4,
                state: { running: { startedAt: ago(MINUTE) } },
                lastState: { terminated: { exitCode: 1, finishedAt: ago(MINUTE) } },
              },
            ],
          },
        },
      ],
    },
  } as SeenHealth,
];

function decided(status: RemediationStatus, health: readonly SeenHealth[] | undefined, more: Partial<RemediationSeen> = {}) {
  const seen = { ...onlyRequest(aRequest(status), DEFAULT_SETTINGS), messages: NOTHING_TOLD, account: 'sickbay', ...more };
  return decide({ ...seen, ...(health && { health }) }, NOW);
}
const endOf = ({ status }: ReturnType<typeof decided>): string => {
  const { overallPhase, outcome } = status as RemediationStatus;
  return [overallPhase, outcome].filter(Boolean).join(' ');
};

describe('ruling 126: alerts that resolved before anything ran', () => {
  test.each([
    { reason: 'one alert still fires', found: alerts(HOUR, null), health: HEALTHY, want: 'Pending' },
    { reason: 'no alert opened it', found: {}, health: HEALTHY, want: 'Pending' },
    { reason: 'the grace lasts one more second', found: alerts(GRACE_MS - SECOND), health: HEALTHY, want: 'Pending' },
    { reason: 'the last of them resolved just now', found: alerts(HOUR, 0), health: HEALTHY, want: 'Pending' },
    { reason: 'the grace is over, and all pods are ready', found: alerts(GRACE_MS), health: HEALTHY, want: 'Completed NoActionRequired' },
    { reason: 'a pod is not ready', found: alerts(HOUR), health: healthWith(1), want: 'Pending' },
    { reason: 'no pod is ready', found: alerts(HOUR), health: healthWith(0), want: 'Pending' },
    { reason: 'a container restarted since', found: alerts(GRACE_MS), health: restarted, want: 'Pending' },
    { reason: 'the health was not read', found: alerts(HOUR), health: undefined, want: 'Pending' },
    { reason: 'its pods cannot be read', found: alerts(HOUR), health: lister, want: 'Pending' },
    { reason: 'the target cannot be read', found: alerts(HOUR), health: unread, want: 'Pending' },
    { reason: 'the health of its kind cannot be judged', found: alerts(HOUR), health: claim, want: 'Pending' },
    { reason: 'the target is gone', found: alerts(HOUR), health: gone, want: 'Completed NoActionRequired' },
    { reason: 'another target is not healthy', found: alerts(HOUR), health: [...gone, ...healthWith(1)], want: 'Pending' },
  ])('$reason: $want', ({ found, health, want }) => expect(endOf(decided({ ...pending, ...found }, health))).toBe(want));

  test.each([
    ['Processing', processing, { processing: value(aProcessing({ phase: 'Enriching' })) }],
    ['Analyzing', analyzing, { analysis: value(anAnalysis({ phase: 'Investigating' })) }],
    ['AwaitingApproval', awaiting, { analysis: value(anAnalysis()), approval: value(anApproval()) }],
    ['Blocked', { ...pending, overallPhase: 'Blocked', blockReason: 'ResourceBusy' }, {}],
  ] as const)('it continues in %s while the target is unhealthy, and ends when it is healthy', (phase, status, seen) => {
    expect(endOf(decided({ ...status, ...alerts(HOUR) }, healthWith(0), seen))).toBe(phase);
    expect(endOf(decided({ ...status, ...alerts(HOUR) }, HEALTHY, seen))).toBe('Completed NoActionRequired');
  });

  test('a run that began is not ended by resolved alerts', () =>
    expect(endOf(decided({ ...executing, ...alerts(HOUR) }, HEALTHY))).toBe('Executing'));

  test('the message says since when, and what was seen', () => {
    const { message } = decided({ ...pending, ...alerts(HOUR, GRACE_MS) }, HEALTHY).status as RemediationStatus;
    expect(message).toBe(
      `A0, A1 resolved at ${ago(GRACE_MS)} before anything was done, and Deployment shop/checkout is healthy (2 of 2 pods ready): no action was needed`,
    );
  });

  test('it wakes at the end of the grace, whenever it looks', () => {
    const blocked: RemediationStatus = {
      ...pending,
      overallPhase: 'Blocked',
      blockReason: 'RecentlyRemediated',
      blockedUntil: ago(-HOUR),
      blockedStartTime: ago(MINUTE),
    };
    const wakeOf = (found: RemediationStatus) => decided({ ...blocked, ...found }, undefined, { evidence: undefined as never }).wakeAt;
    expect(wakeOf(alerts(GRACE_MS - 20 * SECOND))).toBe(at(20 * SECOND));
    expect(wakeOf(alerts(GRACE_MS - 10 * SECOND))).toBe(at(10 * SECOND));
  });

  test('the approval request is closed with the reason, by Sickbay itself', () => {
    const seen = { analysis: value(anAnalysis()), approval: value(anApproval()) };
    const { effects } = decided({ ...awaiting, ...alerts(GRACE_MS) }, HEALTHY, seen);
    expect(effects).toMatchObject([
      {
        kind: 'PatchStatus',
        key: { name: 'rar-rr' },
        resourceVersion: '7',
        status: {
          decision: 'Expired',
          decidedBy: 'sickbay',
          reason: 'Closed',
          message: expect.stringContaining('rr is NoActionRequired: A0 resolved') as string,
        },
      },
    ]);
  });

  test('a crash before it was closed is made up for in the next pass', () => {
    const ended: RemediationStatus = { ...awaiting, overallPhase: 'Cancelled', completedAt: ago(0), message: 'dana cancelled it' };
    const { effects } = decided(ended, undefined, { approval: value(anApproval()), execution: ABSENT });
    expect(effects[0]).toMatchObject({ kind: 'PatchStatus', status: { decisionMessage: 'rr is Cancelled: dana cancelled it' } });
  });

  test.each(['Approved', 'Rejected', 'Expired'] as const)('one that is %s stays as it is', (decision) => {
    const seen = { analysis: value(anAnalysis()), approval: value(anApproval({ decision, decidedBy: 'alex', decidedAt: ago(MINUTE) })) };
    const { effects } = decided({ ...awaiting, ...alerts(GRACE_MS) }, HEALTHY, seen);
    expect(effects).toEqual([]);
  });
});
