import { closestKey } from '../../config/closest-key.ts';
import { PlatformError } from '../../base/index.ts';
import { targetText, type Fault } from './fault.ts';
import { WORKER_SETTINGS, WORKERS } from './shop.ts';

const ROLLED_BACK = 'Remediated: the Deployment is rolled back';
const WORKER = { namespace: WORKER_SETTINGS.namespace, name: 'worker' };
const settings = (value: string) => ({ name: WORKER_SETTINGS.name, key: WORKER_SETTINGS.key, value });

/** What can be broken by name. */
export const FAULTS: readonly Fault[] = [
  {
    name: 'crash-loop',
    kind: 'release',
    does: 'rolls out a release that exits with an error a second after it started',
    ends: `${ROLLED_BACK}; in production (payments/payments) once you approve it`,
    target: { namespace: 'shop', name: 'checkout' },
    change: { container: { command: ['sh', '-c', 'echo connecting to the database; sleep 1; exit 1'] } },
  },
  {
    name: 'bad-image',
    kind: 'release',
    does: 'rolls out a release whose image is in a registry that does not exist',
    ends: ROLLED_BACK,
    target: { namespace: 'shop', name: 'web' },
    change: { container: { image: 'registry.invalid/shop/web:2.0.0' } },
  },
  {
    name: 'missing-secret',
    kind: 'release',
    does: 'rolls out a release that reads a Secret that does not exist',
    ends: ROLLED_BACK,
    target: { namespace: 'shop', name: 'checkout' },
    change: {
      container: { env: [{ name: 'PAYMENTS_TOKEN', valueFrom: { secretKeyRef: { name: 'payments-token', key: 'token' } } }] },
    },
  },
  {
    name: 'stuck-rollout',
    kind: 'release',
    does: 'rolls out a release whose readiness probe never succeeds',
    ends: ROLLED_BACK,
    target: { namespace: 'shop', name: 'web' },
    change: { container: { readinessProbe: { exec: { command: ['false'] }, periodSeconds: 2 } } },
  },
  {
    name: 'no-node-fits',
    kind: 'release',
    does: 'rolls out a release that asks for a kind of node that the cluster does not have',
    ends: ROLLED_BACK,
    target: { namespace: 'shop', name: 'checkout' },
    change: { pods: { nodeSelector: { disk: 'nvme' } } },
  },
  {
    name: 'out-of-memory',
    kind: 'settings',
    does: 'gives the worker larger jobs than its memory limit of 64Mi allows, so that it is killed (OOMKilled)',
    ends: 'Remediated: the memory limit is raised',
    target: WORKER,
    settings: settings('sleep 2; head -c 80m /dev/zero | tail | sleep infinity'),
  },
  {
    name: 'bad-config',
    kind: 'settings',
    does: 'puts a bad value into the ConfigMap that the worker reads, and restarts its pods',
    ends: 'handed over to you: no release is to blame, and the notification says what was found',
    target: WORKER,
    settings: settings('echo unknown queue; sleep 2; exit 78'),
  },
  {
    name: 'node-silent',
    kind: 'node',
    does: 'stops the kubelet of a node, as when its machine loses power',
    ends: 'the node is drained once you approve it, and its pods run elsewhere; it stays unhealthy (Inconclusive: check the node) until you heal it, and is then uncordoned',
    target: { name: WORKERS[0] },
  },
];

/** The fault of that name; refuses another with the nearest that there is. */
export function findFault(name: string): Fault {
  const found = FAULTS.find((fault) => fault.name === name);
  if (found) return found;
  const names = FAULTS.map((fault) => fault.name);
  const nearest = closestKey(name, names);
  throw new PlatformError(
    'NotFound',
    `there is no fault ${name}: ${nearest === undefined ? `choose one of ${names.join(', ')}` : `did you mean ${nearest}?`}`,
  );
}

/** The same fault on another target: `namespace/name` of a Deployment, or the name of a node. */
export function onTarget(fault: Fault, text: string | undefined): Fault {
  if (text === undefined) return fault;
  const [namespace = '', name = '', ...rest] = text.split('/');
  const isNode = fault.kind === 'node';
  if (isNode ? text.includes('/') : name === '' || rest.length > 0)
    throw new PlatformError(
      'Invalid',
      isNode
        ? `${fault.name} takes the name of a node, such as ${fault.target.name}`
        : `${fault.name} takes a Deployment as namespace/name, such as ${targetText(fault)}`,
    );
  return isNode ? { ...fault, target: { name: text } } : { ...fault, target: { namespace, name } };
}

/** All faults as people choose from them. */
export const faultLines = (command = 'sickbay'): readonly string[] => [
  ...FAULTS.flatMap((fault) => [`${fault.name} (${targetText(fault)})`, `    ${fault.does}`, `    ends: ${fault.ends}`]),
  '',
  `${command} break NAME breaks it, ${command} heal undoes it.`,
];
