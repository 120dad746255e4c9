import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Namespace, Pod } from '../../api/builtin/index.ts';
import { LABELS } from '../../api/well-known.ts';
import { kubeconfigText, serveApi } from '../../apiserver/http/index.ts';
import { createMemoryApi } from '../../apiserver/index.ts';
import { silent, systemClock, systemRandom, toTime } from '../../base/index.ts';
import { createClient } from '../../kube/index.ts';
import { sickbay } from '../testing/sickbay-command.ts';

const LIMIT_MS = 120_000;
const ESCAPE = '\u001b[2J\u001b]0;all is well\u0007';

const api = createMemoryApi({ clock: systemClock, random: systemRandom });
const admin = createClient(api);
let folder: string;
let close: () => Promise<void>;

/** A cluster without Sickbay, in which a pod waits, and says so in a way that a terminal would obey. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sickbay-rehearsal-'));
  const served = await serveApi({ api, token: 'secret', log: silent });
  close = () => served.close();
  await writeFile(join(folder, 'kubeconfig'), kubeconfigText({ server: served.url, token: 'secret' }));
  const labels = { [LABELS.managed]: 'true' };
  await admin.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop', labels } });
  const key = { namespace: 'shop', name: 'p' };
  const spec = { containers: [{ name: 'app', image: 'shop:1' }] };
  await admin.create(Pod, { apiVersion: 'v1', kind: 'Pod', metadata: key, spec });
  const waiting = { reason: 'CrashLoopBackOff', message: ESCAPE };
  const containerStatuses = [{ name: 'app', ready: false, restartCount: 3, state: { waiting } }];
  await admin.patchStatus(Pod, key, { type: 'merge', body: { status: { phase: 'Running', containerStatuses } } });
});

afterAll(async () => {
  await close();
  api.close();
  await rm(folder, { recursive: true });
});

const run = (...words: readonly string[]) => sickbay(folder, ...words, '--kubeconfig', join(folder, 'kubeconfig')).end;
const version = async (): Promise<string> => (await admin.list(Pod)).resourceVersion;
// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;

test(
  'both commands answer on a cluster without Sickbay, change nothing there, and print nothing that a terminal obeys',
  { timeout: LIMIT_MS },
  async () => {
    const before = await version();
    const file = join(folder, 'webhook.json');
    const alert = { status: 'firing', labels: { alertname: 'A', namespace: 'shop', pod: 'p' }, startsAt: toTime(systemClock.now()) };
    await writeFile(file, JSON.stringify({ version: '4', alerts: [alert] }));
    const [diagnosed, simulated, json, none] = await Promise.all([
      run('diagnose', 'pod/p', '-n', 'shop', '--exit-code'),
      run('simulate', file),
      run('diagnose', 'po', 'p', '-n', 'shop', '-o', 'json'),
      run('diagnose', 'pod/q', '-n', 'shop'),
    ]);
    expect(diagnosed).toMatchObject({ code: 2, stderr: '', leftBehind: false });
    expect(diagnosed.stdout).toMatch(/^Pod shop\/p: Sickbay would change nothing, and hand it over/);
    expect(diagnosed.stdout).toContain('CrashLoopBackOff');
    expect(diagnosed.stdout).toContain('Sickbay is not installed in this cluster');
    expect(simulated).toMatchObject({ code: 0, stderr: '' });
    expect(simulated.stdout).toMatch(/^1 {3}A +Pod shop\/p +created +Unknown, unknown, P3 +hand over$/m);
    for (const { stdout } of [diagnosed, simulated, json]) expect(stdout).not.toMatch(CONTROL);
    expect(JSON.parse(json.stdout)).toMatchObject({
      would: 'HandOver',
      target: { kind: 'Pod', name: 'p' },
      catalogue: { source: 'package' },
    });
    expect(none).toMatchObject({ code: 1, stdout: '', stderr: 'sickbay: there is no Pod shop/q; in the namespace shop there is p\n' });
    expect(await version()).toBe(before);
  },
);
