import { describe, expect, test } from 'vitest';
import { after, SECOND, toMicroTime } from '../../../../base/index.ts';
import { NO_COMMAND, POWER_CALL, requestPowerOff, repeatPowerOff, requestPowerOn, repeatPowerOn } from './power-command.ts';
import { decide } from '../decide.ts';
import type { PowerCycleStatus } from '../status.ts';
import { agoMicro, aRequest, eventsOf, summary, NOW, powerIs, seenWith } from '../testing/builders.ts';

const at = toMicroTime(NOW);

describe('a command', () => {
  test.each([
    { power: 'off', telling: requestPowerOff(aRequest(), NOW), set: { powerOffRequestedAt: at, switchOnOwed: true } },
    { power: 'on', telling: requestPowerOn(aRequest(), NOW), set: { powerOnRequestedAt: at } },
  ])('to switch $power records in status the time that the command carries', ({ power, telling, set }) =>
    expect(telling).toEqual({
      set,
      effects: [{ kind: 'Call', run: POWER_CALL, key: `pcr-0 ${power} ${at}`, input: { power, requestedAt: at } }],
    }),
  );

  const host = { address: 'https://bmc-0' };
  const other = { address: 'https://bmc-1' };
  const known = aRequest({ status: { host } });
  test.each([
    { reason: 'to switch off: the one that is named', telling: requestPowerOff(known, NOW, other), set: { host: other }, told: other },
    { reason: 'to switch off: else the recorded one', telling: requestPowerOff(known, NOW), set: { host }, told: host },
    { reason: 'to switch on: the recorded one', telling: requestPowerOn(known, NOW), set: {}, told: host },
  ])('is for one host alone, $reason', ({ telling, set, told }) =>
    expect(telling).toMatchObject({ set, effects: [{ input: { host: told } }] }),
  );

  test('has a key of its own for each request, direction and time', () => {
    const other = aRequest({ metadata: { uid: 'pcr-1' } });
    const tellings = [
      requestPowerOff(aRequest(), NOW),
      requestPowerOff(other, NOW),
      requestPowerOn(aRequest(), NOW),
      requestPowerOff(aRequest(), after(NOW, SECOND)),
    ];
    const keys = tellings.flatMap(({ effects }) => effects.flatMap((effect) => (effect.kind === 'Call' ? [effect.key] : [])));
    expect(new Set(keys).size).toBe(tellings.length);
  });
});

describe.each([
  { power: 'off', tell: requestPowerOff, again: repeatPowerOff, told: (time: string): PowerCycleStatus => ({ powerOffRequestedAt: time }) },
  { power: 'on', tell: requestPowerOn, again: repeatPowerOn, told: (time: string): PowerCycleStatus => ({ powerOnRequestedAt: time }) },
])('a host that must be $power', ({ tell, again, told }) => {
  test.each([
    { name: 'was sent the command a moment ago', status: told(agoMicro(30 * SECOND - 1)), isTold: false },
    { name: 'was sent the command long ago', status: told(agoMicro(30 * SECOND)), isTold: true },
    { name: 'was never sent the command', status: {}, isTold: true },
  ])('and $name gets the command again: $isTold', ({ status, isTold }) => {
    const request = aRequest({ status });
    expect(again(request, NOW)).toEqual(isTold ? tell(request, NOW) : NO_COMMAND);
  });

  test('gets the command where status records none yet', () => expect(again(aRequest(), NOW)).toEqual(tell(aRequest(), NOW)));
});

describe('an expired command', () => {
  const commandFailure = { fault: 'TooLate', message: 'it was not sent' } as const;
  const told = (phase: 'power-off' | 'power-on', ms: number) => {
    const moment = agoMicro(ms);
    const requested = { powerOffRequestedAt: moment, powerOnRequestedAt: moment };
    return aRequest({ status: { phase, phaseStartTime: moment, switchOnOwed: true, retryCount: 0, ...requested } });
  };

  test.each([
    { phase: 'power-off', power: powerIs('On'), ms: 29 * SECOND, becomes: 'power-off', does: [] },
    { phase: 'power-off', power: powerIs('On'), ms: 30 * SECOND, becomes: 'power-off', does: ['off'] },
    { phase: 'power-off', power: powerIs('Off'), ms: 30 * SECOND, becomes: 'freeing', does: [] },
    { phase: 'power-on', power: powerIs('Off'), ms: 29 * SECOND, becomes: 'power-on', does: [] },
    { phase: 'power-on', power: powerIs('Off'), ms: 30 * SECOND, becomes: 'power-on', does: ['on'] },
    { phase: 'power-on', power: powerIs('On'), ms: 30 * SECOND, becomes: 'waiting', does: [] },
  ] as const)('is reported and changes nothing: $phase for $ms ms, $power.state', ({ phase, power, ms, becomes, does }) => {
    const object = told(phase, ms);
    const decision = decide(seenWith({ object, power, commandFailure }), NOW);
    const { because, ...usual } = summary(decide(seenWith({ object, power }), NOW));
    expect(summary(decision)).toMatchObject({ ...usual, phase: becomes, does });
    const isSaid = phase === becomes;
    expect(summary(decision).because).toBe(isSaid ? 'CommandTooLate' : because);
    expect(eventsOf(decision).includes('Warning CommandTooLate')).toBe(isSaid);
  });
});
