/**
 * What watches the cluster besides us: Alertmanager, which knows what fires, and Prometheus, which knows what was measured. Both are only
 * asked, and both may be down: an answer is a value or `unreadable` with a reason that a person can act on, never an empty value in its place.
 *
 * - `Source` (source.ts) is one server below its API: `httpSource` over HTTP(S), with a CA and a token from files; tests hand in others.
 * - `ask.ts` asks it once for JSON: within a time, again after what may pass, and no more than so many bytes.
 * - `Alertmanager` (alertmanager.ts) and `Prometheus` (prometheus.ts) are the two APIs, as far as we use them.
 * - `monitoring-metrics.ts` counts the questions that came to nothing.
 * - `SharedAnswers` lets everybody who asks the same at one time have one answer; `window.ts` makes sure that they do ask the same.
 *
 * `openMonitoring` puts it together from settings. Start with prometheus.ts.
 */
export { createAlertmanager, type FiringAlert } from './alertmanager.ts';
export { certificateFault } from './connection-error.ts';
export { createMonitoringMetrics, type MonitoringMetrics } from './monitoring-metrics.ts';
export { openMonitoring, type Monitoring, type MonitoringPlaces, type OpenMonitoring } from './open-monitoring.ts';
export { createPrometheus, type Prometheus, type RangeQuery, type Sample } from './prometheus.ts';
export type { Source } from './source.ts';
export { textOf } from './read-text.ts';
export { alignedWindow } from './window.ts';
