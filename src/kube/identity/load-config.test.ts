import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { stringify } from 'yaml';
import { ManualClock } from '../../testkit/manual-clock.ts';
import type { Identity } from '../http/http-config.ts';
import { loadConfig, type ClusterConfig } from './load-config.ts';

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'sickbay-kubeconfig-'));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
}

interface Parts {
  readonly cluster?: object;
  readonly user?: object;
  readonly name?: string;
}

function kubeconfig(into: string, { cluster = {}, user = {}, name = 'main' }: Parts): string {
  const file = join(into, `${name}.yaml`);
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': name,
    contexts: [{ name, context: { cluster: name, user: name, namespace: `${name}-ns` } }],
    clusters: [{ name, cluster: { server: `https://${name}.example.com:6443/`, ...cluster } }],
    users: [{ name, user }],
  };
  writeFileSync(file, stringify(config));
  return file;
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const load = (file: string, context?: string): Promise<ClusterConfig> =>
  loadConfig({ clock: new ManualClock(), kubeconfig: file, ...(context === undefined ? {} : { context }) });
const identityOf = async (config: ClusterConfig, refused = false): Promise<Identity | undefined> =>
  typeof config.identity === 'function' ? config.identity(refused) : config.identity;

describe('a kubeconfig', () => {
  test('says where the cluster is', async () => {
    const into = folder();
    writeFileSync(join(into, 'ca.crt'), 'the authority');
    const file = kubeconfig(into, {
      cluster: { 'certificate-authority': 'ca.crt', 'tls-server-name': 'api', 'proxy-url': 'http://proxy:3128' },
    });
    expect(await load(file)).toMatchObject({
      server: 'https://main.example.com:6443',
      ca: 'the authority',
      serverName: 'api',
      proxyUrl: 'http://proxy:3128',
      namespace: 'main-ns',
    });
  });

  test.each([
    { name: 'a token', user: { token: 't0ken' }, want: { headers: { authorization: 'Bearer t0ken' } } },
    {
      name: 'a name and a password',
      user: { username: 'u', password: 'p' },
      want: { headers: { authorization: `Basic ${base64('u:p')}` } },
    },
    {
      name: 'a certificate',
      user: { 'client-certificate-data': base64('cert'), 'client-key-data': base64('key') },
      want: { headers: {}, cert: 'cert', key: 'key' },
    },
    {
      name: 'someone else',
      user: { token: 't', as: 'jane' },
      want: { headers: { authorization: 'Bearer t', 'impersonate-user': 'jane' } },
    },
    { name: 'no credentials', user: {}, want: { headers: {} } },
  ])('names the identity: $name', async ({ user, want }) => {
    expect(await identityOf(await load(kubeconfig(folder(), { user })))).toEqual(want);
  });

  test('skips verification only when it says so', async () => {
    expect((await load(kubeconfig(folder(), {}))).insecure).toBeUndefined();
    expect((await load(kubeconfig(folder(), { cluster: { 'insecure-skip-tls-verify': true } }))).insecure).toBe(true);
  });

  test('may be several files, with the context that is asked for', async () => {
    const into = folder();
    const files = [kubeconfig(into, { name: 'one' }), kubeconfig(into, { name: 'two' })].join(delimiter);
    expect((await load(files)).server).toBe('https://one.example.com:6443');
    expect((await load(files, 'two')).server).toBe('https://two.example.com:6443');
    await expect(load(files, 'three')).rejects.toMatchObject({ code: 'NotFound' });
  });

  test.each([
    { name: 'no file', write: () => '/nowhere/config' },
    { name: 'no YAML', write: (into: string) => writeBroken(into, '{ not yaml: [') },
    { name: 'a cluster without server', write: (into: string) => writeBroken(into, 'clusters: [{ name: a, cluster: {} }]') },
    { name: 'a missing authority', write: (into: string) => kubeconfig(into, { cluster: { 'certificate-authority': 'missing.crt' } }) },
  ])('that cannot be used is refused by name: $name', async ({ write }) => {
    await expect(load(write(folder()))).rejects.toMatchObject({ code: 'Invalid', retry: 'never' });
  });

  test('without current context leads nowhere', async () => {
    await expect(load(writeBroken(folder(), 'clusters: []'))).rejects.toMatchObject({ code: 'Unavailable' });
  });
});

test('the identity of a Pod follows its token file', async () => {
  const into = folder();
  const tokenFile = join(into, 'token');
  writeFileSync(tokenFile, 'one');
  // What the library makes of a Pod's mounted identity.
  const config = await load(kubeconfig(into, { user: { 'auth-provider': { name: 'tokenFile', config: { tokenFile } } } }));
  expect((await identityOf(config))?.headers).toEqual({ authorization: 'Bearer one' });
  writeFileSync(tokenFile, 'two');
  expect((await identityOf(config, true))?.headers).toEqual({ authorization: 'Bearer two' });
});

describe('an exec plugin', () => {
  test('is run, remembered until its credential expires or is refused, then run again', async () => {
    const into = folder();
    const plugin = join(into, 'plugin');
    const counter = join(into, 'count');
    writeFileSync(
      plugin,
      `#!/bin/sh
echo x >> "${counter}"
n=$(wc -l < "${counter}" | tr -d ' ')
echo "{\\"apiVersion\\":\\"client.authentication.k8s.io/v1\\",\\"kind\\":\\"ExecCredential\\",\\"status\\":{\\"token\\":\\"$SALT-$n\\"}}"
`,
    );
    chmodSync(plugin, 0o755);
    const exec = { apiVersion: 'client.authentication.k8s.io/v1', command: plugin, env: [{ name: 'SALT', value: 'salted' }] };
    const clock = new ManualClock();
    const config = await loadConfig({ clock, kubeconfig: kubeconfig(into, { user: { exec } }) });
    expect((await identityOf(config))?.headers).toEqual({ authorization: 'Bearer salted-1' });
    await clock.advance(60_000);
    expect((await identityOf(config))?.headers).toEqual({ authorization: 'Bearer salted-1' });
    await clock.advance(60_000);
    expect((await identityOf(config, true))?.headers).toEqual({ authorization: 'Bearer salted-2' });
  });

  test('that fails is a failure that may pass', async () => {
    const exec = { apiVersion: 'client.authentication.k8s.io/v1', command: '/nowhere/plugin' };
    const config = await load(kubeconfig(folder(), { user: { exec } }));
    await expect(identityOf(config)).rejects.toMatchObject({ code: 'Unavailable' });
  });
});

function writeBroken(into: string, text: string): string {
  const file = join(into, 'broken.yaml');
  writeFileSync(file, text);
  return file;
}
