import { describe, expect, test } from 'vitest';
import { hostOf, hostText, isOwedToAnother, isSameHost, ledElsewhere, type Host } from './host-identity.ts';
import type { PowerCycleStatus } from '../status.ts';

const A: Host = { address: 'https://bmc-0' };
const FIRST = { ...A, system: '/redfish/v1/Systems/1' };
const SECOND = { ...A, system: '/redfish/v1/Systems/2' };
const B: Host = { address: 'https://bmc-1' };

describe('the host that a Secret leads to', () => {
  test.each([
    { system: undefined, want: A },
    { system: '1', want: FIRST },
    { system: '/redfish/v1/Systems/1', want: FIRST },
    { system: '/redfish/v1/Systems/1/', want: FIRST },
    { system: 'a b', want: { ...A, system: '/redfish/v1/Systems/a%20b' } },
  ])('with the system $system is what Redfish is asked for', ({ system, want }) =>
    expect(hostOf({ address: 'https://bmc-0', ...(system !== undefined && { system }) })).toEqual(want),
  );

  test('goes on record as far as the schema takes it', () => {
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

describe('what is owed', () => {
  test.each<{ reason: string; status: PowerCycleStatus | undefined; want: boolean }>([
    { reason: 'nothing is on record', status: undefined, want: false },
    { reason: 'it is owed to this one', status: { switchOnOwed: true, host: A }, want: false },
    { reason: 'it is owed to that one', status: { switchOnOwed: true, host: B }, want: true },
    { reason: 'that one was seen on', status: { switchOnOwed: false, host: B }, want: false },
    { reason: 'nobody wrote down which one it is', status: { switchOnOwed: true }, want: false },
  ])('is owed to another: $want, as $reason', ({ status, want }) => expect(isOwedToAnother(status, FIRST)).toBe(want));

  test('is said with both hosts, and what to do', () =>
    expect(ledElsewhere(B, FIRST)).toEqual({
      fault: 'NoAccess',
      message:
        'the Secret leads to https://bmc-0/redfish/v1/Systems/1 now, but https://bmc-1 was told to switch off and was not seen on since: ' +
        'lead it back until that is on, or switch it on by hand, delete this request and take its finalizer off',
    }));
});
