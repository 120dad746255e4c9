import { toTime } from '../../base/index.ts';
import { statusOf, type Alert } from './decide-alerts.ts';

const UNSET = '0001-01-01T00:00:00Z';

/** The webhooks that Alertmanager would send for these alerts, version 4: one for each name. */
export function webhooksFor(alerts: readonly Alert[]): readonly object[] {
  const byName = Map.groupBy(alerts, ({ labels }) => labels['alertname'] ?? '');
  return [...byName].map(([alertname, group]) => ({
    version: '4',
    groupKey: `{}:{alertname=${JSON.stringify(alertname)}}`,
    truncatedAlerts: 0,
    status: group.some((alert) => statusOf(alert) === 'firing') ? 'firing' : 'resolved',
    receiver: 'sickbay',
    groupLabels: { alertname },
    commonLabels: { alertname },
    commonAnnotations: {},
    externalURL: '',
    alerts: group.map((alert) => ({
      status: statusOf(alert),
      labels: alert.labels,
      annotations: { summary: alert.summary },
      startsAt: toTime(alert.firedAt ?? alert.activeSince),
      endsAt: alert.resolvedAt === undefined ? UNSET : toTime(alert.resolvedAt),
      generatorURL: '',
    })),
  }));
}
