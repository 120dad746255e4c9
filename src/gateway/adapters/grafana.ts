import { GRAFANA } from '../../api/remediation-request/signal-source.ts';
import { isObject, type Instant, type JsonObject } from '../../base/index.ts';
import type { Signal } from '../signal.ts';
import { noTarget, type Rejected } from '../signal-verdict.ts';
import { malformed, type Batch, type SignalAdapter } from './adapter.ts';
import { readAlerts } from './alertmanager.ts';

/** Grafana's unified alerting: the contact point "webhook". */
export const grafana: SignalAdapter = { source: GRAFANA, path: '/api/v1/signals/grafana', read: readGrafana };

/** What Grafana fires under a rule's labels when the rule could not be evaluated: nothing is known of the target then. */
const UNEVALUATED: readonly string[] = ['DatasourceNoData', 'DatasourceError'];

function readGrafana(body: unknown, now: Instant): Batch {
  if (!isObject(body)) return malformed('the body is not a JSON object');
  if (body['version'] === '4')
    return malformed('version is "4", which is a webhook of Alertmanager: send it to /api/v1/signals/prometheus');
  if (body['version'] !== '1') return malformed(`version is ${JSON.stringify(body['version']) ?? 'absent'}, only "1" is understood`);
  const batch = readAlerts(withoutNulls(body), now, GRAFANA);
  return batch.kind === 'alerts' ? { ...batch, alerts: batch.alerts.map(evaluated) } : batch;
}

/** Grafana writes a group without common labels as null in some versions. */
const withoutNulls = (body: JsonObject): JsonObject => Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));

function evaluated(alert: Signal | Rejected): Signal | Rejected {
  if ('verdict' in alert || !UNEVALUATED.includes(alert.name)) return alert;
  const rule = alert.labels['rulename'] ?? 'a rule';
  return noTarget(`${alert.name}: Grafana could not evaluate ${rule}, which says nothing about its target`, alert.name);
}
