import { hostname } from 'node:os';
import { Registry } from 'prom-client';
import { kinds, resourceName } from '../../api/index.ts';
import { given, PlatformError, steadyClock, systemClock, systemRandom, turn, type Logger } from '../../base/index.ts';
import { registerConfigMetrics, type ConfigFile } from '../../config/index.ts';
import { failFast, httpAwx, type ClusterAddress } from '../../controllers/execution/index.ts';
import type { SettingsSource } from '../../controllers/settings.ts';
import { missingCredentials, sendingProblem } from '../../controllers/notification/index.ts';
import { createNarrationMetrics } from '../../controllers/narration/index.ts';
import { createClient, httpTransport, type KubeClient, type Transport } from '../../kube/index.ts';
import { createMonitoringMetrics } from '../../monitoring/index.ts';
import { createMetrics, meteredTransport, watchEventLoop, type LeaseTiming } from '../../runtime/index.ts';
import { healthRoutes, metricsRoutes, ping, type HealthChecks } from '../../server/index.ts';
import { servePeople, type ConsoleLink, type PeopleOptions } from '../people/serve-people.ts';
import { SignalJournal } from '../../store/index.ts';
import { createGatewayMetrics, signalRoutes, type Gateway } from '../../gateway/index.ts';
import { openTrail, type AuditFiles } from './audit-trail.ts';
import { openFront, sendersOf } from './front.ts';
import type { AddressFlags } from './served-at.ts';
import { ownerOf } from './machine-owner.ts';
import { probeKind } from './probe-kind.ts';
import { createProcess } from './process.ts';
import { machinesProblem, whoseDefinitions } from './machine-definitions.ts';

export interface ServeOptions {
  readonly transport: Transport;
  readonly settings: SettingsSource;
  /** The config file; changes apply while Sickbay runs. */
  readonly config?: ConfigFile;
  /** What the command line says about the address. */
  readonly address?: AddressFlags;
  /** How leadership is shared; without it this process takes itself for the only one. */
  readonly lease?: LeaseTiming;
  /** Whether the API server checks the names of approvers; not known when absent. */
  readonly identityIsChecked?: () => boolean;
  /** Sickbay's user name; the account of its own namespace when absent. */
  readonly account?: string;
  /** The files of the audit trail; the trail ends with the process when absent. */
  readonly audit?: AuditFiles;
  /** The address of the cluster for playbooks; they get no access to it when absent. */
  readonly cluster?: ClusterAddress;
  /** How the owner of MachineSets reaches the API, under its own account; it does not run when absent. */
  readonly machineOwner?: Transport;
  readonly people: PeopleOptions;
  readonly log: Logger;
}

/** A running Sickbay. */
export interface Running {
  readonly client: KubeClient;
  /** The address of alerts, health and metrics. */
  readonly url: string;
  /** The address that opens a session in a browser, once; undefined where there is none. A new one follows each that is used. */
  readonly link: ConsoleLink | undefined;
  /** Receives a webhook of Alertmanager in this process. Rejects when the gateway did not accept it. */
  receive(webhook: object): Promise<void>;
  /** Resolves when it has stopped by itself, which only happens after a severe error. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
}

/** Where Alertmanager sends its webhooks. */
export const SIGNALS_PATH = '/api/v1/signals/prometheus';

/** Starts the controllers, and serves signals, the API, health and metrics. */
export async function serve({ settings, config, address: flags = {}, log, ...options }: ServeOptions): Promise<Running> {
  await using opened = new AsyncDisposableStack();
  const front = await openFront(settings(), flags, { log, hasLink: options.people.link !== undefined });
  const { registry, metrics, gatewayMetrics } = metricsOf(config);
  opened.defer(watchEventLoop(registry));
  const transport = meteredTransport(options.transport, { clock: steadyClock, metrics });
  const client = createClient(transport);
  const trail = openTrail(options.audit, { registry, log });
  opened.defer(() => trail.close());
  const journal = new SignalJournal();
  void warnOfUnsent(settings, client, log);
  const awx = httpAwx();
  opened.defer(() => awx.close());
  const asking = { clock: steadyClock, log };
  const definitions = await whoseDefinitions(client, asking);
  const owner = await ownerOf(options.machineOwner, definitions, asking);
  const machines = machinesProblem({ definitions, wanted: options.machineOwner !== undefined, kept: 'machineOwner' in owner });
  const sickbay = createProcess({
    transport,
    settings,
    clock: systemClock,
    steady: steadyClock,
    random: systemRandom,
    log,
    metrics,
    narrationMetrics: createNarrationMetrics(registry),
    monitoringMetrics: createMonitoringMetrics(registry),
    gatewayMetrics,
    audit: trail.audit,
    journal,
    identity: `${hostname()}_${systemRandom.uuid()}`,
    identityIsChecked: options.identityIsChecked ?? (() => false),
    ...given({ account: options.account, lease: options.lease }),
    awx: { send: failFast(awx.send, steadyClock), ...(options.cluster && { cluster: options.cluster }) },
    breathe: turn,
    ...(definitions && { checksMachines: definitions }),
    ...owner,
    openCluster: (config) => httpTransport({ ...config, userAgent: 'sickbay' }),
  });
  const auditProblem: Problem = () => sickbay.auditProblem() ?? trail.problem();
  const problems = { audit: auditProblem, machines: () => machines, config: config?.problem, notifications: sickbay.notificationProblem };
  const health = checksOf(client, settings, problems);
  const trails = { audit: trail.audit, auditState: trail.state, auditProblem, journal };
  const people = servePeople(options.people, { ...sickbay, client, ...trails, health, settings, config, log });
  const signals = signalRoutes(sickbay.gateway, gatewayMetrics, await sendersOf(settings(), people.tokens, log));
  const routes = [healthRoutes(health, log), metricsRoutes(registry), signals, ...people.routes];
  const stop = new AbortController();
  const http = await front.listen({ routes, pages: people.pages, log }, stop.signal);
  const followed = config?.watch(stop.signal);
  opened.defer(() => followed);
  const ended = sickbay.run(stop.signal);
  // The caller that awaits the end gets the error; there may be none yet.
  opened.defer(() => ended.catch(() => undefined));
  ended.catch(() => undefined);
  opened.defer(() => http.close());
  opened.defer(() => stop.abort(new Error('told to stop')));
  const running = opened.move();
  const { url } = http;
  return { client, url, link: people.linkAt(url), receive: receiverOf(sickbay.gateway), ended, close: () => running.disposeAsync() };
}

const receiverOf =
  (gateway: Gateway): Running['receive'] =>
  async (webhook) => {
    const { code, body } = await gateway.receive(webhook);
    if (code >= 300) throw new PlatformError('Unavailable', `the gateway answered ${code}: ${JSON.stringify(body)}`);
  };

function metricsOf(config: ConfigFile | undefined) {
  const registry = new Registry();
  if (config) registerConfigMetrics(registry, config);
  return { registry, metrics: createMetrics(registry), gatewayMetrics: createGatewayMetrics(registry) };
}

/** Says at the start what will not be sent. Nothing waits for it. */
async function warnOfUnsent(settings: SettingsSource, client: KubeClient, log: Logger): Promise<void> {
  const { notifications, namespace } = settings();
  const undone = sendingProblem(notifications);
  if (undone !== undefined) log.warn(undone);
  for (const why of await missingCredentials(notifications, { client, namespace })) log.warn('a channel has no credential', { why });
}

type Problem = () => string | undefined;

/** Ready means that every kind can be listed. Remediation continues with any of the problems: no replica should be restarted or lose traffic for it. */
function checksOf(client: KubeClient, settings: SettingsSource, found: Readonly<Record<string, Problem | undefined>>): HealthChecks {
  const { namespace } = settings();
  return {
    livez: [ping],
    readyz: kinds.map((kind) => ({
      name: resourceName(kind),
      check: async () => {
        await probeKind(client, kind, namespace);
        return undefined;
      },
    })),
    healthz: Object.entries(found).flatMap(([name, check]) => (check ? [{ name, check }] : [])),
  };
}
