import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { ManualClock } from '../../testkit/manual-clock.ts';
import { clusterAddress } from './cluster-address.ts';

const folder = mkdtempSync(join(tmpdir(), 'sickbay-pod-'));
for (const [name, text] of Object.entries({ token: 't', 'ca.crt': 'CERTIFICATE', namespace: 'sickbay-system' }))
  writeFileSync(join(folder, name), text);
afterAll(() => rmSync(folder, { recursive: true }));

const env = { KUBERNETES_SERVICE_HOST: '10.0.0.1', KUBERNETES_SERVICE_PORT: '443' };
const find = (server: string, where = { env: env as Record<string, string>, folder }) => clusterAddress(server, new ManualClock(), where);

describe('where playbooks find the cluster', () => {
  test('is where its pods find it', () =>
    expect(find('https://10.0.0.1:443')).toEqual({ host: 'https://10.0.0.1:443', ca: 'CERTIFICATE' }));
  test('is not printed for another cluster than our own', () => expect(find('https://elsewhere:6443')).toBeUndefined());
  test('is not known outside a cluster', () => {
    expect(find('https://10.0.0.1:443', { env: {}, folder })).toBeUndefined();
    expect(find('https://10.0.0.1:443', { env, folder: join(folder, 'none') })).toBeUndefined();
  });
});
