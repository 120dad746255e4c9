import { describe, expect, test } from 'vitest';
import { hostOf, hostText, owesAnotherHost, isSameHost, secretChangedFault, type Host } from './host-identity.ts';
import type { PowerCycleStatus } from '../status.ts';

const A: Host = { address: 'https://bmc-0' };
const FIRST = { ...A, system: '/redfish/v1/Systems/1' };
const SECOND = { ...A, system: '/redfish/v1/Systems/2' };
const B: Host = { address: 'https://bmc-1' };

describe('the host that a Secret points to', () => {
  test.each([
    { system: undefined, want: A },
    { system: '1', want: FIRST },
    { system: '/redfish/v1/Systems/1', want: FIRST },
    { system: '/redfish/v1/Systems/1/', want: FIRST },
    { system: 'a b', want: { ...A, system: '/redfish/v1/Systems/a%20b' } },
  ])('with the system $system is identified as Redfish addresses it', ({ system, want }) =>
    expect(hostOf({ address: 'https://bmc-0', ...(system !== undefined && { system }) })).toEqual(want),
  );

  test('is clipped to what the schema accepts', () => {
    const { address = '', system = '' } = hostOf({ address: `https://${'a'.repeat(400)}`, system: `/${'s'.repeat(900)}` });
    expect([address.length, system.length]).toEqual([300, 500]);
  });

  test('is shown in one piece', () =>
    expect([hostText(A), hostText(FIRST)]).toEqual(['https://bmc-0', 'https://bmc-0/redfish/v1/Systems/1']));
});

describe('two hosts', () => {
  test.each([
    { reason: 'nothing differs', one: FIRST, other: { ...FIRST }, want: true },
    { reason: 'the only system of an address may be named or not', one: A, other: FIRST, want: true },
    { reason: 'one address may have many systems', one: FIRST, other: SECOND, want: false },
    { reason: 'the address differs', one: A, other: B, want: false },
    { reason: 'the same system of another address is another', one: FIRST, other: { ...B, system: FIRST.system }, want: false },
  ])('are one: $want, as $reason', ({ one, other, want }) =>
    expect([isSameHost(one, other), isSameHost(other, one)]).toEqual([want, want]),
  );
});

describe('what must still be switched on', () => {
  test.each<{ reason: string; status: PowerCycleStatus | undefined; want: boolean }>([
    { reason: 'status records nothing', status: undefined, want: false },
    { reason: 'it is this host', status: { switchOnOwed: true, host: A }, want: false },
    { reason: 'it is the other host', status: { switchOnOwed: true, host: B }, want: true },
    { reason: 'that one was seen on', status: { switchOnOwed: false, host: B }, want: false },
    { reason: 'status does not record which host it is', status: { switchOnOwed: true }, want: false },
  ])('is another host: $want, as $reason', ({ status, want }) => expect(owesAnotherHost(status, FIRST)).toBe(want));

  test('is reported with both hosts, and what to do', () =>
    expect(secretChangedFault(B, FIRST)).toEqual({
      fault: 'NoAccess',
      message:
        'the Secret now points to https://bmc-0/redfish/v1/Systems/1, but https://bmc-1 was ordered to switch off and was not seen on since: ' +
        'point the Secret to it until it is on, or switch it on by hand, delete this request and remove its finalizer',
    }));
});
