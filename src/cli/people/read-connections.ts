import { after, MINUTE, SECOND, type Clock } from '../../base/index.ts';
import type { Settings } from '../../controllers/settings.ts';
import type { Listed } from '../../kube/client/read.ts';
import type { Monitoring } from '../../monitoring/index.ts';
import { answerHealth, type HealthChecks, type SettingsView } from '../../server/index.ts';
import { withoutPassword } from './settings-view.ts';

type Connection = SettingsView['connections'][number];

/** What is asked for the state of the connections. */
export interface ConnectionParts {
  readonly monitoring: Monitoring;
  readonly health: HealthChecks;
  /** Why the audit trail is incomplete; undefined while it is complete. */
  readonly auditProblem: () => string | undefined;
  /** Why notifications do not arrive; undefined while nothing is known to be wrong. */
  readonly notificationProblem: () => string | undefined;
  readonly clock: Clock;
}

/** Asks everything that Sickbay is connected to whether it answers. */
export async function readConnections(
  parts: ConnectionParts,
  { external, ansible, notifications }: Settings,
): Promise<readonly Connection[]> {
  const asked = await Promise.all([
    kubernetes(parts),
    probed('Prometheus', external.prometheusUrl, probePrometheus(parts)),
    probed('Alertmanager', external.alertManagerUrl, probeAlertmanager(parts)),
  ]);
  return [...asked, auditTrail(parts), notificationChannels(parts, notifications), awx(ansible.apiURL)];
}

async function kubernetes({ health }: ConnectionParts): Promise<Connection> {
  const { failures } = await answerHealth(health, new URL('http://localhost/readyz'));
  const [first] = failures;
  return { name: 'Kubernetes API', state: first ? 'failing' : 'ok', ...(first && { message: `${first.name}: ${first.reason}` }) };
}

type Probe = (() => Promise<Listed<unknown>>) | undefined;

function probePrometheus({ monitoring: { prometheus }, clock }: ConnectionParts): Probe {
  const to = clock.now();
  return prometheus && (() => prometheus.range({ query: 'vector(1)', from: after(to, -MINUTE), to, stepMs: 15 * SECOND }));
}

/** An alert that does not exist: the answer is empty. */
const probeAlertmanager = ({ monitoring: { alertmanager } }: ConnectionParts): Probe =>
  alertmanager && (() => alertmanager.firing({ alertname: 'SickbayConnectionTest' }));

async function probed(name: string, address: string | undefined, probe: Probe): Promise<Connection> {
  if (!probe || address === undefined) return { name, state: 'off', message: 'not configured' };
  const url = withoutPassword(address);
  const answer = await probe();
  return answer.kind === 'unreadable' ? { name, url, state: 'failing', message: answer.reason } : { name, url, state: 'ok' };
}

function auditTrail({ auditProblem }: ConnectionParts): Connection {
  const problem = auditProblem();
  return { name: 'Audit trail', state: problem === undefined ? 'ok' : 'failing', ...(problem !== undefined && { message: problem }) };
}

function notificationChannels({ notificationProblem }: ConnectionParts, { receivers }: Settings['notifications']): Connection {
  const problem = notificationProblem();
  const names = new Set(receivers.flatMap(({ channels }) => channels.map(({ name }) => name)));
  return {
    name: 'Notifications',
    state: problem === undefined ? 'ok' : 'failing',
    message: problem ?? `channels: ${[...names].join(', ') || 'none'}`,
  };
}

/** AWX is called only when a workflow runs there. */
const awx = (address: string | undefined): Connection =>
  address === undefined || address === ''
    ? { name: 'AWX', state: 'off', message: 'not configured' }
    : { name: 'AWX', url: withoutPassword(address), state: 'unknown', message: 'it is called when a workflow runs there' };
