import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { canCertify } from '../apiserver/testing/certificate.ts';
import { MINUTE, SECOND } from '../base/index.ts';
import { sendJson } from '../kube/testing/http-server.ts';
import { ManualClock } from '../testkit/manual-clock.ts';
import { openMonitoring, type OpenMonitoring } from './open-monitoring.ts';
import { aChain, tlsServer, type Chain, type TlsServer } from './testing/tls-server.ts';

const closers: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'sickbay-tls-'));
  closers.push(() => rmSync(path, { recursive: true }));
  return path;
}

/** A file that holds the text. */
function fileOf(text: string): string {
  const path = join(folder(), 'file');
  writeFileSync(path, text);
  return path;
}

/** Alertmanager behind a certificate; no alert fires. */
async function serve(chain: Pick<Chain, 'key' | 'cert'>): Promise<TlsServer> {
  const server = await tlsServer(chain, (_, response) => sendJson(response, 200, []));
  closers.push(() => server.close());
  return server;
}

function open(alertManagerUrl: string, files: { readonly tlsCaFile?: string; readonly tokenFile?: string }, clock = new ManualClock()) {
  const places = { alertManagerUrl, alertManagerEnabled: true, prometheusEnabled: false, connectionTimeoutMs: 10 * SECOND };
  const monitoring = openMonitoring({ ...places, ...files }, { clock, steady: new ManualClock() });
  closers.push(() => monitoring.close());
  return monitoring;
}

const ask = ({ alertmanager }: OpenMonitoring) => alertmanager?.firing({ alertname: 'X' });
const SILENT = { kind: 'value', value: [] };

describe.skipIf(!canCertify)('a server with a certificate (left out without openssl)', () => {
  test('is asked where its authority is the one that was named, and shown the token', async () => {
    const chain = aChain();
    const server = await serve(chain);
    const monitoring = open(server.url, { tlsCaFile: fileOf(chain.authority), tokenFile: fileOf('secret\n') });
    expect(await ask(monitoring)).toEqual(SILENT);
    expect(server.shown).toEqual(['Bearer secret']);
  });

  test('is shown the new token once the file holds one', async () => {
    const chain = aChain();
    const server = await serve(chain);
    const clock = new ManualClock();
    const tokenFile = fileOf('first');
    const monitoring = open(server.url, { tlsCaFile: fileOf(chain.authority), tokenFile }, clock);
    await ask(monitoring);
    writeFileSync(tokenFile, 'second');
    await ask(monitoring);
    await clock.advance(MINUTE);
    await ask(monitoring);
    expect(server.shown).toEqual(['Bearer first', 'Bearer first', 'Bearer second']);
  });

  test.each([
    ['another authority', () => ({ tlsCaFile: fileOf(aChain().authority) })],
    ['none', () => ({})],
  ])('is not asked when %s was configured: it is sent no token, and the error describes what to do', async (_, files) => {
    const server = await serve(aChain());
    const answer = await ask(open(server.url, { ...files(), tokenFile: fileOf('secret') }));
    expect(answer).toMatchObject({ kind: 'unreadable' });
    const { reason } = answer as { readonly reason: string };
    expect(reason).toContain(`Alertmanager cannot be asked: asking ${server.url}: `);
    expect(reason).toContain('put the PEM of its authority into the file that external.tlsCaFile names');
    expect(reason).not.toContain('secret');
    expect(server.shown).toEqual([]);
  });

  test('is asked once its authority was put into the file', async () => {
    const chain = aChain();
    const server = await serve(chain);
    const tlsCaFile = fileOf(aChain().authority);
    const monitoring = open(server.url, { tlsCaFile });
    expect(await ask(monitoring)).toMatchObject({ kind: 'unreadable' });
    writeFileSync(tlsCaFile, chain.authority);
    expect(await ask(monitoring)).toEqual(SILENT);
  });

  test('with a certificate of another host is not queried', async () => {
    const chain = aChain(['DNS:alertmanager.example']);
    const server = await serve(chain);
    const answer = await ask(open(server.url, { tlsCaFile: fileOf(chain.authority) }));
    expect(answer).toMatchObject({ reason: expect.stringContaining('use one of its names in the address') as string });
    expect(server.shown).toEqual([]);
  });
});
