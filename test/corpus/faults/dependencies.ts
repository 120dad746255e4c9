import { handOver, plan } from '../corpus-case.ts';
import { deployment, on, type Fault } from '../fault.ts';
import { aDeployment, aService, newRelease, patched, sh, WEB } from './manifests.ts';

const BACKEND = 'inventory';
/** Ends when the Service does not answer, as many programs do at their start. */
const FRONTEND = {
  command: sh(
    'while :; do wget -q -T 3 -O /dev/null "http://$INVENTORY_SERVICE_HOST:80/" || { echo "fatal: http://inventory: connection refused" >&2; exit 1; }; sleep 3; done',
  ),
  env: [{ name: 'INVENTORY_URL', value: 'http://inventory:80' }],
};
const backend = aDeployment(BACKEND, {
  ...WEB,
  ports: [{ name: 'http', containerPort: 8080 }],
  readinessProbe: { tcpSocket: { port: 8080 }, periodSeconds: 2 },
});
const shop = [aService(BACKEND), backend];
/** Comes when the Service answers. */
const frontend = { create: aDeployment('storefront', FRONTEND) };
const crashing = { name: 'KubePodCrashLooping', target: deployment('storefront') };
const upstream = 'the cause is upstream of what crashes';
const down = (name: string) => ({ name: 'ServiceWithoutEndpoints', target: on('Service', name, 'v1') });

/** Faults whose cause is in another workload. */
export const DEPENDENCIES: readonly Fault[] = [
  {
    name: 'upstream-scaled-to-zero',
    healthy: shop,
    earlier: [frontend],
    fault: [patched('apps/v1', 'Deployment', BACKEND, { spec: { replicas: 0 } })],
    alert: crashing,
    misleading: upstream,
    expected: [handOver(/inventory/)],
  },
  {
    name: 'upstream-release-crashes',
    healthy: [aService(BACKEND), { ...backend, spec: { ...(backend['spec'] as object), strategy: { type: 'Recreate' } } }],
    earlier: [frontend],
    fault: [newRelease(BACKEND, { command: sh('echo "fatal: bad schema version" >&2; exit 1') })],
    alert: crashing,
    misleading: upstream,
    expected: [plan('RollbackDeployment', { REVISION: '1' }, `Deployment/${BACKEND}`), handOver(/inventory/)],
  },
  {
    name: 'upstream-selector-typo',
    healthy: shop,
    earlier: [frontend],
    fault: [patched('v1', 'Service', BACKEND, { spec: { selector: { app: 'inventroy' } } })],
    alert: crashing,
    misleading: upstream,
    expected: [handOver(/inventory/)],
  },
  {
    name: 'upstream-down-after-own-release',
    healthy: shop,
    earlier: [frontend, newRelease('storefront', { env: [{ name: 'RELEASE', value: '2' }] })],
    fault: [patched('apps/v1', 'Deployment', BACKEND, { spec: { replicas: 0 } })],
    alert: crashing,
    misleading: 'what crashes was released a moment before, but the cause is upstream',
    expected: [handOver(/inventory/)],
  },
  {
    name: 'service-selector-typo',
    healthy: shop,
    fault: [patched('v1', 'Service', BACKEND, { spec: { selector: { app: 'inventroy' } } })],
    alert: down(BACKEND),
    expected: [handOver(/selector|inventroy/)],
  },
  {
    name: 'service-port-wrong',
    healthy: shop,
    fault: [patched('v1', 'Service', BACKEND, { spec: { ports: [{ $patch: 'replace' }, { port: 80, targetPort: 'web' }] } })],
    alert: down(BACKEND),
    expected: [handOver(/port|web/i)],
  },
  {
    name: 'service-pods-not-ready',
    healthy: [
      aService(BACKEND),
      aDeployment(BACKEND, {
        command: sh('touch /tmp/up; sleep 45; rm /tmp/up; echo "pool exhausted: 0 of 20 connections free"; sleep 3600'),
        readinessProbe: { exec: { command: sh('test -e /tmp/up') }, periodSeconds: 2, failureThreshold: 1 },
      }),
    ],
    fault: [],
    alert: down(BACKEND),
    alertsAt: [60, 120],
    expected: [handOver(/ready/i), plan('RestartWorkload', {}, `Deployment/${BACKEND}`)],
  },
  {
    name: 'pods-lose-readiness-by-themselves',
    healthy: [
      aDeployment(BACKEND, {
        command: sh('touch /tmp/up; sleep 45; rm /tmp/up; echo "pool exhausted: 0 of 20 connections free"; sleep 3600'),
        readinessProbe: { exec: { command: sh('test -e /tmp/up') }, periodSeconds: 2, failureThreshold: 1 },
      }),
    ],
    fault: [],
    alert: { name: 'KubePodNotReady', target: deployment(BACKEND) },
    alertsAt: [60, 120],
    expected: [handOver(/ready/i), plan('RestartWorkload', {}, `Deployment/${BACKEND}`)],
  },
];
