import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SECOND, turn } from '../base/index.ts';
import { httpServer, sendJson } from '../kube/testing/http-server.ts';
import { ManualClock } from '../testkit/manual-clock.ts';
import { BmcError, type BmcAccess, type BmcClient, type BmcFault } from './bmc.ts';
import { createRedfishClient } from './redfish.ts';
import { CREDENTIALS, fakeRedfish, SENT, type FakeRedfish } from './testing/redfish-server.ts';

let server: FakeRedfish;
let steady: ManualClock;
let bmc: BmcClient;
const closers: (() => Promise<void>)[] = [];

beforeEach(async () => {
  server = await fakeRedfish();
  steady = new ManualClock();
  bmc = createRedfishClient({ steady });
  closers.push(() => server.close());
});
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
  expect(steady.waiting).toBe(0);
});

const access = (change: Partial<BmcAccess> = {}): BmcAccess => ({
  address: server.url,
  ...CREDENTIALS,
  insecureSkipVerify: false,
  ...change,
});

async function faultOf(work: Promise<unknown>): Promise<{ readonly fault: BmcFault; readonly message: string }> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(BmcError);
  const { fault, message } = error as BmcError;
  expect(message).not.toContain(CREDENTIALS.password);
  return { fault, message };
}

describe('the power of a host', () => {
  test.each(['On', 'Off', 'PoweringOn', 'PoweringOff', 'Paused'])('is %s as it says', async (state) => {
    server.systems['1'] = { PowerState: state };
    expect(await bmc.powerOf(access())).toBe(state);
  });

  test.each([undefined, null, '', 'off', 'Dead', 1, true, { PowerState: 'Off' }])('is not known where it says %j', async (state) => {
    server.systems['1'] = { PowerState: state };
    expect((await faultOf(bmc.powerOf(access()))).fault).toBe('Garbled');
  });

  test('is that of the system that was named, by id or by path', async () => {
    server.systems['rack 4/2'] = { PowerState: 'Off' };
    server.systems['2'] = { PowerState: 'PoweringOn' };
    expect(await bmc.powerOf(access({ system: '2' }))).toBe('PoweringOn');
    expect(await bmc.powerOf(access({ system: '/redfish/v1/Systems/1' }))).toBe('On');
    expect((await faultOf(bmc.powerOf(access({ system: 'rack 4/2' })))).fault).toBe('NotFound');
    expect(server.arrived.at(-1)?.url).toBe('/redfish/v1/Systems/rack%204%2F2');
  });

  test('is not guessed where there are several systems, or none', async () => {
    server.systems['2'] = { PowerState: 'Off' };
    expect(await faultOf(bmc.powerOf(access()))).toEqual({
      fault: 'NotFound',
      message: `${server.url} has 2 systems: name one under system in the Secret (/redfish/v1/Systems/1, /redfish/v1/Systems/2)`,
    });
    for (const id of Object.keys(server.systems)) delete server.systems[id];
    expect((await faultOf(bmc.powerOf(access()))).message).toContain('lists no system');
  });
});

describe('sending a power command', () => {
  const offers = async (allowed: readonly string[] | undefined, power: 'on' | 'off', viaActionInfo = false): Promise<readonly string[]> => {
    server.systems['1'] = { PowerState: 'On', allowed, viaActionInfo };
    await bmc.setPower(access(), power);
    return server.resets;
  };

  test.each([
    { reason: 'surely off rather than politely', allowed: ['GracefulShutdown', 'ForceOff', 'On'], power: 'off', want: 'ForceOff' },
    { reason: 'on', allowed: ['ForceOff', 'ForceOn', 'On'], power: 'on', want: 'On' },
    { reason: 'on by force where there is nothing else', allowed: ['ForceOff', 'ForceOn'], power: 'on', want: 'ForceOn' },
    { reason: 'off where only force switches it on again', allowed: ['ForceOff', 'ForceOn'], power: 'off', want: 'ForceOff' },
    { reason: 'what is common where it does not say what it takes', allowed: undefined, power: 'off', want: 'ForceOff' },
    { reason: 'on although it does not say that it can be switched off', allowed: ['On'], power: 'on', want: 'On' },
  ] as const)('$reason: $want', async ({ allowed, power, want }) => {
    expect(await offers(allowed, power)).toEqual([want]);
    expect(server.arrived.at(-1)).toMatchObject({
      method: 'POST',
      body: JSON.stringify({ ResetType: want }),
      url: '/redfish/v1/Systems/1/Actions/ComputerSystem.Reset',
    });
  });

  test('with the values that its ActionInfo resource lists', async () => {
    expect(await offers(['ForceOn'], 'on', true)).toEqual(['ForceOn']);
  });

  test('is not tried where it offers nothing of the kind', async () => {
    const { fault, message } = await faultOf(offers(['Nmi', 'PushPowerButton'], 'off'));
    expect([fault, message]).toEqual(['Refused', `${server.url} cannot switch the host off: it offers Nmi, PushPowerButton`]);
    server.systems['1'] = { PowerState: 'On', target: '' };
    expect((await faultOf(bmc.setPower(access(), 'on'))).message).toBe(`${server.url} offers no reset of this system`);
    expect(server.resets).toEqual([]);
  });

  test.each([false, true])(
    'never uses a graceful shutdown, even if it is the only offer: an unhealthy system may shut down long after the timeout',
    async (viaActionInfo) => {
      const { fault, message } = await faultOf(offers(['GracefulShutdown', 'On'], 'off', viaActionInfo));
      expect([fault, message]).toEqual(['Refused', `${server.url} cannot switch the host off: it offers GracefulShutdown, On`]);
      expect(server.resets).toEqual([]);
    },
  );

  test.each([false, true])('is not done where it could not be switched on again', async (viaActionInfo) => {
    const allowed = ['ForceOff', 'GracefulShutdown', 'ForceRestart', 'PushPowerButton'];
    const offered = allowed.join(', ');
    const off = await faultOf(offers(allowed, 'off', viaActionInfo));
    expect(off).toEqual({
      fault: 'Refused',
      message: `${server.url} could not switch the host on again, so it is left on: it offers ${offered}`,
    });
    const on = await faultOf(offers(allowed, 'on', viaActionInfo));
    expect(on).toEqual({ fault: 'Refused', message: `${server.url} cannot switch the host on: it offers ${offered}` });
    expect(server.resets).toEqual([]);
  });

  test('is not done any more where it took too long to ask what has to be asked first', async () => {
    let isExpired = false;
    server.intercept = ({ url }) => ((isExpired = url === '/redfish/v1/Systems/1'), false);
    expect(await bmc.setPower(access(), 'off', { isExpired: () => isExpired })).toBe('expired');
    expect([server.resets, server.arrived.map(({ method }) => method)]).toEqual([[], ['GET', 'GET', 'GET']]);
    expect(await bmc.setPower(access(), 'off', { isExpired: () => false })).toBe('sent');
    expect(server.resets).toEqual(['ForceOff']);
  });

  test('does not change the reported power state: only the host does', async () => {
    await bmc.setPower(access(), 'off');
    expect([server.resets, await bmc.powerOf(access())]).toEqual([['ForceOff'], 'On']);
  });

  test.each(['https://elsewhere.test/reset', '//elsewhere.test/reset', '/re set', 7])('goes nowhere else, as to %s', async (target) => {
    server.systems['1'] = { PowerState: 'On', target: target as string };
    expect((await faultOf(bmc.setPower(access(), 'off'))).fault).toBe('Refused');
    expect(server.resets).toEqual([]);
  });
});

describe('a service that is not as it should be', () => {
  test.each([
    { reason: 'it does not know us', code: 401, fault: 'Unauthorized', says: 'check that username and password in the Secret are right' },
    { reason: 'it does not let us', code: 403, fault: 'Unauthorized', says: 'that the user may switch the host' },
    {
      reason: 'it knows no such thing',
      code: 404,
      fault: 'NotFound',
      says: 'check that address and system in the Secret are those of the host',
    },
    { reason: 'it sends us away', code: 302, fault: 'Garbled', says: 'redirects are not followed' },
    { reason: 'it says no', code: 400, fault: 'Refused', says: 'answered 400: not like this' },
    { reason: 'it is in trouble', code: 503, fault: 'Unreachable', says: 'the request is retried' },
    { reason: 'it is busy', code: 429, fault: 'Unreachable', says: 'the request is retried' },
  ])('$reason: $fault, with advice', async ({ code, fault, says }) => {
    const error = { error: { message: 'general', '@Message.ExtendedInfo': [{ Message: 'not like this' }, { Message: 7 }, null] } };
    server.intercept = (request, response) => {
      if (request.method === 'POST' || code === 401) sendJson(response, code, error);
      return request.method === 'POST' || code === 401;
    };
    const found = await faultOf(bmc.setPower(access(), 'off'));
    expect([found.fault, found.message]).toEqual([fault, expect.stringContaining(says)]);
    expect(found.message).toContain('not like this; general');
  });

  test.each([
    { reason: 'as it is', said: CREDENTIALS.password, quoted: 'bad: ********' },
    { reason: 'as it was sent', said: SENT, quoted: 'bad: Basic ********' },
    { reason: 'where the quote ends', said: `${'x'.repeat(285)}${CREDENTIALS.password}`, quoted: 'x********' },
  ])('does not hear the password back, though it repeats it $reason', async ({ said, quoted }) => {
    server.intercept = (_, response) => (sendJson(response, 400, { error: { message: `bad: ${said}` } }), true);
    const { message } = await faultOf(bmc.powerOf(access()));
    expect(message).toContain(quoted);
    expect(message).not.toContain(CREDENTIALS.password.slice(0, 8));
  });

  const named = `${'x'.repeat(80)}${CREDENTIALS.password}`;
  test.each([
    { where: 'in the power', systems: { '1': { PowerState: named } } },
    { where: 'in the names of its systems', systems: { '1': { PowerState: 'On' }, [named]: { PowerState: 'On' } } },
    { where: 'in a link that leads nowhere', systems: { [`${named}/`]: { PowerState: 'On' } } },
    { where: 'in the resets that it takes', systems: { '1': { PowerState: 'On', allowed: ['On', named] } } },
  ])('does not hear the password back $where', async ({ systems }) => {
    delete server.systems['1'];
    Object.assign(server.systems, systems);
    const { message } = await faultOf(bmc.powerOf(access()).then(() => bmc.setPower(access(), 'off')));
    expect(message).toContain('xxx********');
  });

  test('does not hear the password back in a link to what is no resource', async () => {
    const link = `/redfish/v1/${CREDENTIALS.password}`;
    server.intercept = ({ url }, response) => (sendJson(response, 200, url === link ? [] : { Systems: { '@odata.id': link } }), true);
    expect((await faultOf(bmc.powerOf(access()))).message).toContain('the answer to GET /redfish/v1/******** is not a Redfish resource');
  });

  test.each([
    { reason: 'a page', body: '<html>Sign in</html>' },
    { reason: 'half of it', body: '{"PowerState": "Of' },
    { reason: 'a list', body: '[]' },
    { reason: 'nothing', body: '' },
  ])('that answers with $reason is not understood', async ({ body }) => {
    server.intercept = (_, response) => (response.writeHead(200).end(body), true);
    expect((await faultOf(bmc.powerOf(access()))).fault).toBe('Garbled');
  });

  test('that talks without end is not listened to', async () => {
    server.intercept = (_, response) => (response.writeHead(200).end('x'.repeat(1024 * 1024 + 1)), true);
    expect((await faultOf(bmc.powerOf(access()))).message).toContain('larger than 1 MB');
  });

  test('whose links lead elsewhere names no system', async () => {
    server.intercept = (request, response) => {
      if (request.url !== '/redfish/v1/') return false;
      sendJson(response, 200, { Systems: { '@odata.id': 'https://elsewhere.test/Systems' } });
      return true;
    };
    expect((await faultOf(bmc.powerOf(access()))).fault).toBe('NotFound');
  });

  test('that is not there is not reached', async () => {
    const closed = await httpServer(() => undefined);
    await closed.close();
    expect((await faultOf(bmc.powerOf(access({ address: closed.url })))).fault).toBe('Unreachable');
  });

  test('that hangs up in the middle is not reached', async () => {
    server.intercept = (_, response) => (response.destroy(), true);
    expect((await faultOf(bmc.powerOf(access()))).fault).toBe('Unreachable');
  });

  test('that never answers is waited for only so long', async () => {
    let hasArrived = false;
    server.intercept = () => (hasArrived = true);
    const answer = faultOf(bmc.powerOf(access()));
    while (!hasArrived) await turn();
    await steady.advance(10 * SECOND);
    expect(await answer).toMatchObject({ fault: 'Unreachable', message: expect.stringContaining('no answer within 10 s') as string });
  });

  test('does not delay a process that stops', async () => {
    const stop = new AbortController();
    let hasArrived = false;
    server.intercept = () => (hasArrived = true);
    const answer = bmc.powerOf(access(), stop.signal).catch((error: unknown) => error);
    while (!hasArrived) await turn();
    stop.abort(new Error('stopping'));
    expect(await answer).not.toBeInstanceOf(BmcError);
  });
});
