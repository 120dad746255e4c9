import type { JsonObject } from '../../../src/base/index.ts';
import { handOver, plan, type Answer, type CorpusCase } from '../corpus-case.ts';
import { deployment } from '../fault.ts';
import type { Seen } from '../recording.ts';
import { anEvent, anObject, still } from './build.ts';
import { aDeploymentWith, aPendingPod, running, waiting, type Release } from './workload.ts';

const origin = 'written';
const DAYS = 24 * 60;
const notReady = { name: 'KubePodNotReady', target: deployment('checkout') };
const rollback = plan('RollbackDeployment', { REVISION: '6' });
const NEW_IMAGE = 'registry.test/shop/checkout:1.5.0';
const OLD_IMAGE = 'registry.test/shop/checkout:1.4.2';

interface Start {
  readonly name: string;
  /** The containers and pods of the release, and of the one before it. */
  readonly now?: Pick<Release, 'container' | 'spec'>;
  readonly before?: Pick<Release, 'container' | 'spec'>;
  readonly expected: readonly Answer[];
  readonly misleading?: string;
}

const releases = ({ now, before }: Start, looks: Release['looks']): readonly Seen[] =>
  aDeploymentWith([
    { revision: 7, minutesAgo: 12, ...now, container: { image: NEW_IMAGE, ...now?.container }, ...(looks && { looks }) },
    {
      revision: 6,
      minutesAgo: 3 * DAYS,
      ...before,
      container: { image: OLD_IMAGE, ...before?.container },
      looks: [running(3 * DAYS), running(3 * DAYS)],
    },
  ]);

const written = (start: Start, objects: readonly (Seen | readonly Seen[])[]): CorpusCase => ({
  name: start.name,
  origin,
  recording: still(objects),
  alert: notReady,
  expected: start.expected,
  ...(start.misleading !== undefined && { misleading: start.misleading }),
});

/** A release whose container the kubelet cannot create. */
const refused = (message: string, start: Start): CorpusCase => {
  const pod = anObject('v1', 'Pod', 'checkout-rev7-1');
  const objects = releases(start, [waiting('CreateContainerConfigError', message)]);
  return written(start, [objects, anEvent(pod, 'Failed', `Error: ${message}`)]);
};

/** A release whose volumes the kubelet cannot mount. */
const unmounted = (message: string, start: Start): CorpusCase => {
  const pod = anObject('v1', 'Pod', 'checkout-rev7-1');
  return written(start, [releases(start, [waiting('ContainerCreating')]), anEvent(pod, 'FailedMount', message)]);
};

/** A release whose pod no node takes. */
const unscheduled = (message: string, start: Start): CorpusCase => {
  const labels = { app: 'checkout', 'pod-template-hash': 'rev7' };
  const owner = anObject('apps/v1', 'ReplicaSet', 'checkout-rev7');
  const pending = aPendingPod('checkout-rev7-1', message, {
    owner,
    labels,
    created: 12,
    container: { image: NEW_IMAGE, ...start.now?.container },
    ...(start.now?.spec && { spec: start.now.spec }),
  });
  return written(start, [
    releases(start, undefined),
    pending,
    anEvent(pending, 'FailedScheduling', message, { from: 'default-scheduler' }),
  ]);
};

const key = (name: string, map: string, of: string): JsonObject => ({ name, valueFrom: { configMapKeyRef: { name: map, key: of } } });
const secretKey = (name: string, secret: string, of: string): JsonObject => ({
  name,
  valueFrom: { secretKeyRef: { name: secret, key: of } },
});
const MODE = key('MODE', 'checkout-settings', 'MODE');
const TOKEN = secretKey('TOKEN', 'payments-token', 'token');
const volume = (name: string, secretName: string): JsonObject => ({ volumes: [{ name, secret: { secretName } }] });
const requests = (cpu: string): JsonObject => ({ resources: { requests: { cpu } } });

/** Releases whose pods never start, and faults of something else that look alike. */
export const RELEASE_STARTS: readonly CorpusCase[] = [
  refused("couldn't find key LIMIT in ConfigMap shop/checkout-settings", {
    name: 'release-reads-a-new-key-that-is-missing',
    now: { container: { env: [MODE, key('LIMIT', 'checkout-settings', 'LIMIT')] } },
    before: { container: { env: [MODE] } },
    expected: [rollback, handOver(/LIMIT/)],
  }),
  refused('configmap "checkout-flags" not found', {
    name: 'release-reads-environment-of-a-missing-configmap',
    now: { container: { envFrom: [{ configMapRef: { name: 'checkout-flags' } }] } },
    expected: [rollback, handOver(/checkout-flags/)],
  }),
  refused('secret "payments-token" not found', {
    name: 'release-while-a-secret-was-deleted',
    now: { container: { env: [MODE, TOKEN] } },
    before: { container: { env: [TOKEN] } },
    expected: [handOver(/payments-token/)],
    misleading: 'the release reads something new, but what is missing is a Secret that both revisions read',
  }),
  unmounted('MountVolume.SetUp failed for volume "tls" : secret "checkout-tls" not found', {
    name: 'release-while-a-mounted-secret-was-deleted',
    now: { spec: volume('tls', 'checkout-tls') },
    before: { spec: volume('tls', 'checkout-tls') },
    expected: [handOver(/checkout-tls/)],
    misleading: 'both revisions mount the Secret that is missing',
  }),
  unmounted('MountVolume.SetUp failed for volume "tls" : references non-existent secret key: tls.crt', {
    name: 'release-mounts-a-key-that-is-missing',
    now: { spec: { volumes: [{ name: 'tls', secret: { secretName: 'checkout-tls', items: [{ key: 'tls.crt', path: 'crt' }] } }] } },
    expected: [rollback, handOver(/tls\.crt/)],
  }),
  unscheduled('0/3 nodes are available: 3 Insufficient cpu.', {
    name: 'release-requests-more-than-any-node-has',
    now: { container: requests('64') },
    before: { container: requests('500m') },
    expected: [rollback, handOver(/insufficient cpu/i)],
  }),
  unscheduled('0/3 nodes are available: 3 Insufficient cpu.', {
    name: 'release-while-the-cluster-is-full',
    now: { container: requests('500m') },
    before: { container: requests('500m') },
    expected: [handOver(/insufficient cpu/i)],
    misleading: 'the release asks for no more than the one before: the cluster is full',
  }),
  unscheduled('0/3 nodes are available: 3 Insufficient cpu.', {
    name: 'release-with-a-selector-while-the-cluster-is-full',
    now: { spec: { nodeSelector: { disk: 'ssd' } } },
    expected: [handOver(/insufficient cpu/i)],
    misleading: 'the release has a new node selector, which nodes match: they are full',
  }),
  unscheduled('0/3 nodes are available: 3 node(s) had untolerated taint {dedicated: shop}.', {
    name: 'release-tolerates-the-taint-no-more',
    before: { spec: { tolerations: [{ key: 'dedicated', operator: 'Equal', value: 'shop', effect: 'NoSchedule' }] } },
    expected: [rollback, handOver(/taint/i)],
  }),
  unscheduled('0/3 nodes are available: 3 node(s) had untolerated taint {maintenance: true}.', {
    name: 'release-while-nodes-are-tainted',
    expected: [handOver(/taint/i)],
    misleading: 'no revision tolerates the taint that was just set',
  }),
];
