import { describe, expect, test } from 'vitest';
import { MINUTE, SECOND } from '../../../../base/index.ts';
import { decide } from '../decide.ts';
import type { PowerCycleSeen } from '../observed.ts';
import type { PowerCycleStatus } from '../status.ts';
import { aDeadNode, agoMicro, aRequest, gist, LEDGER, NOW, said, seenWith, SILENT } from '../testing/builders.ts';

const HOST = { address: 'https://bmc-0' };
const ANOTHERS: PowerCycleStatus = { anotherHost: true, host: HOST };
const FOREIGN = { key: 'node.kubernetes.io/out-of-service', value: 'nodeshutdown', effect: 'NoExecute' };

/** The Node says that it is ill: it runs. */
const reporting = (taints: Parameters<typeof aDeadNode>[0] = []) =>
  ({ kind: 'there', node: { ...aDeadNode(taints), status: { conditions: [{ type: 'Ready', status: 'False' }] } } }) as const;

/** A request that has been in a phase for so long, with its host switched off as long ago. */
const after = (phase: 'freeing' | 'power-on', ms: number, status: PowerCycleStatus, seen: Partial<PowerCycleSeen>) => {
  const moments = { phaseStartTime: agoMicro(ms), powerOffRequestedAt: agoMicro(ms), powerOnRequestedAt: agoMicro(ms) };
  const object = aRequest({ status: { phase, ...moments, switchOnOwed: true, retryCount: 0, ...status } });
  return decide(seenWith({ object, node: reporting(), host: HOST, ...seen }), NOW);
};

describe('a host whose Machine has a Node that still runs', () => {
  test.each<{ reason: string; ms?: number; status?: PowerCycleStatus; seen?: Partial<PowerCycleSeen>; because: string }>([
    { reason: 'it was off for two minutes', status: { host: HOST }, because: 'AnotherHost' },
    { reason: 'which one it is was not written down before', because: 'AnotherHost' },
    { reason: 'silent, it may have been switched on', seen: { power: SILENT }, because: 'PoweringOn' },
    {
      reason: 'others marked it, and Kubernetes has not had the time to notice',
      ms: SECOND,
      seen: { node: reporting([FOREIGN]), pods: { kind: 'count', left: 0 } },
      because: 'PoweringOn',
    },
  ])('is switched on, as $because: $reason', ({ ms = 2 * MINUTE, status = {}, seen, because }) => {
    const decision = after('freeing', ms, status, { power: said('Off'), ...seen });
    expect(gist(decision)).toMatchObject({ phase: 'power-on', because, does: ['on'] });
    const { anotherHost, host } = decision.status as PowerCycleStatus;
    expect({ anotherHost, host }).toEqual(because === 'AnotherHost' ? ANOTHERS : { anotherHost: undefined, host: undefined });
  });
});

describe("a host that is another's", () => {
  test('is switched on all the same, and people are still told', () =>
    expect(gist(after('power-on', 30 * SECOND, ANOTHERS, { power: said('Off') }))).toMatchObject({
      phase: 'power-on',
      because: 'AnotherHost',
      does: ['on'],
    }));

  test('has no Node to wait for when it is on: others get its place, and it was no power cycle of the Machine', () => {
    const decision = after('power-on', 5 * SECOND, { ...ANOTHERS, attemptsNeverOff: 2 }, { power: said('On') });
    expect(gist(decision)).toMatchObject({ phase: 'backoff', because: 'AnotherHost', does: [LEDGER] });
    expect(decision.status).toMatchObject({ ...ANOTHERS, attemptsNeverOff: 3, nextAttemptTime: agoMicro(0), switchOnOwed: true });
  });
});
