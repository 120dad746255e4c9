import type { JsonObject } from '../../base/index.ts';

type Labels = Readonly<Record<string, string>>;

export const AN_ALERT = {
  status: 'firing',
  labels: { alertname: 'KubePodCrashLooping', severity: 'critical', namespace: 'shop', pod: 'checkout-1-a', job: 'kube-state-metrics' },
  annotations: { summary: 'restarts again and again' },
  startsAt: '2026-11-15T02:59:00.123Z',
  endsAt: '0001-01-01T00:00:00Z',
  generatorURL: 'http://prometheus/graph',
  fingerprint: '3f8a0c55d1e2b749',
} as const;

/** An alert whose labels are these, and that differs from the usual one in `more`. */
export const anAlert = (labels: Labels = {}, more: JsonObject = {}): JsonObject => ({
  ...AN_ALERT,
  labels: { alertname: 'KubePodCrashLooping', severity: 'critical', namespace: 'shop', ...labels },
  ...more,
});

/** A webhook as Alertmanager sends it. */
export const aWebhook = (alerts: readonly unknown[] = [AN_ALERT], more: JsonObject = {}): JsonObject => ({
  version: '4',
  groupKey: '{}:{alertname="KubePodCrashLooping"}',
  truncatedAlerts: 0,
  status: 'firing',
  receiver: 'sickbay',
  groupLabels: { alertname: 'KubePodCrashLooping' },
  commonLabels: {},
  commonAnnotations: {},
  externalURL: 'http://alertmanager:9093',
  alerts,
  ...more,
});
