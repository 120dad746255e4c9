import { describe, expect, test } from 'vitest';
import { after, SECOND, toMicroTime } from '../../../../base/index.ts';
import { NOTHING_TOLD, POWER_CALL, tellOff, tellOffAgain, tellOn, tellOnAgain } from './power-command.ts';
import { decide } from '../decide.ts';
import type { PowerCycleStatus } from '../status.ts';
import { agoMicro, aRequest, eventsOf, gist, NOW, said, seenWith } from '../testing/builders.ts';

const at = toMicroTime(NOW);

describe('a command', () => {
  test.each([
    { power: 'off', telling: tellOff(aRequest(), NOW), set: { powerOffRequestedAt: at, switchOnOwed: true } },
    { power: 'on', telling: tellOn(aRequest(), NOW), set: { powerOnRequestedAt: at } },
  ])('to switch $power goes on record with the moment that it is given under', ({ power, telling, set }) =>
    expect(telling).toEqual({
      set,
      effects: [{ kind: 'Call', run: POWER_CALL, key: `pcr-0 ${power} ${at}`, input: { power, requestedAt: at } }],
    }),
  );

  const host = { address: 'https://bmc-0' };
  const other = { address: 'https://bmc-1' };
  const known = aRequest({ status: { host } });
  test.each([
    { reason: 'to switch off: the one that is named', telling: tellOff(known, NOW, other), set: { host: other }, told: other },
    { reason: 'to switch off: else the one on record', telling: tellOff(known, NOW), set: { host }, told: host },
    { reason: 'to switch on: the one on record', telling: tellOn(known, NOW), set: {}, told: host },
  ])('is for one host alone, $reason', ({ telling, set, told }) =>
    expect(telling).toMatchObject({ set, effects: [{ input: { host: told } }] }),
  );

  test('is another one for another request, another way and another moment: none stands for another', () => {
    const other = aRequest({ metadata: { uid: 'pcr-1' } });
    const tellings = [tellOff(aRequest(), NOW), tellOff(other, NOW), tellOn(aRequest(), NOW), tellOff(aRequest(), after(NOW, SECOND))];
    const keys = tellings.flatMap(({ effects }) => effects.flatMap((effect) => (effect.kind === 'Call' ? [effect.key] : [])));
    expect(new Set(keys).size).toBe(tellings.length);
  });
});

describe.each([
  { power: 'off', tell: tellOff, again: tellOffAgain, told: (time: string): PowerCycleStatus => ({ powerOffRequestedAt: time }) },
  { power: 'on', tell: tellOn, again: tellOnAgain, told: (time: string): PowerCycleStatus => ({ powerOnRequestedAt: time }) },
])('a host that is to be $power', ({ tell, again, told }) => {
  test.each([
    { name: 'was told a moment ago', status: told(agoMicro(30 * SECOND - 1)), isTold: false },
    { name: 'was told long ago', status: told(agoMicro(30 * SECOND)), isTold: true },
    { name: 'was never told', status: {}, isTold: true },
  ])('and $name is told again: $isTold', ({ status, isTold }) => {
    const request = aRequest({ status });
    expect(again(request, NOW)).toEqual(isTold ? tell(request, NOW) : NOTHING_TOLD);
  });

  test('is told where its request says nothing yet', () => expect(again(aRequest(), NOW)).toEqual(tell(aRequest(), NOW)));
});

describe('a command that came too late', () => {
  const trouble = { fault: 'TooLate', message: 'it was not sent' } as const;
  const told = (phase: 'power-off' | 'power-on', ms: number) => {
    const moment = agoMicro(ms);
    const requested = { powerOffRequestedAt: moment, powerOnRequestedAt: moment };
    return aRequest({ status: { phase, phaseStartTime: moment, switchOnOwed: true, retryCount: 0, ...requested } });
  };

  test.each([
    { phase: 'power-off', power: said('On'), ms: 29 * SECOND, becomes: 'power-off', does: [] },
    { phase: 'power-off', power: said('On'), ms: 30 * SECOND, becomes: 'power-off', does: ['off'] },
    { phase: 'power-off', power: said('Off'), ms: 30 * SECOND, becomes: 'freeing', does: [] },
    { phase: 'power-on', power: said('Off'), ms: 29 * SECOND, becomes: 'power-on', does: [] },
    { phase: 'power-on', power: said('Off'), ms: 30 * SECOND, becomes: 'power-on', does: ['on'] },
    { phase: 'power-on', power: said('On'), ms: 30 * SECOND, becomes: 'waiting', does: [] },
  ] as const)('is said and changes nothing: $phase for $ms ms, $power.state', ({ phase, power, ms, becomes, does }) => {
    const object = told(phase, ms);
    const decision = decide(seenWith({ object, power, trouble }), NOW);
    const { because, ...usual } = gist(decide(seenWith({ object, power }), NOW));
    expect(gist(decision)).toMatchObject({ ...usual, phase: becomes, does });
    const isSaid = phase === becomes;
    expect(gist(decision).because).toBe(isSaid ? 'CommandTooLate' : because);
    expect(eventsOf(decision).includes('Warning CommandTooLate')).toBe(isSaid);
  });
});
