import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { after, SECOND, systemClock } from '../base/index.ts';
import { controlPlaneLane } from '../testkit/lane.ts';
import { describeOnControlPlane } from '../testkit/lanes.ts';
import { ourServer, realServer, type GuardedServer } from './testing/guarded-servers.ts';
import { SCENE, setScene } from './testing/rights-scene.ts';

const { first, second } = SCENE;
const run = promisify(execFile);

interface Said {
  readonly code: number;
  readonly out: string;
}

/** What kubectl says to a server; a refusal is an answer too. */
async function kubectl(kubeconfig: string, ...args: readonly string[]): Promise<Said> {
  const program = join(process.env[controlPlaneLane.setting] ?? '', 'kubectl');
  try {
    const { stdout, stderr } = await run(program, ['--kubeconfig', kubeconfig, '--cache-dir', `${kubeconfig}.cache`, ...args]);
    return { code: 0, out: stdout + stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { readonly code: number; readonly stdout: string; readonly stderr: string };
    return { code, out: stdout + stderr };
  }
}

describeOnControlPlane('kubectl auth: the real kube-apiserver and ours', (plane) => {
  const folder = mkdtempSync(join(tmpdir(), 'kubectl-auth-'));
  const servers: { readonly name: string; readonly server: GuardedServer; readonly admin: string; readonly robot: string }[] = [];

  beforeAll(async () => {
    const started = { real: realServer(plane()), ours: await ourServer() };
    for (const [name, server] of Object.entries(started)) {
      await setScene(server);
      const admin = join(folder, `${name}-admin`);
      writeFileSync(admin, server.kubeconfigOf(server.adminToken));
      const made = await kubectl(admin, 'create', 'token', 'robot', '-n', first, '--duration', '15m');
      const robot = join(folder, `${name}-robot`);
      writeFileSync(robot, server.kubeconfigOf(made.out.trim()));
      servers.push({ name, server, admin, robot });
    }
    // The real server's caches follow what was written.
    await systemClock.waitUntil(after(systemClock.now(), 2 * SECOND), new AbortController().signal);
  });
  afterAll(async () => {
    await Promise.all(servers.map(({ server }) => server.close()));
    rmSync(folder, { recursive: true, force: true });
  });

  const both = async (who: 'admin' | 'robot', args: readonly string[], shown: (said: Said) => unknown): Promise<void> => {
    const [theirs, own] = await Promise.all(servers.map(async (each) => shown(await kubectl(each[who], ...args))));
    expect(own).toEqual(theirs);
  };

  test.each<[string, 'admin' | 'robot', readonly string[]]>([
    ['everything, as the administrator', 'admin', ['auth', 'can-i', '*', '*']],
    ['a path', 'robot', ['auth', 'can-i', 'get', '/metrics']],
    ['what its role says', 'robot', ['auth', 'can-i', 'create', 'configmaps', '-n', first]],
    ['what its role does not say', 'robot', ['auth', 'can-i', 'delete', 'configmaps', '-n', first]],
    ['in another namespace', 'robot', ['auth', 'can-i', 'delete', 'configmaps', '-n', second]],
    ['a subresource', 'robot', ['auth', 'can-i', 'get', 'pods', '--subresource=log', '-n', first]],
    ['by a short name', 'robot', ['auth', 'can-i', 'list', 'deploy', '-n', first]],
    ['as another user', 'admin', ['auth', 'can-i', 'list', 'pods', '--as', 'anna']],
    ['as another user in a group', 'admin', ['auth', 'can-i', 'get', '/logs/x', '--as', 'x', '--as-group', 'watchers']],
    ['as an account', 'admin', ['auth', 'can-i', 'get', 'pods', '-n', first, '--as', `system:serviceaccount:${second}:reader`]],
    ['reading what one may not', 'robot', ['get', 'secrets', '-n', first]],
    ['reading what one may', 'admin', ['get', 'secrets', '-n', second, '--as', 'fred']],
    ['writing what one may not', 'robot', ['create', 'namespace', 'mine']],
    ['a token for oneself', 'robot', ['create', 'token', 'robot', '-n', first]],
    ['a token of a missing account', 'admin', ['create', 'token', 'nobody', '-n', first]],
    ['a token that is too short', 'admin', ['create', 'token', 'robot', '-n', first, '--duration', '60s']],
  ])('%s', async (_title, who, args) => {
    await both(who, args, ({ code, out }) => ({ code, out: out.replaceAll(/impersonate\S* resource .*/g, 'impersonate') }));
  });

  test('who am I', async () => {
    const shown = ({ code, out }: Said): unknown => ({
      code,
      out: out.replaceAll(/\s+/g, ' ').replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'uid'),
    });
    await both('admin', ['auth', 'whoami'], shown);
    await both('robot', ['auth', 'whoami'], shown);
    await both('admin', ['auth', 'whoami', '--as', 'x', '--as-group', 'y', '--as-uid', '7'], shown);
  });

  test('everything that one may', async () => {
    const lines = ({ code, out }: Said): unknown => ({
      code,
      lines: out
        .split('\n')
        .map((line) => line.trimEnd().replaceAll(/ {2,}/g, '  '))
        .filter((line) => !line.includes('openid'))
        .toSorted(),
    });
    await both('robot', ['auth', 'can-i', '--list', '-n', first], lines);
    await both('robot', ['auth', 'can-i', '--list', '-n', second], lines);
    await both('admin', ['auth', 'can-i', '--list', '-n', second, '--as', 'fred'], lines);
  });
});
