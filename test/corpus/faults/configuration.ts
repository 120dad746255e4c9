import { handOver, plan, type Answer } from '../corpus-case.ts';
import { deployment, type Fault, type Manifest, type Step } from '../fault.ts';
import { aConfigMap, aDeployment, newRelease, patched, sh } from './manifests.ts';

const APP = 'checkout';
const crashing = { name: 'KubePodCrashLooping', target: deployment(APP) };
const notReady = { name: 'KubePodNotReady', target: deployment(APP) };

const settings = aConfigMap('checkout-settings', { MODE: 'good' });
/** The version that `restore-configmap` takes. */
const lastGood = aConfigMap('checkout-settings-last-good', { MODE: 'good' }, { 'kubernaut.ai/version-of': 'checkout-settings' });
const setMode = (MODE: string): Step => patched('v1', 'ConfigMap', 'checkout-settings', { data: { MODE } });
/** What `kubectl rollout restart` does: the code is the same in all revisions. */
const restart = (at = 1): Step => ({
  ...patched('apps/v1', 'Deployment', APP, {
    spec: { template: { metadata: { annotations: { 'kubectl.kubernetes.io/restartedAt': '2026-11-19T06:00:00Z' } } } },
  }),
  at,
});

const byEnv: Manifest = aDeployment(APP, {
  command: sh('if [ "$MODE" != good ]; then echo "fatal: MODE=$MODE: unknown mode" >&2; exit 1; fi; while :; do sleep 5; done'),
  env: [{ name: 'MODE', valueFrom: { configMapKeyRef: { name: 'checkout-settings', key: 'MODE' } } }],
});

const byFile: Manifest = aDeployment(
  APP,
  {
    command: sh(
      'while :; do grep -q good /etc/checkout/MODE || { echo "fatal: /etc/checkout/MODE: unknown mode" >&2; exit 1; }; sleep 2; done',
    ),
    volumeMounts: [{ name: 'settings', mountPath: '/etc/checkout' }],
  },
  { pods: { volumes: [{ name: 'settings', configMap: { name: 'checkout-settings' } }] } },
);

const bySecret: Manifest = aDeployment(APP, {
  command: sh('while :; do sleep 5; done'),
  env: [{ name: 'TOKEN', valueFrom: { secretKeyRef: { name: 'payments-token', key: 'token' } } }],
});

const secret = (stringData: object): Manifest => ({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'payments-token' }, stringData });

const restore = plan('RestoreConfigMap', {}, 'ConfigMap/checkout-settings');
const tellsOfMap: Answer = handOver(/checkout-settings/);
const sameTemplate = 'the earlier revision has the same template: to roll back to it changes nothing';

/** Faults of configuration that is not in the template. */
export const CONFIGURATION: readonly Fault[] = [
  {
    name: 'configmap-changed-kept-version',
    healthy: [settings, lastGood, byEnv],
    fault: [setMode('fast'), restart()],
    alert: crashing,
    misleading: sameTemplate,
    expected: [restore, tellsOfMap],
  },
  {
    name: 'configmap-changed',
    healthy: [settings, byEnv],
    fault: [setMode('fast'), restart()],
    alert: crashing,
    misleading: sameTemplate,
    expected: [tellsOfMap],
  },
  {
    name: 'configmap-changed-after-release',
    healthy: [settings, byEnv],
    earlier: [newRelease(APP, { env: [{ name: 'RELEASE', value: '2' }] })],
    fault: [setMode('fast'), restart()],
    alert: crashing,
    misleading: 'a good release came before the change of the configuration',
    expected: [tellsOfMap],
  },
  {
    name: 'configmap-file-changed-kept-version',
    healthy: [settings, lastGood, byFile],
    fault: [setMode('fast')],
    alert: crashing,
    expected: [restore, tellsOfMap],
  },
  {
    name: 'configmap-file-changed',
    healthy: [settings, byFile],
    fault: [setMode('fast')],
    alert: crashing,
    expected: [tellsOfMap],
  },
  {
    name: 'configmap-deleted',
    healthy: [settings, byEnv],
    fault: [{ remove: { apiVersion: 'v1', kind: 'ConfigMap', name: 'checkout-settings' } }, restart()],
    alert: notReady,
    expected: [tellsOfMap],
  },
  {
    name: 'configmap-key-renamed',
    healthy: [settings, byEnv],
    fault: [patched('v1', 'ConfigMap', 'checkout-settings', { data: { MODE: null, mode: 'good' } }), restart()],
    alert: notReady,
    expected: [handOver(/checkout-settings/, /MODE/)],
  },
  {
    name: 'secret-deleted',
    healthy: [secret({ token: 'not-a-secret' }), bySecret],
    fault: [{ remove: { apiVersion: 'v1', kind: 'Secret', name: 'payments-token' } }, restart()],
    alert: notReady,
    expected: [handOver(/payments-token/)],
  },
  {
    name: 'secret-key-renamed',
    healthy: [secret({ token: 'not-a-secret' }), bySecret],
    fault: [patched('v1', 'Secret', 'payments-token', { data: { token: null, 'api-token': 'bm90LWEtc2VjcmV0' } }), restart()],
    alert: notReady,
    expected: [handOver(/payments-token/)],
  },
];
