import { describe, expect, test } from 'vitest';
import { faultText, type BeatPoint, type Fault, type RequestPoint, type WatchPoint } from '../../simulation/index.ts';
import { plannedFaults } from './planned-faults.ts';
import { FAULT_KINDS, randomFaults } from './random-faults.ts';

const request = (index: number, verb: RequestPoint['verb'] = 'write'): RequestPoint => ({
  kind: 'request',
  replica: 'r1',
  verb,
  index,
  text: () => '',
});
const events = (index: number): WatchPoint => ({ kind: 'events', replica: 'r1', index, text: () => '' });
const beat = (index: number): BeatPoint => ({ kind: 'beat', index, replicas: ['r1', 'r2'] });

function sample(seed: number, points: number): Fault[] {
  const source = randomFaults(seed);
  const indexes = Array.from({ length: points }, (_, i) => i + 1);
  return indexes
    .flatMap((i) => [source.onRequest(request(i)), source.onEvents(events(i)), source.onBeat(beat(i))])
    .filter((fault) => fault !== undefined);
}

describe('faults by chance', () => {
  test('the same seed gives the same faults', () => {
    expect(sample(7, 200)).toEqual(sample(7, 200));
    expect(sample(7, 200)).not.toEqual(sample(8, 200));
  });

  test('over many seeds every kind of fault strikes', () => {
    const struck = new Set(
      Array.from({ length: 60 }, (_, seed) => sample(seed, 100))
        .flat()
        .map(({ kind }) => kind),
    );
    expect([...struck].sort()).toEqual([...FAULT_KINDS].sort());
  });

  test('a read is never answered with a conflict', () => {
    const sources = Array.from({ length: 200 }, (_, seed) => randomFaults(seed, ['Refuse']));
    const refusals = sources.flatMap((source) => Array.from({ length: 100 }, (_, i) => source.onRequest(request(i, 'read'))));
    const codes = new Set(refusals.flatMap((fault) => (fault?.kind === 'Refuse' ? [fault.code] : [])));
    expect(codes).toEqual(new Set([429, 500]));
  });

  test('only the kinds that are asked for', () => {
    const source = Array.from({ length: 50 }, (_, seed) => randomFaults(seed, ['LostReply']));
    const struck = source.flatMap((s) => [s.onRequest(request(1)), s.onEvents(events(1)), s.onBeat(beat(1))]);
    expect(new Set(struck.map((fault) => fault?.kind ?? 'none')).has('CrashAfter')).toBe(false);
  });
});

describe('planned faults', () => {
  test('strike at their points and nowhere else', () => {
    const source = plannedFaults([
      { point: 'r1 write 3', fault: { kind: 'CrashAfter' } },
      { point: 'r1 events 2', fault: { kind: 'Disconnect' } },
      { point: 'beat 4', fault: { kind: 'Outage', ms: 5 } },
    ]);
    expect([1, 2, 3, 4].map((i) => source.onRequest(request(i))?.kind)).toEqual([undefined, undefined, 'CrashAfter', undefined]);
    expect([1, 2].map((i) => source.onEvents(events(i))?.kind)).toEqual([undefined, 'Disconnect']);
    expect([3, 4].map((i) => source.onBeat(beat(i))?.kind)).toEqual([undefined, 'Outage']);
    expect(source.onRequest(request(3, 'read'))).toBeUndefined();
  });

  test('are told in a few words', () => {
    expect(faultText({ kind: 'Refuse', code: 409 })).toBe('Refuse code=409');
    expect(faultText({ kind: 'ClockJump', replica: 'r1', ms: -5 })).toBe('ClockJump replica=r1 ms=-5');
  });
});
