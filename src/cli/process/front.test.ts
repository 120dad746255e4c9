import { connect, type TLSSocket } from 'node:tls';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { X509Certificate } from 'node:crypto';
import { describe, expect, onTestFinished, test } from 'vitest';
import { loopbackTls } from '../../apiserver/index.ts';
import { silent, systemClock } from '../../base/index.ts';
import type { FollowFolder } from '../../config/index.ts';
import { DEFAULT_SETTINGS } from '../../controllers/default-settings.ts';
import { healthRoutes, ping, startHttpServer } from '../../server/index.ts';
import { ManualClock } from '../../testkit/manual-clock.ts';
import { followCertificate, readCertificate } from './certificate-files.ts';
import { openFront } from './front.ts';

const newPair = () => loopbackTls(systemClock.now());

async function aFolder(): Promise<{ readonly certFile: string; readonly keyFile: string; write(pair: Pair): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'front-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const [certFile, keyFile] = [join(folder, 'tls.crt'), join(folder, 'tls.key')];
  const write = async ({ cert, key }: Pair): Promise<void> => {
    await writeFile(keyFile, key);
    await writeFile(certFile, cert);
  };
  return { certFile, keyFile, write };
}
type Pair = Pick<ReturnType<typeof newPair>, 'cert' | 'key'>;

/** A connection of the kind that Alertmanager keeps open. */
async function connected(port: number, ca: string | undefined): Promise<TLSSocket> {
  const socket = connect({ port, host: '127.0.0.1', ca, servername: 'localhost' });
  onTestFinished(() => void socket.destroy());
  await once(socket, 'secureConnect');
  return socket;
}

async function ask(socket: TLSSocket): Promise<string> {
  socket.write('GET /livez HTTP/1.1\r\nhost: localhost\r\n\r\n');
  const [answer] = (await once(socket, 'data')) as [Buffer];
  return answer.toString().split('\r\n')[0]!;
}

const certificateOf = (socket: TLSSocket): string => new X509Certificate(socket.getPeerCertificate(true).raw).fingerprint256;
const fingerprint = ({ cert }: Pair): string => new X509Certificate(cert).fingerprint256;

describe('TLS', () => {
  test('a new certificate is served to new connections, and open ones go on', async () => {
    const [first, second] = [newPair(), newPair()];
    const files = await aFolder();
    await files.write(first);
    const tls = await readCertificate(files);
    const server = await startHttpServer({ tls, routes: [healthRoutes({ livez: [ping], readyz: [] }, silent)], log: silent });
    onTestFinished(() => server.close());
    const open = await connected(server.port, first.ca);
    expect(await ask(open)).toBe('HTTP/1.1 200 OK');

    const clock = new ManualClock();
    const stop = new AbortController();
    const renewed = Promise.withResolvers<void>();
    let ring = (): void => undefined;
    const follow: FollowFolder = (_folder, onEvent) => void (ring = onEvent);
    const renew: typeof server.renew = (pair) => (server.renew(pair), renewed.resolve());
    const following = followCertificate({ files, current: tls, renew, clock, log: silent, signal: stop.signal, follow });
    await files.write(second);
    ring();
    await clock.advance(60_000);
    await renewed.promise;
    stop.abort(new Error('the test is over'));
    await following;

    expect(certificateOf(await connected(server.port, second.ca))).toBe(fingerprint(second));
    expect(await ask(open)).toBe('HTTP/1.1 200 OK');
    expect(certificateOf(open)).toBe(fingerprint(first));
  });

  test('a certificate whose key is another one is refused by name', async () => {
    const files = await aFolder();
    await files.write({ cert: newPair().cert, key: newPair().key });
    await expect(readCertificate(files)).rejects.toThrow(
      /server\.tlsCertFile .*tls\.crt and server\.tlsKeyFile .* cannot be used together/,
    );
  });

  test('files that cannot be used later change nothing', async () => {
    const files = await aFolder();
    const current = newPair();
    await files.write({ cert: current.cert, key: 'no key' });
    const stop = new AbortController();
    const problem = Promise.withResolvers<unknown>();
    const log = { ...silent, error: (_message: string, fields: unknown) => problem.resolve(fields) };
    const renew = () => expect.unreachable('it was not to be served');
    const clock = new ManualClock();
    const following = followCertificate({ files, current, renew, clock, log, signal: stop.signal, follow: () => undefined });
    expect(JSON.stringify(await problem.promise)).toMatch(/cannot be used together/);
    stop.abort(new Error('the test is over'));
    await following;
  });
});

describe('the start', () => {
  test('is refused beyond loopback as long as senders need no token', async () =>
    expect(openFront(DEFAULT_SETTINGS, { listen: { host: '0.0.0.0', port: 0 } }, { log: silent })).rejects.toMatchObject({
      code: 'Invalid',
      message: expect.stringContaining('set gateway.authentication') as string,
    }));

  test('names the file that cannot be read', async () => {
    const server = { ...DEFAULT_SETTINGS.server, tlsCertFile: '/nowhere/tls.crt', tlsKeyFile: '/nowhere/tls.key' };
    await expect(openFront({ ...DEFAULT_SETTINGS, server }, {}, { log: silent })).rejects.toThrow(
      /server\.tls(Cert|Key)File \/nowhere\/tls/,
    );
  });

  test('a link that signs in an administrator is not served beyond loopback without TLS', async () => {
    const gateway = { ...DEFAULT_SETTINGS.gateway, authentication: 'TokenReview' as const };
    const settings = { ...DEFAULT_SETTINGS, gateway };
    const beyond = { listen: { host: '0.0.0.0', port: 8080 } };
    await expect(openFront(settings, beyond, { log: silent, hasLink: true })).rejects.toThrow(
      /0\.0\.0\.0:8080 is not a loopback address, and without TLS .* set server\.tlsCertFile/,
    );
    await expect(openFront(settings, beyond, { log: silent })).resolves.toBeDefined();
    await expect(openFront(settings, {}, { log: silent, hasLink: true })).resolves.toBeDefined();
  });
});
