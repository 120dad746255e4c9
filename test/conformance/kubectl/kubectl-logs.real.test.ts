import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseTime, systemClock } from '../../../src/base/index.ts';
import { ContainerLogs } from '../../../src/local-cluster/index.ts';
import { controlPlaneLane } from '../../../src/testkit/lane.ts';
import { NAMESPACE } from './manifests.ts';
import { startOurs, type KubectlServer } from './servers.ts';

const binaries = process.env[controlPlaneLane.setting] ?? '';

const spec = { restartPolicy: 'Never', containers: [{ name: 'main', image: 'registry.example/mend:1' }] };
const labels = { job: 'mend' };
const metadata = { name: 'mend', namespace: NAMESPACE };
const job = {
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata,
  spec: { manualSelector: true, selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
};
const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { ...metadata, name: 'mend-x1', labels }, spec: { ...spec, nodeName: 'node-1' } };

/** A real server has no logs without nodes: these are compared with what was written. */
describe.skipIf(binaries === '')('kubectl logs of a local Job', () => {
  const logs = new ContainerLogs({ ...systemClock, now: () => parseTime('2026-11-15T00:00:00Z')! });
  let server: KubectlServer;
  let write: (text: string) => void;
  let end: () => void;
  let onFollow: () => void = () => {};

  beforeAll(async () => {
    server = await startOurs(process.env['SICKBAY_TEST_KUBECTL'] ?? join(binaries, 'kubectl'), (key, container) => {
      const found = logs.find(key, container);
      return found && { lines: found.lines, following: () => (onFollow(), found.following()) };
    });
    await server.kubectl.run({ run: `create namespace ${NAMESPACE}` });
    await server.kubectl.run({ run: 'create -f -', input: [job, pod] });
    const { stdout: uid } = await server.kubectl.run({ run: 'get pod mend-x1 -o jsonpath={.metadata.uid}' });
    const log = logs.begin(uid, 'main');
    write = log.writer();
    end = () => log.end();
    write('one\ntwo\nthree\n');
  });
  afterAll(() => server?.close());

  const cases = [
    { run: 'logs job/mend', stdout: 'one\ntwo\nthree\n' },
    { run: 'logs mend-x1 -c main --tail=1', stdout: 'three\n' },
    { run: 'logs mend-x1 --limit-bytes=4', stdout: 'one\n' },
    { run: 'logs mend-x1 --timestamps --tail=1', stdout: '2026-11-15T00:00:00Z three\n' },
    { run: 'logs -l job=mend --prefix', stdout: '[pod/mend-x1/main] one\n[pod/mend-x1/main] two\n[pod/mend-x1/main] three\n' },
  ];
  test.each(cases)('kubectl $run', async ({ run, stdout }) => {
    expect(await server.kubectl.run({ run })).toEqual({ code: 0, stdout, stderr: '' });
  });

  test('kubectl logs --previous says that there is none', async () => {
    const { code, stderr } = await server.kubectl.run({ run: 'logs mend-x1 --previous' });
    expect([code, stderr]).toEqual([
      1,
      'Error from server (BadRequest): previous terminated container "main" in pod "mend-x1" not found\n',
    ]);
  });

  test('kubectl logs -f goes on until the container ends', async () => {
    const begun = new Promise<void>((resolve) => (onFollow = resolve));
    const followed = server.kubectl.run({ run: 'logs -f job/mend --tail=1' });
    await begun;
    write('four\n');
    end();
    expect(await followed).toEqual({ code: 0, stdout: 'three\nfour\n', stderr: '' });
  });
});
