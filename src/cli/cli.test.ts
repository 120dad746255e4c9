import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Lease } from '../api/builtin/index.ts';
import { kubeconfigText, serveApi } from '../apiserver/http/index.ts';
import { createMemoryApi } from '../apiserver/index.ts';
import { silent, systemClock, systemRandom } from '../base/index.ts';
import { DEFAULT_SETTINGS } from '../controllers/default-settings.ts';
import { createClient } from '../kube/index.ts';
import { freePorts } from '../testkit/free-ports.ts';
import { until } from './demo/until.ts';
import { LEADER_LEASE } from './process/process.ts';
import { sickbay, type CommandEnd } from './testing/sickbay-command.ts';

/** The demo takes forty seconds on an idle machine. */
const PATIENCE_MS = 240_000;

let scratch: string;
beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'sickbay-cli-'));
});
afterAll(() => rm(scratch, { recursive: true }));

/** A place of its own for a test; `left` says what is in it. */
async function aPlace(): Promise<{ readonly path: string; left(): Promise<readonly string[]> }> {
  const path = await mkdtemp(join(scratch, 'at-'));
  // Node keeps compiled code wherever it is told to put temporary files.
  const left = async () => (await readdir(path)).filter((name) => !name.startsWith('node-compile-cache'));
  return { path, left };
}

/** It said no in one line, without a stack trace, and left nothing behind. */
function expectRefusal({ code, stderr, leftBehind }: CommandEnd, want: RegExp): void {
  expect(stderr).toMatch(want);
  expect(stderr).toMatch(/^sickbay: [^\n]*\n("sickbay --help" lists the commands\.\n)?$/);
  expect({ code, leftBehind }).toEqual({ code: 1, leftBehind: false });
}

describe('the command', { timeout: PATIENCE_MS, concurrent: true }, () => {
  test('prints help and its version', async () => {
    const { path } = await aPlace();
    const [help, version] = await Promise.all([sickbay(path, '--help').end, sickbay(path, '--version').end]);
    expect(help).toMatchObject({ code: 0, stderr: '' });
    expect(help.stdout).toContain('Usage: sickbay [options] [command]');
    expect(version).toMatchObject({ code: 0, stderr: '' });
    expect(version.stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  test('refuses what it does not understand before it does anything', async () => {
    const { path } = await aPlace();
    const end = await sickbay(path, '--port', '99999').end;
    expectRefusal(end, /argument '99999' is invalid/);
    expect(end.stdout).toBe('');
  });

  test('--exit comes up, says where everything is, and is gone', async () => {
    const { path, left } = await aPlace();
    const end = await sickbay(path, '--exit', '--log-level', 'error').end;
    expect(end).toMatchObject({ code: 0, stderr: '', leftBehind: false });
    expect(end.stdout).toMatch(/^ {2}alerts {3}http:\/\/127\.0\.0\.1:\d+\/api\/v1\/signals\/prometheus$/m);
    expect(end.stdout).toMatch(/Stopped\.\n$/);
    expect(await left()).toEqual([]);
  });

  test('the whole demo: from the alert to the verified fix, without and with an approval, a host replaced, and nothing orphaned', async () => {
    const { path, left } = await aPlace();
    const { stdout, ...end } = await sickbay(path, '--demo', '--exit').end;
    expect(end).toEqual({ code: 0, stderr: '', leftBehind: false });
    const phases = [...stdout.matchAll(/^ *\d+\.\d s {4}(\w+) /gm)].map(([, phase]) => phase);
    const [before, after] = [
      ['Pending', 'Processing', 'Analyzing'],
      ['Executing', 'Verifying', 'Completed'],
    ];
    expect(phases).toEqual([...before, ...after, ...before, 'AwaitingApproval', ...after]);
    expect(stdout.match(/^Completed \/ Remediated$/gm)).toHaveLength(2);
    for (const row of [
      'cause',
      'done',
      'verified',
      'notified',
      'time',
      'plan',
      'confidence',
      'why',
      'until',
      'yes',
      'no',
      'held by',
      'gates',
    ])
      expect(stdout).toMatch(new RegExp(`^ {2}${row} +\\S`, 'm'));
    expect(stdout).toMatch(/^ *\d+\.\d s {2}rar-\S+ is approved by dana@example\.com: run rollback-deployment/m);
    expect(stdout).toMatch(/^ *\d+\.\d s {4}Executing +dana@example\.com approved it; running/m);
    expect(stdout).toMatch(/^ *\d+\.\d s {2}Machine workers-1 fails its health check: Ready of Node host-1 is Unknown/m);
    expect(stdout).toMatch(/^ *\d+\.\d s {2}Machine workers-3 takes its place on host-3$/m);
    expect(stdout).toMatch(/^MachineHealthCheck workers: 2 of 2 healthy$/m);
    expect(await left()).toEqual([]);
  });

  test.each([
    { signal: 'SIGINT', code: 130, moment: 'release 1.4.0 runs', name: 'at its beginning' },
    { signal: 'SIGTERM', code: 143, moment: '  Executing ', name: 'while a workflow runs' },
  ] as const)('$signal ends the demo $name', async ({ signal, code, moment }) => {
    const { path, left } = await aPlace();
    const command = sickbay(path, '--demo', '--exit');
    await command.said(moment);
    command.signal(signal);
    const end = await command.end;
    expect(end).toMatchObject({ code, stderr: '', leftBehind: false });
    expect(end.stdout).toMatch(/Stopped\.\n$/);
    expect(end.stdout).not.toContain('Completed /');
    expect(await left()).toEqual([]);
  });

  test('stays up until it is stopped, which is no failure', async () => {
    const { path, left } = await aPlace();
    const command = sickbay(path, '--log-level', 'error');
    await command.said('Ready');
    command.signal('SIGINT');
    expect(await command.end).toMatchObject({ code: 0, stderr: '', leftBehind: false });
    expect(await left()).toEqual([]);
  });

  test('ends quietly when its output is closed', async () => {
    const { path, left } = await aPlace();
    const command = sickbay(path, '--demo');
    await command.said('sickbay');
    command.hangUp();
    expect(await command.end).toMatchObject({ code: 141, stderr: '', leftBehind: false });
    expect(await left()).toEqual([]);
  });

  test('reports that the port is in use, and ends', async () => {
    const { path, left } = await aPlace();
    const taken = await listening();
    const port = String((taken.address() as AddressInfo).port);
    expectRefusal(
      await sickbay(path, '--port', port, '--log-level', 'error').end,
      new RegExp(`cannot listen on port ${port} .*choose another`),
    );
    expect(await left()).toEqual([]);
    taken.close();
  });

  test('a --state folder stays, with the kubeconfig; a file is none', async () => {
    const { path, left } = await aPlace();
    const state = join(path, 'state');
    expect(await sickbay(path, '--state', state, '--exit').end).toMatchObject({ code: 0 });
    expect(await left()).toEqual(['state']);
    expect((await readdir(state)).toSorted()).toEqual([
      'audit.db',
      'audit.db.key',
      'kubeconfig',
      'objects.db',
      'sessions.json',
      'signing-key',
    ]);
    expectRefusal(await sickbay(path, '--state', join(state, 'kubeconfig'), '--exit').end, /kubeconfig is not a folder/);
  });
});

describe('the shop', { timeout: PATIENCE_MS, concurrent: true }, () => {
  test('is broken and healed by name from another terminal', async () => {
    const { path, left } = await aPlace();
    const command = sickbay(path, '--log-level', 'error');
    await command.said('Ready');
    const list = await sickbay(path, 'break').end;
    expect(list).toMatchObject({ code: 0, stderr: '' });
    expect(list.stdout).toMatch(/^crash-loop \(shop\/checkout\)$/m);
    const broken = await sickbay(path, 'break', 'crash-loop').end;
    expect(broken).toMatchObject({ code: 0, stderr: '' });
    expect(broken.stdout).toMatch(
      /^Broken: Deployment shop\/checkout gets release 2\.0\.0\.\n(.*\n)* {2}undo +(npx )?sickbay heal crash-loop\n$/,
    );
    expectRefusal(await sickbay(path, 'break', 'crash-loop').end, /is broken by crash-loop already: sickbay heal crash-loop/);
    expectRefusal(await sickbay(path, 'break', 'crash-lop').end, /there is no fault crash-lop: did you mean crash-loop\?/);
    expect((await sickbay(path, 'heal').end).stdout).toMatch(/^crash-loop: Deployment shop\/checkout /);
    expect(broken.stdout).toMatch(/^ {2}cluster {2}https:\/\/127\.0\.0\.1:\d+$/m);
    expect(broken.stdout).toMatch(/^ {2}first {4}export KUBECONFIG=\/.+kubeconfig$/m);
    const healed = JSON.parse((await sickbay(path, 'heal', '-o', 'json').end).stdout) as object;
    expect(healed).toEqual({ healed: [], server: expect.stringMatching(/^https:\/\/127\.0\.0\.1:\d+$/) as string });
    command.signal('SIGINT');
    expect(await command.end).toMatchObject({ code: 0, stderr: '', leftBehind: false });
    expect(await left()).toEqual([]);
  });

  test('is only broken on a local cluster, unless another one is for tests', async () => {
    const { path } = await aPlace();
    const api = createMemoryApi({ clock: systemClock, random: systemRandom });
    const served = await serveApi({ api, token: 'secret', log: silent });
    const words = ['break', 'crash-loop', '--kubeconfig', await aKubeconfig(path, served.url)];
    expectRefusal(
      await sickbay(path, ...words).end,
      /is not a local cluster of Sickbay, so nothing is changed: start one with "npm start"/,
    );
    expectRefusal(await sickbay(path, ...words, '--yes-this-is-a-test-cluster').end, /there is no Deployment shop\/checkout to break/);
    expectRefusal(
      await sickbay(path, 'break', 'crash-loop', '--yes-this-is-a-test-cluster').end,
      /does not say which cluster: name it with --kubeconfig or --context/,
    );
    await served.close();
    api.close();
    expectRefusal(await sickbay(path, ...words).end, /no cluster answers at .*: start the local one with "npm start"/);
  });

  test('--demo bad-image plays one fault to its end, as the README says', async () => {
    const { path, left } = await aPlace();
    const { stdout, ...end } = await sickbay(path, '--demo', 'bad-image', '--exit').end;
    expect(end).toEqual({ code: 0, stderr: '', leftBehind: false });
    expect(stdout).toMatch(/Deployment shop\/web gets release 2\.0\.0$/m);
    expect(stdout).toMatch(/^Completed \/ Remediated$/m);
    expect(await left()).toEqual([]);
  });

  test('that is gone is said to be, and another of the environment is used', async () => {
    const { path } = await aPlace();
    await mkdir(join(path, '.sickbay'));
    await writeFile(join(path, '.sickbay', 'local-run'), `${join(path, 'gone')}\n`);
    expectRefusal(
      await sickbay(path, 'break', 'crash-loop').end,
      /the local cluster that ~\/\.sickbay\/local-run names is gone: .*; and without it: /,
    );
    const api = createMemoryApi({ clock: systemClock, random: systemRandom });
    const served = await serveApi({ api, token: 'secret', log: silent });
    await mkdir(join(path, '.kube'));
    await writeFile(join(path, '.kube', 'config'), await readFile(await aKubeconfig(path, served.url)));
    const { stderr, code } = await sickbay(path, 'break', 'crash-loop').end;
    expect(stderr).toContain(`${served.url} (Kubernetes`);
    expect(stderr).toMatch(/is not a local cluster .* \(the local cluster that ~\/\.sickbay\/local-run names is gone: /);
    expect(code).toBe(1);
    await served.close();
    api.close();
  });

  test('one state folder serves one process at a time', async () => {
    const { path } = await aPlace();
    const words = ['--state', join(path, 'state'), '--log-level', 'error'];
    const command = sickbay(path, ...words);
    await command.said('Ready');
    expectRefusal(await sickbay(path, ...words).end, /process \d+ uses it; stop that one first, or give this one another state folder/);
    command.signal('SIGINT');
    expect(await command.end).toMatchObject({ code: 0, stderr: '', leftBehind: false });
  });

  test('--demo NAME refuses a name that does not exist before anything starts', async () => {
    const { path } = await aPlace();
    const end = await sickbay(path, '--demo', 'bad-imge', '--exit').end;
    expectRefusal(end, /there is no fault bad-imge: did you mean bad-image\?/);
    expect(end.stdout).toBe('');
  });
});

describe('the command and its config file', { timeout: PATIENCE_MS, concurrent: true }, () => {
  test('prints one that it takes itself', async () => {
    const { path } = await aPlace();
    const defaults = await sickbay(path, 'config', 'defaults').end;
    expect(defaults).toMatchObject({ code: 0, stderr: '' });
    await writeFile(join(path, 'config.yaml'), defaults.stdout);
    const check = await sickbay(path, 'config', 'check', join(path, 'config.yaml')).end;
    expect(check).toMatchObject({ code: 0, stderr: '' });
    expect(check.stdout).toContain('is valid');
  });

  test('refuses one that is wrong, before it does anything', async () => {
    const { path } = await aPlace();
    const config = join(path, 'config.yaml');
    await writeFile(config, 'timeouts: { global: 5s }');
    for (const words of [
      ['config', 'check', config],
      ['up', '--config', config],
      ['run', '--config', config],
    ]) {
      const end = await sickbay(path, ...words).end;
      expectRefusal(end, /config\.yaml:1:13: timeouts\.global is 5s: wants at least 1h/);
      expect(end.stdout).toBe('');
    }
    const json = await sickbay(path, 'config', 'check', config, '-o', 'json').end;
    expect(json).toMatchObject({ code: 1, stderr: '' });
    expect(JSON.parse(json.stdout)).toMatchObject({ valid: false, problems: [{ line: 1, column: 13, key: 'timeouts.global' }] });
  });

  test('follows it: an invalid one shows in health and metrics until it is fixed', async () => {
    const { path } = await aPlace();
    const config = join(path, 'config.yaml');
    await writeFile(config, 'dryRun: false');
    const [port] = await freePorts(1);
    const command = sickbay(path, '--config', config, '--port', String(port), '--log-level', 'silent');
    await command.said('Ready');
    const ask = async (what: string) => (await fetch(`http://127.0.0.1:${port}${what}`)).text();
    const shows = async (value: number): Promise<void> => {
      while (!(await ask('/metrics')).includes(`\nsickbay_config_last_reload_successful ${value}\n`));
    };
    await shows(1);
    expect(await ask('/healthz/config')).toBe('ok');
    await writeFile(config, 'dryRun: maybe');
    await shows(0);
    expect(await ask('/healthz/config')).toContain('reason withheld');
    expect(await ask('/readyz')).toBe('ok');
    await writeFile(config, 'dryRun: true');
    await shows(1);
    command.signal('SIGINT');
    expect(await command.end).toMatchObject({ code: 0, stderr: '', leftBehind: false });
  });
});

describe('the command on a cluster', { timeout: PATIENCE_MS, concurrent: true }, () => {
  test('says that there is no such kubeconfig, or that it is none', async () => {
    const { path } = await aPlace();
    const none = join(path, 'none');
    expectRefusal(await sickbay(path, 'run', '--kubeconfig', none).end, /reading the kubeconfig: ENOENT/);
    await writeFile(none, '');
    expectRefusal(await sickbay(path, 'run', '--kubeconfig', none).end, /reading the kubeconfig: /);
  });

  test('says that no server listens there', async () => {
    const { path } = await aPlace();
    const [port] = await freePorts(1);
    const kubeconfig = await aKubeconfig(path, `http://127.0.0.1:${port}`);
    expectRefusal(await sickbay(path, 'run', '--kubeconfig', kubeconfig).end, new RegExp(`cannot start on .*:${port}: .*ECONNREFUSED`));
  });

  test('can be stopped while it waits for a server that does not answer', async () => {
    const { path } = await aPlace();
    const server = await listening();
    const kubeconfig = await aKubeconfig(path, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const called = once(server, 'connection');
    const command = sickbay(path, 'run', '--kubeconfig', kubeconfig);
    await called;
    command.signal('SIGINT');
    expect(await command.end).toMatchObject({ code: 130, stderr: '', leftBehind: false });
    server.close();
  });

  test('asks for kinds that are not installed; installs them; leads, and gives the lease back', async () => {
    const { path } = await aPlace();
    const api = createMemoryApi({ clock: systemClock, random: systemRandom });
    const served = await serveApi({ api, token: 'secret', log: silent });
    const kubeconfig = await aKubeconfig(path, served.url);
    expectRefusal(await sickbay(path, 'run', '--kubeconfig', kubeconfig).end, /does not serve \S+: install its kinds with --install/);
    const command = sickbay(
      path,
      'run',
      '--kubeconfig',
      kubeconfig,
      '--install',
      '--workflow-image',
      'registry.test/w:1',
      '--log-level',
      'error',
    );
    await command.said('Ready');
    const holder = (all: readonly Lease[]) => all.find(({ metadata }) => metadata.name === LEADER_LEASE)?.spec?.holderIdentity;
    const look = { resource: Lease, namespace: DEFAULT_SETTINGS.namespace };
    await until(createClient(api), look, (all) => holder(all) || undefined, new AbortController().signal);
    const unknown = sickbay(path, 'explain', 'checkout-1', '--kubeconfig', kubeconfig);
    expectRefusal(await unknown.end, /there is no RemediationRequest checkout-1 in the namespace sickbay-system, nor any other/);
    command.signal('SIGTERM');
    expect(await command.end).toMatchObject({ code: 0, stderr: '', leftBehind: false });
    expect(holder((await createClient(api).list(Lease, look)).items) ?? '').toBe('');
    await served.close();
    api.close();
  });
});

async function listening(): Promise<Server> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

async function aKubeconfig(folder: string, server: string): Promise<string> {
  const file = join(folder, 'kubeconfig');
  await writeFile(file, kubeconfigText({ server, token: 'secret' }));
  return file;
}
