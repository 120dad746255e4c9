import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ManualClock } from '../../testkit/manual-clock.ts';
import type { Identity } from '../http/http-config.ts';
import { podConfig } from './pod-config.ts';

const ENV = { KUBERNETES_SERVICE_HOST: '10.96.0.1', KUBERNETES_SERVICE_PORT: '443' };
const clock = new ManualClock();

/** What the kubelet mounts. */
function mounted(files: Readonly<Record<string, string>> = { token: 'one\n', 'ca.crt': 'the authority', namespace: 'shop\n' }): string {
  const folder = mkdtempSync(join(tmpdir(), 'sickbay-pod-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

describe('the account of a pod', () => {
  test('is where the kubelet put it', () =>
    expect(podConfig({ clock, env: ENV, folder: mounted() })).toMatchObject({
      server: 'https://10.96.0.1:443',
      ca: 'the authority',
      namespace: 'shop',
    }));

  test('follows its token, which the kubelet replaces', () => {
    const folder = mounted();
    const identity = podConfig({ clock, env: ENV, folder })?.identity as (refused: boolean) => Identity;
    expect(identity(false).headers).toEqual({ authorization: 'Bearer one' });
    writeFileSync(join(folder, 'token'), 'two');
    expect(identity(true).headers).toEqual({ authorization: 'Bearer two' });
  });

  test('is found at an IPv6 address too', () =>
    expect(podConfig({ clock, env: { ...ENV, KUBERNETES_SERVICE_HOST: 'fd00::1' }, folder: mounted() })?.server).toBe(
      'https://[fd00::1]:443',
    ));

  test.each([
    { name: 'no address', env: {}, files: undefined },
    { name: 'no port', env: { KUBERNETES_SERVICE_HOST: '10.96.0.1' }, files: undefined },
    { name: 'no token', env: ENV, files: { 'ca.crt': 'the authority' } },
  ])('is not there: $name', ({ env, files }) => expect(podConfig({ clock, env, folder: mounted(files) })).toBeUndefined());

  test('may say no namespace', () =>
    expect(podConfig({ clock, env: ENV, folder: mounted({ token: 'one', 'ca.crt': 'ca' }) })?.namespace).toBeUndefined());

  test('without its authority is refused: any server could answer', () =>
    expect(() => podConfig({ clock, env: ENV, folder: mounted({ token: 'one' }) })).toThrow(/ca\.crt/));
});
