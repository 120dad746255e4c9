import { describe, expect, test } from 'vitest';
import { MINUTE, SECOND } from '../../../../base/index.ts';
import { decide } from '../decide.ts';
import type { PowerCycleSeen } from '../observed.ts';
import type { PowerCycleStatus } from '../status.ts';
import { aSilentNode, agoMicro, aRequest, summary, LEDGER, NOW, powerIs, seenWith, NO_ANSWER } from '../testing/builders.ts';

const HOST = { address: 'https://bmc-0' };
const ANOTHERS: PowerCycleStatus = { anotherHost: true, host: HOST };
const FOREIGN = { key: 'node.kubernetes.io/out-of-service', value: 'nodeshutdown', effect: 'NoExecute' };

/** The Node reports NotReady: it runs. */
const reporting = (taints: Parameters<typeof aSilentNode>[0] = []) =>
  ({ kind: 'value', value: { ...aSilentNode(taints), status: { conditions: [{ type: 'Ready', status: 'False' }] } } }) as const;

/** A request that entered its phase, and switched its host off, so long ago. */
const after = (phase: 'freeing' | 'power-on', ms: number, status: PowerCycleStatus, seen: Partial<PowerCycleSeen>) => {
  const moments = { phaseStartTime: agoMicro(ms), powerOffRequestedAt: agoMicro(ms), powerOnRequestedAt: agoMicro(ms) };
  const object = aRequest({ status: { phase, ...moments, switchOnOwed: true, retryCount: 0, ...status } });
  return decide(seenWith({ object, node: reporting(), host: HOST, ...seen }), NOW);
};

describe('a host whose Machine has a Node that still runs', () => {
  test.each<{ reason: string; ms?: number; status?: PowerCycleStatus; seen?: Partial<PowerCycleSeen>; because: string }>([
    { reason: 'it was off for two minutes', status: { host: HOST }, because: 'AnotherHost' },
    { reason: 'status did not record the host before', because: 'AnotherHost' },
    { reason: 'silent, it may have been switched on', seen: { power: NO_ANSWER }, because: 'PoweringOn' },
    {
      reason: 'an operator tainted it, and Kubernetes has not noticed yet',
      ms: SECOND,
      seen: { node: reporting([FOREIGN]), pods: { kind: 'count', left: 0 } },
      because: 'PoweringOn',
    },
  ])('is switched on, as $because: $reason', ({ ms = 2 * MINUTE, status = {}, seen, because }) => {
    const decision = after('freeing', ms, status, { power: powerIs('Off'), ...seen });
    expect(summary(decision)).toMatchObject({ phase: 'power-on', because, does: ['on'] });
    const { anotherHost, host } = decision.status as PowerCycleStatus;
    expect({ anotherHost, host }).toEqual(because === 'AnotherHost' ? ANOTHERS : { anotherHost: undefined, host: undefined });
  });
});

describe('the wrong host', () => {
  test('is switched on all the same, and the warning stays', () =>
    expect(summary(after('power-on', 30 * SECOND, ANOTHERS, { power: powerIs('Off') }))).toMatchObject({
      phase: 'power-on',
      because: 'AnotherHost',
      does: ['on'],
    }));

  test('has no Node to wait for when it is on: its slot is free, and it does not count as a power cycle of the Machine', () => {
    const decision = after('power-on', 5 * SECOND, { ...ANOTHERS, attemptsNeverOff: 2 }, { power: powerIs('On') });
    expect(summary(decision)).toMatchObject({ phase: 'backoff', because: 'AnotherHost', does: [LEDGER] });
    expect(decision.status).toMatchObject({ ...ANOTHERS, attemptsNeverOff: 3, nextAttemptTime: agoMicro(0), switchOnOwed: true });
  });
});
