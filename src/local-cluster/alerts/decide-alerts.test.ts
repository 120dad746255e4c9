import { describe, expect, test } from 'vitest';
import type { Deployment, Node, Pod } from '../../api/builtin/index.ts';
import { readWebhook } from '../../gateway/adapters/alertmanager.ts';
import { aContainerStatus, aDeployment, aPod, at } from '../testing/builders.ts';
import { decideAlerts, markSent, REPEAT_MS, statusOf, type AlertBook } from './decide-alerts.ts';
import { ALERT_RULES, type ClusterState } from './rules.ts';
import { webhooksFor } from './webhooks.ts';

const NOTHING: ClusterState = { pods: [], deployments: [], nodes: [] };
const waits = (reason: string, phase: 'Pending' | 'Running' = 'Running'): ClusterState => ({
  ...NOTHING,
  pods: [aPod({ status: { phase, containerStatuses: [aContainerStatus({ waiting: { reason } })] } })],
});
const CRASHING = waits('CrashLoopBackOff');

/** Evaluates second by second, and tells what is sent when. */
class Watcher {
  readonly sent: string[] = [];
  #book: AlertBook = new Map();
  #second = 0;

  pass(seconds: number, state: ClusterState, isReceived = true): this {
    for (const end = this.#second + seconds; this.#second < end; this.#second++) {
      const now = at(this.#second);
      const { book, due } = decideAlerts({ rules: ALERT_RULES, state, book: this.#book }, now);
      for (const key of due) {
        const alert = book.get(key);
        if (alert) this.sent.push(`${this.#second}s ${alert.labels['alertname']} ${statusOf(alert)}`);
      }
      this.#book = isReceived ? markSent(book, due, now) : book;
    }
    return this;
  }

  get alerts() {
    return [...this.#book.values()];
  }
}

describe('alerts', () => {
  test('fire when their expression has held for long enough, and resolve', () => {
    const watcher = new Watcher().pass(20, CRASHING).pass(30, NOTHING);
    expect(watcher.sent).toEqual(['15s KubePodCrashLooping firing', '27s KubePodCrashLooping resolved']);
    expect(watcher.alerts).toEqual([]);
  });

  test('a container that runs for a moment between two crashes is still crash looping', () => {
    const watcher = new Watcher().pass(10, CRASHING).pass(4, NOTHING).pass(30, CRASHING);
    expect(watcher.sent).toEqual(['15s KubePodCrashLooping firing']);
  });

  test('what ends while it is pending is never sent', () => {
    expect(new Watcher().pass(5, CRASHING).pass(60, NOTHING).sent).toEqual([]);
  });

  test('are sent again while they fire', () => {
    const watcher = new Watcher().pass(15 + REPEAT_MS / 1_000 + 2, CRASHING);
    expect(watcher.sent).toEqual(['15s KubePodCrashLooping firing', '75s KubePodCrashLooping firing']);
  });

  test('are sent until they are received', () => {
    const watcher = new Watcher().pass(18, CRASHING, false).pass(5, CRASHING);
    expect(watcher.sent.map((line) => line.split(' ')[0])).toEqual(['15s', '16s', '17s', '18s']);
  });

  test('that come back after they resolved are alerts of their own', () => {
    const watcher = new Watcher().pass(16, CRASHING).pass(20, NOTHING).pass(20, CRASHING);
    expect(watcher.sent.map((line) => line.split(' ').slice(1).join(' '))).toEqual([
      'KubePodCrashLooping firing',
      'KubePodCrashLooping resolved',
      'KubePodCrashLooping firing',
    ]);
  });
});

const deployment = (status: NonNullable<Deployment['status']>): ClusterState => ({
  ...NOTHING,
  deployments: [aDeployment({}, { status })],
});
const node = (status: 'True' | 'False' | 'Unknown'): ClusterState => ({
  ...NOTHING,
  nodes: [{ ...(aPod({}) as unknown as Node), kind: 'Node', status: { conditions: [{ type: 'Ready', status }] } }],
});
const leaving = (state: ClusterState): ClusterState => ({
  ...state,
  pods: state.pods.map((pod): Pod => ({ ...pod, metadata: { ...pod.metadata, deletionTimestamp: 'now' } })),
});
const progressing = (status: 'True' | 'False') => ({ availableReplicas: 2, conditions: [{ type: 'Progressing', status }] });

describe('the rules', () => {
  test.each([
    ['a crash loop', CRASHING, ['KubePodCrashLooping']],
    ['an image that cannot be pulled', waits('ImagePullBackOff', 'Pending'), ['KubeContainerWaiting', 'KubePodNotReady']],
    ['a pod without a node', { ...NOTHING, pods: [aPod({ status: { phase: 'Pending' } })] }, ['KubePodNotReady']],
    ['a pod on its way out', leaving(waits('ImagePullBackOff', 'Pending')), []],
    ['too few replicas', deployment({ availableReplicas: 1 }), ['KubeDeploymentReplicasMismatch']],
    ['all replicas', deployment(progressing('True')), []],
    ['a rollout past its deadline', deployment(progressing('False')), ['KubeDeploymentRolloutStuck']],
    ['a node that does not report', node('Unknown'), ['KubeNodeNotReady']],
    ['a ready node', node('True'), []],
  ] as const)('%s', (_what, state, names) => {
    expect(ALERT_RULES.filter(({ expression }) => expression(state).length > 0).map(({ name }) => name)).toEqual(names);
  });

  test('the gateway understands what is sent', () => {
    const [body] = webhooksFor(new Watcher().pass(20, CRASHING).alerts);
    expect(readWebhook(JSON.parse(JSON.stringify(body)), at(20))).toMatchObject({
      kind: 'alerts',
      alerts: [{ name: 'KubePodCrashLooping', state: 'firing', severity: 'warning', labels: { namespace: 'default', pod: 'pod-1' } }],
    });
  });
});
