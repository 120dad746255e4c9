import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { phaseNames } from '../../../../api/phases.ts';
import { remediationPhases } from '../../../../api/remediation-request/phases.ts';
import type { RemediationRequest } from '../../../../api/remediation-request/remediation-request.ts';
import { HOUR, MINUTE, SECOND, toTime } from '../../../../base/index.ts';
import { ago, all, anEarlyEvidence, anEvidence, aRequest, at, failed, NOW, UNREADABLE } from '../testing/builders.ts';
import { consecutiveFailuresCheck } from './consecutive-failures.ts';
import { duplicateInProgressCheck } from './duplicate-in-progress.ts';
import { exponentialBackoffCheck } from './exponential-backoff.ts';
import { unmanagedResourceCheck } from './unmanaged-resource.ts';

const containing = (text: string): unknown => expect.stringContaining(text);
const OUT = { kind: 'out', message: 'namespace shop is not managed' } as const;

describe('check 1, UnmanagedResource', () => {
  test('[RR-128] a target that is not managed is objected to, with what to do', () =>
    expect(unmanagedResourceCheck(anEarlyEvidence({ scope: OUT }), NOW)).toEqual({
      kind: 'block',
      check: 'UnmanagedResource',
      inputs: { target: 'shop/Deployment/checkout', scope: 'out' },
      message: 'namespace shop is not managed',
      lookAgainAt: at(5 * SECOND),
    }));

  test('[RR-128] a managed one passes', () =>
    expect(unmanagedResourceCheck(anEarlyEvidence(), NOW)).toEqual({
      kind: 'pass',
      check: 'UnmanagedResource',
      inputs: { target: 'shop/Deployment/checkout', scope: 'in' },
    }));

  test('one that cannot be read is neither', () =>
    expect(unmanagedResourceCheck(anEarlyEvidence({ scope: UNREADABLE }), NOW)).toMatchObject({ kind: 'unknown', reason: 'forbidden' }));

  test('what is to be changed must be managed too, not only what the signal is about', () => {
    expect(unmanagedResourceCheck(anEvidence({ planned: { scope: OUT } }), NOW).kind).toBe('block');
    expect(unmanagedResourceCheck(anEvidence({ planned: { scope: UNREADABLE } }), NOW).kind).toBe('unknown');
    expect(unmanagedResourceCheck(anEvidence({ scope: OUT }), NOW).kind).toBe('block');
    expect(unmanagedResourceCheck(anEvidence({ scope: OUT, planned: { scope: UNREADABLE } }), NOW).kind).toBe('block');
    expect(unmanagedResourceCheck(anEvidence({ scope: UNREADABLE, planned: { scope: OUT } }), NOW).kind).toBe('block');
    expect(unmanagedResourceCheck(anEvidence({ scope: UNREADABLE }), NOW).kind).toBe('unknown');
  });

  test('[RR-129] the next look is counted from the start of the block, where there is one', () => {
    const blocked = aRequest('rr', { overallPhase: 'Blocked', blockedStartTime: ago(20 * SECOND) });
    expect(unmanagedResourceCheck(anEarlyEvidence({ request: blocked, scope: OUT }), NOW)).toMatchObject({ lookAgainAt: at(15 * SECOND) });
    const passedOn = aRequest('rr', { overallPhase: 'Pending', blockedStartTime: ago(20 * SECOND) });
    expect(unmanagedResourceCheck(anEarlyEvidence({ request: passedOn, scope: OUT }), NOW)).toMatchObject({ lookAgainAt: at(5 * SECOND) });
  });
});

describe('check 2, ConsecutiveFailures', () => {
  const failures = (count: number) =>
    all(...Array.from({ length: count }, (_, i) => failed(`f${i}`, (i + 1) * 10 * MINUTE), aRequest('new')));

  test.each([0, 1, 2])('[RR-130, RR-145] with %i failures in a row it passes', (count) =>
    expect(consecutiveFailuresCheck(anEarlyEvidence({ others: failures(count) }), NOW)).toEqual({
      kind: 'pass',
      check: 'ConsecutiveFailures',
      inputs: { failures: count, threshold: 3 },
    }),
  );

  test.each([3, 4])('[RR-130, RR-131, RR-146, RR-248] with %i it is left alone for an hour', (count) =>
    expect(consecutiveFailuresCheck(anEarlyEvidence({ others: failures(count) }), NOW)).toEqual({
      kind: 'block',
      check: 'ConsecutiveFailures',
      inputs: { failures: count, threshold: 3 },
      message: containing(`${count} remediations of this signal failed in a row`),
      until: at(HOUR),
      lookAgainAt: at(HOUR),
    }),
  );

  test('[RR-145, RR-146] as the settings say', () => {
    const routing = { consecutiveFailureThreshold: 2, consecutiveFailureCooldownMs: MINUTE };
    expect(consecutiveFailuresCheck(anEarlyEvidence({ others: failures(2), routing }), NOW)).toMatchObject({ until: at(MINUTE) });
    expect(consecutiveFailuresCheck(anEarlyEvidence({ others: failures(1), routing }), NOW).kind).toBe('pass');
  });

  test('[RR-109] once the block is over the next request passes', () => {
    const expired = failed('e', 0, { failurePhase: 'Blocked', blockReason: 'ConsecutiveFailures', blockedUntil: ago(0) });
    const { value } = failures(3);
    expect(consecutiveFailuresCheck(anEarlyEvidence({ others: all(...value, expired) }), NOW).kind).toBe('pass');
  });

  test('what cannot be read is no empty history', () =>
    expect(consecutiveFailuresCheck(anEarlyEvidence({ others: UNREADABLE }), NOW)).toMatchObject({ kind: 'unknown', reason: 'forbidden' }));
});

describe('check 3, DuplicateInProgress', () => {
  const older = (status?: RemediationRequest['status']) => aRequest('older', status, { metadata: { creationTimestamp: ago(2 * HOUR) } });
  const check = (...others: readonly RemediationRequest[]) => duplicateInProgressCheck(anEarlyEvidence({ others: all(...others) }), NOW);

  test('[RR-132, RR-134] an older request that is at work is waited for, and looked at after 30 s', () =>
    expect(check(older({ overallPhase: 'Executing' }))).toEqual({
      kind: 'block',
      check: 'DuplicateInProgress',
      inputs: { active: 1, original: 'older' },
      message: containing('RemediationRequest older works on the same problem (Executing)'),
      blocker: { kind: 'RemediationRequest', name: 'older' },
      lookAgainAt: at(30 * SECOND),
    }));

  test.each(phaseNames(remediationPhases))('[RR-132] only while it is not over: %s', (overallPhase) =>
    expect(check(older({ overallPhase })).kind).toBe(remediationPhases.terminal.includes(overallPhase) ? 'pass' : 'block'),
  );

  test('[RR-132] one that has no phase yet is at work', () => expect(check(older()).kind).toBe('block'));

  test('one that is being deleted is not over before it is gone', () => {
    const going = aRequest(
      'older',
      { overallPhase: 'Executing' },
      { metadata: { creationTimestamp: ago(2 * HOUR), deletionTimestamp: ago(0) } },
    );
    expect(check(going).kind).toBe('block');
  });

  test('one that an ineffective chain holds back stands in the way for its interval, as at the gateway', () => {
    const chain = (ms: number) => older({ overallPhase: 'Blocked', blockReason: 'IneffectiveChain', blockedStartTime: ago(ms) });
    expect(check(chain(4 * HOUR - SECOND)).kind).toBe('block');
    expect(check(chain(4 * HOUR)).kind).toBe('pass');
  });

  test('[RR-133] a younger one is no reason to wait', () =>
    expect(check(aRequest('younger', {}, { metadata: { creationTimestamp: ago(0) } }))).toMatchObject({
      kind: 'pass',
      inputs: { active: 1 },
    }));

  test('[RR-133] of the same second the first by name continues', () => {
    expect(check(aRequest('ra')).kind).toBe('block');
    expect(check(aRequest('rz')).kind).toBe('pass');
  });

  test('the oldest of several is the one that is waited for', () => {
    const oldest = aRequest('z', {}, { metadata: { creationTimestamp: ago(3 * HOUR) } });
    expect(check(older({}), oldest)).toMatchObject({ blocker: { name: 'z' } });
    expect(check(oldest, older({}))).toMatchObject({ blocker: { name: 'z' } });
  });

  test('[RR-133] of any set of active requests exactly one passes', () => {
    const member = fc.record({
      name: fc.string({ minLength: 1, maxLength: 3, unit: fc.constantFrom('a', 'b', '1') }),
      ageMs: fc.constantFrom(0, SECOND, HOUR),
      overallPhase: fc.constantFrom('Pending', 'Analyzing', 'Blocked', 'Executing', undefined),
    });
    fc.assert(
      fc.property(fc.uniqueArray(member, { selector: ({ name }) => name, minLength: 1, maxLength: 8 }), (members) => {
        const requests = members.map(({ name, ageMs, overallPhase }) =>
          aRequest(name, overallPhase && { overallPhase }, { metadata: { creationTimestamp: ago(ageMs) } }),
        );
        const passing = requests.filter((request) => {
          const others = all(...requests.filter((other) => other !== request));
          return duplicateInProgressCheck(anEarlyEvidence({ request, others }), NOW).kind === 'pass';
        });
        expect(passing).toHaveLength(1);
      }),
    );
  });

  test('what cannot be read may hide one', () =>
    expect(duplicateInProgressCheck(anEarlyEvidence({ others: UNREADABLE }), NOW)).toMatchObject({ kind: 'unknown', reason: 'forbidden' }));
});

describe('check 4, ExponentialBackoff', () => {
  const heldUntil = (ms: number) => all(failed('f', MINUTE, { nextAllowedExecution: toTime(at(ms)) }));
  const check = (others: ReturnType<typeof heldUntil>) => exponentialBackoffCheck(anEarlyEvidence({ others }), NOW);

  test.each([SECOND, MINUTE, 24 * HOUR])('[RR-135, RR-136, RR-172] what an earlier one said holds until exactly then: %d ms', (ms) =>
    expect(check(heldUntil(ms))).toEqual({
      kind: 'block',
      check: 'ExponentialBackoff',
      inputs: { nextAllowedExecution: toTime(at(ms)) },
      message: containing(toTime(at(ms))),
      until: at(ms),
      lookAgainAt: at(ms),
    }),
  );

  test.each([0, -SECOND])('[RR-109, RR-136] and no longer: %d ms', (ms) =>
    expect(check(heldUntil(ms))).toMatchObject({ kind: 'pass', inputs: { nextAllowedExecution: toTime(at(ms)) } }),
  );

  test('[RR-135] what the request itself says holds too', () => {
    const request = aRequest('rr', { nextAllowedExecution: toTime(at(MINUTE)) });
    expect(exponentialBackoffCheck(anEarlyEvidence({ request }), NOW)).toMatchObject({ kind: 'block', until: at(MINUTE) });
  });

  test('without a history it passes', () => expect(check(all())).toEqual({ kind: 'pass', check: 'ExponentialBackoff', inputs: {} }));

  test('what cannot be read is no free pass', () =>
    expect(exponentialBackoffCheck(anEarlyEvidence({ others: UNREADABLE }), NOW)).toMatchObject({ kind: 'unknown', reason: 'forbidden' }));
});
