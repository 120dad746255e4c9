import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Namespace } from '../../kube/builtin/index.ts';
import { seededRandom, silent } from '../../base/index.ts';
import { createClient, httpTransport, loadConfig } from '../../kube/index.ts';
import { ManualClock } from '../../testkit/manual-clock.ts';
import { createMemoryApi } from '../memory-api.ts';
import { aCertificate, canCertify } from '../testing/certificate.ts';
import { kubeconfigText } from './kubeconfig-text.ts';
import type { Listener, ListenOptions } from './listen.ts';
import { serveApi } from './serve-api.ts';

const TOKEN = 'open-sesame';

async function served(options: ListenOptions): Promise<Listener> {
  const api = createMemoryApi({ clock: new ManualClock(), random: seededRandom(1) });
  const server = await serveApi({ api, token: TOKEN, log: silent, ...options });
  onTestFinished(async () => {
    api.close();
    await server.close();
  });
  return server;
}

/** The namespaces that a client with the kubeconfig can see. */
async function seenThrough(kubeconfig: string): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'listen-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'config');
  writeFileSync(file, kubeconfig);
  const transport = httpTransport(await loadConfig({ clock: new ManualClock(), kubeconfig: file }));
  onTestFinished(() => transport.close());
  return (await createClient(transport).list(Namespace)).items.map(({ metadata }) => metadata.name);
}

const [elsewhere] = Object.values(networkInterfaces()).flatMap((found = []) =>
  found.filter(({ internal, family }) => !internal && family === 'IPv4').map(({ address }) => address),
);

describe.skipIf(!canCertify)('listening with a certificate (left out without openssl)', () => {
  test.each([
    { reason: 'everywhere, with a name that is not the address', host: '0.0.0.0', names: ['DNS:api.example.test'] },
    { reason: 'everywhere, with the address', host: '0.0.0.0', names: ['DNS:api.example.test', 'IP:127.0.0.1'] },
    { reason: 'on loopback', host: '127.0.0.1', names: ['IP:127.0.0.1'] },
  ])('$reason: the kubeconfig leads there', async ({ host, names }) => {
    const server = await served({ host, tls: aCertificate(...names) });
    expect(server.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
    expect(await seenThrough(kubeconfigText({ server: server.url, token: TOKEN, trust: server.trust }))).toContain('kube-system');
  });

  test.skipIf(elsewhere === undefined)('on an address of the network', async () => {
    const server = await served({ host: elsewhere!, tls: aCertificate(`IP:${elsewhere}`) });
    expect(new URL(server.url).hostname).toBe(elsewhere);
    expect(await seenThrough(kubeconfigText({ server: server.url, token: TOKEN, trust: server.trust }))).toContain('kube-system');
  });

  test('a server with another certificate is not trusted', async () => {
    const server = await served({ tls: aCertificate('IP:127.0.0.1') });
    const { cert } = aCertificate('IP:127.0.0.1');
    await expect(seenThrough(kubeconfigText({ server: server.url, token: TOKEN, trust: { ca: cert } }))).rejects.toMatchObject({
      code: 'Unavailable',
    });
  });

  test('a token in the open is not heard', async () => {
    const server = await served({ tls: aCertificate('IP:127.0.0.1') });
    const open = server.url.replace('https:', 'http:');
    await expect(seenThrough(kubeconfigText({ server: open, token: TOKEN }))).rejects.toMatchObject({ code: 'Unavailable' });
  });

  test.each([
    { reason: 'a certificate for no host', tls: () => aCertificate(), want: /the certificate is not for 127\.0\.0\.1: it needs/ },
    { reason: 'a certificate for another address', tls: () => aCertificate('IP:192.0.2.1'), want: /is not for 127\.0\.0\.1/ },
    {
      reason: 'a key of another certificate',
      tls: () => ({ cert: aCertificate('DNS:a').cert, key: aCertificate('DNS:a').key }),
      want: /certificate and key cannot be used together/,
    },
    {
      reason: 'a key that is none',
      tls: () => ({ ...aCertificate('DNS:a'), key: 'x' }),
      want: /certificate and key cannot be used together/,
    },
  ])('$reason is refused', async ({ tls, want }) => {
    await expect(served({ tls: tls() })).rejects.toMatchObject({ code: 'Invalid', message: expect.stringMatching(want) as string });
  });
});

test.each(['0.0.0.0', '192.0.2.1', '::', 'api.example.test'])('%s without a certificate is refused', async (host) => {
  await expect(served({ host })).rejects.toMatchObject({ code: 'Invalid', message: expect.stringContaining('without TLS') as string });
});
