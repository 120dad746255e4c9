/**
 * The monitoring of the cluster: Alertmanager, which knows what fires, and Prometheus, which knows what was measured. Both are only
 * queried, and both may be down: an answer is a value or `unreadable` with a reason that a person can act on, never an empty value in its place.
 *
 * - `Source` (source.ts) is one server below its API: `httpSource` over HTTP(S), with a CA and a token from files; tests hand in others.
 * - `query-json.ts` queries it for JSON: with a time limit, with retries, and with a limit of bytes.
 * - `Alertmanager` (alertmanager.ts) and `Prometheus` (prometheus.ts) are the two APIs, as far as we use them.
 * - `monitoring-metrics.ts` counts the queries that failed.
 * - `SharedAnswers` answers equal queries at the same time with one answer; `window.ts` aligns windows so that queries are equal.
 *
 * `openMonitoring` puts it together from settings. Start with prometheus.ts.
 */
export { createAlertmanager, type Alertmanager, type FiringAlert } from './alertmanager.ts';
export { certificateFault } from './connection-error.ts';
export { createMonitoringMetrics, type MonitoringMetrics } from './monitoring-metrics.ts';
export { openMonitoring, type Monitoring, type MonitoringPlaces, type OpenMonitoring } from './open-monitoring.ts';
export { createPrometheus, type Prometheus, type RangeQuery, type Sample } from './prometheus.ts';
export type { Source } from './source.ts';
export { textOf } from './read-text.ts';
export { alignedWindow } from './window.ts';
