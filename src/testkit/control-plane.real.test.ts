import { connect } from 'node:net';
import { Agent, request } from 'undici';
import { expect, test } from 'vitest';
import { startControlPlane } from './control-plane.ts';
import type { ControlPlaneAccess } from './control-plane.ts';
import { describeOnControlPlane } from './lanes.ts';

interface Answer {
  readonly code: number;
  readonly body: Readonly<Record<string, unknown>>;
}

async function get(access: ControlPlaneAccess, path: string, token = access.token): Promise<Answer> {
  const dispatcher = new Agent({ connect: { ca: access.caData } });
  const answer = await request(access.url + path, { dispatcher, headers: { authorization: `Bearer ${token}` } });
  const body = (await answer.body.json()) as Answer['body'];
  await dispatcher.close();
  return { code: answer.statusCode, body };
}

const isOpen = (url: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => resolve(true));
    socket.once('error', () => resolve(false)).once('connect', () => socket.destroy());
  });

describeOnControlPlane('the control plane of the test run', (plane) => {
  test('serves its administrator', async () => {
    expect(await get(plane(), '/version')).toMatchObject({ code: 200, body: { major: '1' } });
    expect((await get(plane(), '/api/v1/secrets')).code).toBe(200);
  });

  test('refuses an unknown token', async () => {
    expect(await get(plane(), '/api/v1/secrets', 'nobody')).toMatchObject({ code: 401, body: { reason: 'Unauthorized' } });
  });

  test('runs the controller manager: the default service account is there', async () => {
    expect((await get(plane(), '/api/v1/namespaces/default/serviceaccounts/default')).code).toBe(200);
  });

  test('a second one beside it starts without controllers, and leaves nothing when stopped', async () => {
    const second = await startControlPlane({ binaries: process.env['KUBEBUILDER_ASSETS'] ?? '' });
    expect(second.url).not.toBe(plane().url);
    expect(await get(second, '/api/v1/namespaces/default/serviceaccounts/default')).toMatchObject({
      code: 404,
      body: { reason: 'NotFound' },
    });
    await second.stop();
    expect(await isOpen(second.url)).toBe(false);
  });

  test('a folder without binaries is an error that names the program', async () => {
    await expect(startControlPlane({ binaries: '/nonexistent' })).rejects.toThrow(/etcd ended/);
  });
});
