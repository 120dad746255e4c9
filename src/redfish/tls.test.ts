import { afterEach, describe, expect, test } from 'vitest';
import { canCertify } from '../apiserver/testing/certificate.ts';
import { sendJson } from '../kube/testing/http-server.ts';
import { aChain, tlsServer, type TlsServer } from '../monitoring/testing/tls-server.ts';
import { ManualClock } from '../testkit/manual-clock.ts';
import type { BmcAccess } from './bmc.ts';
import { createRedfishClient } from './redfish.ts';
import { CREDENTIALS } from './testing/redfish-server.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function serve(chain: ReturnType<typeof aChain>): Promise<TlsServer> {
  const server = await tlsServer(chain, (_, response) => sendJson(response, 200, { PowerState: 'Off' }));
  closers.push(() => server.close());
  return server;
}

const ask = (address: string, change: Partial<BmcAccess> = {}) =>
  createRedfishClient({ steady: new ManualClock() })
    .powerOf({ address, ...CREDENTIALS, system: '1', insecureSkipVerify: false, ...change })
    .catch((error: unknown) => error);

describe.skipIf(!canCertify)('a management controller with a certificate (left out without openssl)', () => {
  test('is asked where its authority is the one in the Secret', async () => {
    const chain = aChain();
    expect(await ask((await serve(chain)).url, { ca: chain.authority })).toBe('Off');
  });

  test.each([
    ['another authority is in the Secret', () => ({ ca: aChain().authority })],
    ['none is', () => ({})],
  ])('is not sent the password when %s, and the error describes what to do', async (_, change) => {
    const server = await serve(aChain());
    expect(await ask(server.url, change())).toMatchObject({
      fault: 'Untrusted',
      message: expect.stringContaining('put the PEM of its authority into the entry ca.crt of the Secret') as string,
    });
    expect(server.shown).toEqual([]);
  });

  test('is not asked by another name than those it shows', async () => {
    const chain = aChain(['DNS:elsewhere.test']);
    expect(await ask((await serve(chain)).url, { ca: chain.authority })).toMatchObject({ fault: 'Untrusted' });
  });

  test('is asked with any certificate, if the Secret allows it', async () => {
    expect(await ask((await serve(aChain())).url, { insecureSkipVerify: true })).toBe('Off');
  });
});
