import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { apiPlace, placeProblem } from './listen-address.ts';

const everywhere = { host: '0.0.0.0', port: 6443 };
const here = { host: '127.0.0.1', port: 0 };
const files = { tlsCert: 'cert.pem', tlsKey: 'key.pem' };

describe('where the API is served', () => {
  test.each([
    { reason: 'nothing is asked for', flags: {}, want: undefined },
    { reason: 'loopback needs nothing', flags: { listen: here }, want: undefined },
    { reason: 'loopback may have a certificate', flags: { listen: here, ...files }, want: undefined },
    { reason: 'so may the usual place', flags: files, want: undefined },
    { reason: 'everywhere, with a certificate', flags: { listen: everywhere, ...files }, want: undefined },
    {
      reason: 'everywhere, in the open',
      flags: { listen: everywhere },
      want: /^--listen 0\.0\.0\.0:6443 .* needs --tls-cert and --tls-key$/,
    },
    { reason: 'no key', flags: { tlsCert: 'cert.pem' }, want: /go together/ },
    { reason: 'no certificate', flags: { listen: everywhere, tlsKey: 'key.pem' }, want: /go together/ },
  ])('$reason', ({ flags, want }) => {
    if (want === undefined) expect(placeProblem(flags)).toBeUndefined();
    else expect(placeProblem(flags)).toMatch(want);
  });

  test('certificate and key are read', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'api-place-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const [tlsCert, tlsKey] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
    writeFileSync(tlsCert, 'the certificate');
    writeFileSync(tlsKey, 'the key');
    expect(await apiPlace({ listen: everywhere, tlsCert, tlsKey })).toEqual({
      ...everywhere,
      tls: { cert: 'the certificate', key: 'the key' },
    });
    expect(await apiPlace({ listen: here })).toEqual(here);
    expect(await apiPlace({})).toEqual({});
    await expect(apiPlace({ tlsCert, tlsKey: join(folder, 'none') })).rejects.toMatchObject({
      code: 'Invalid',
      message: expect.stringMatching(/^--tls-key: ENOENT.*none/) as string,
    });
  });
});
