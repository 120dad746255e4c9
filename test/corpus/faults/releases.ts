import { handOver, NOTHING_TO_DO, plan } from '../corpus-case.ts';
import { deployment, type Fault } from '../fault.ts';
import { aDeployment, GOOD, newRelease, sh } from './manifests.ts';

const APP = 'checkout';
const crashing = { name: 'KubePodCrashLooping', target: deployment(APP) };
const notReady = { name: 'KubePodNotReady', target: deployment(APP) };
const stuck = { name: 'KubeDeploymentRolloutStuck', target: deployment(APP) };
const rollback = plan('RollbackDeployment', { REVISION: '1' });
const healthy = [aDeployment(APP)];
const deadline = { workload: { progressDeadlineSeconds: 60 } };

/** Faults that came with the code of a new release. */
export const RELEASES: readonly Fault[] = [
  {
    name: 'release-exits',
    healthy,
    fault: [newRelease(APP, { command: sh('echo "fatal: no such key payments.url in the defaults of this release" >&2; exit 1') })],
    alert: crashing,
    expected: [rollback],
  },
  {
    name: 'release-image-tag-missing',
    healthy,
    fault: [newRelease(APP, { image: 'sickbay.test/busybox:2-typo' })],
    alert: notReady,
    expected: [rollback],
  },
  {
    name: 'release-third-exits',
    healthy,
    earlier: [newRelease(APP, { env: [{ name: 'RELEASE', value: '2' }] })],
    fault: [newRelease(APP, { env: [{ name: 'RELEASE', value: '3' }], command: sh('sleep 3; echo "segmentation fault" >&2; exit 139') })],
    alert: crashing,
    expected: [plan('RollbackDeployment', { REVISION: '2' })],
  },
  {
    name: 'release-never-ready',
    healthy: [aDeployment(APP, GOOD, deadline)],
    fault: [newRelease(APP, { readinessProbe: { exec: { command: sh('test -e /tmp/warm') }, periodSeconds: 2 } })],
    alert: stuck,
    expected: [rollback],
  },
  {
    name: 'release-liveness-kills',
    healthy,
    fault: [
      newRelease(APP, {
        livenessProbe: { exec: { command: sh('echo "404 /healthz"; exit 1') }, periodSeconds: 2, failureThreshold: 2 },
      }),
    ],
    alert: crashing,
    expected: [rollback],
  },
  {
    name: 'release-command-missing',
    healthy,
    fault: [newRelease(APP, { command: ['/usr/bin/shopd', '--listen=:8080'] })],
    alert: crashing,
    expected: [rollback],
  },
  {
    name: 'release-ends-with-success',
    healthy,
    fault: [newRelease(APP, { command: sh('echo "usage: shopd serve"; exit 0') })],
    alert: crashing,
    expected: [rollback],
  },
  {
    name: 'release-init-container-fails',
    healthy,
    fault: [
      newRelease(
        APP,
        {},
        {
          initContainers: [
            { name: 'migrate', image: 'sickbay.test/busybox:1', command: sh('echo "migration 0042: column exists already" >&2; exit 1') },
          ],
        },
      ),
    ],
    alert: crashing,
    expected: [rollback],
  },
  {
    name: 'release-sidecar-crashes',
    healthy,
    fault: [
      newRelease(
        APP,
        {},
        {
          containers: [{ name: 'proxy', image: 'sickbay.test/busybox:1', command: sh('echo "proxy: unknown flag --mesh" >&2; exit 2') }],
        },
      ),
    ],
    alert: crashing,
    expected: [rollback],
  },
  {
    name: 'release-wrong-probe-port',
    healthy: [aDeployment(APP, GOOD, deadline)],
    fault: [newRelease(APP, { readinessProbe: { tcpSocket: { port: 9999 }, periodSeconds: 2 } })],
    alert: stuck,
    expected: [rollback],
  },
  {
    name: 'release-invalid-image-name',
    healthy,
    fault: [newRelease(APP, { image: 'sickbay.test/Busybox:1' })],
    alert: notReady,
    expected: [rollback],
  },
  {
    name: 'first-release-exits',
    healthy: [],
    fault: [{ create: aDeployment(APP, { command: sh('echo "panic: listen on :99999: invalid port" >&2; exit 2') }) }],
    alert: crashing,
    expected: [handOver(/crash|exit/i, /invalid port|exit code 2|earlier|first|revision/i)],
  },
  {
    name: 'first-release-image-missing',
    healthy: [],
    fault: [{ create: aDeployment(APP, { image: 'sickbay.test/checkout:1.0' }) }],
    alert: notReady,
    expected: [handOver(/sickbay\.test\/checkout:1\.0|image|pull/i)],
  },
  {
    name: 'release-slow-start',
    healthy,
    fault: [
      newRelease(APP, {
        command: sh('sleep 25; touch /tmp/warm; while :; do sleep 5; done'),
        readinessProbe: { exec: { command: sh('test -e /tmp/warm') }, periodSeconds: 2 },
      }),
    ],
    alert: notReady,
    misleading: 'a rollout that only takes its time',
    expected: [NOTHING_TO_DO],
  },
];
