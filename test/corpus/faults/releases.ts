import { handOver, plan } from '../corpus-case.ts';
import { deployment, type Fault } from '../fault.ts';
import { aDeployment, newRelease, sh } from './manifests.ts';

const APP = 'checkout';
const alert = { name: 'KubePodCrashLooping', target: deployment(APP) };
const rollback = plan('RollbackDeployment', { REVISION: '1' });

/** Faults that came with a new release. */
export const RELEASES: readonly Fault[] = [
  {
    name: 'release-exits',
    healthy: [aDeployment(APP)],
    fault: [newRelease(APP, { command: sh('echo "fatal: no such key payments.url in the defaults of this release" >&2; exit 1') })],
    alert,
    expected: [rollback],
  },
  {
    name: 'release-image-tag-missing',
    healthy: [aDeployment(APP)],
    fault: [newRelease(APP, { image: 'sickbay.test/busybox:2-typo' })],
    alert: { name: 'KubePodNotReady', target: deployment(APP) },
    expected: [rollback],
  },
  {
    name: 'first-release-exits',
    healthy: [],
    fault: [{ create: aDeployment(APP, { command: sh('echo "panic: listen on :99999: invalid port" >&2; exit 2') }) }],
    alert,
    expected: [handOver(/crash|exit|revision/i)],
  },
];
