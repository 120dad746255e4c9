import { HOUR, messageOf, type Clock, type Logger } from '../base/index.ts';
import type { KubeClient } from '../kube/client/client.ts';
import type { SignalJournal } from '../store/index.ts';
import { activeRequests, type Cached } from './active-requests.ts';
import type { SignalAdapter } from './adapters/adapter.ts';
import { alertmanager } from './adapters/alertmanager.ts';
import { metadataFetch } from './find-target.ts';
import { noGatewayMetrics, type GatewayMetrics } from './gateway-metrics.ts';
import { logVerdicts } from './log-verdicts.ts';
import { openLimit } from './open-limit.ts';
import { refusal, replyTo, type Reply } from './reply.ts';
import type { Signal } from './signal.ts';
import { recordOf } from './record-verdict.ts';
import { receiveSignal, type ReceiveDeps } from './receive-signal.ts';
import type { Rejected, SignalVerdict } from './signal-verdict.ts';

export type { Reply };

export interface GatewayDeps {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly log: Logger;
  /** Namespace of the RemediationRequests. */
  readonly namespace: string;
  readonly executionNamespace: string;
  /** Name of this cluster in alerts; without it, alerts that name any cluster are about another one. */
  readonly clusterID?: string;
  /** How many may be open at once; 1,000 when absent. */
  readonly maxOpen?: () => number;
  /** How many of them may be about one namespace; all of them when absent. */
  readonly maxOpenPerNamespace?: () => number;
  /** How many alerts one body may have; 5,000 when absent. */
  readonly maxAlerts?: () => number;
  /** Requests of a fingerprint, from a cache: a repeated alert is then joined without a read. */
  readonly cached?: Cached;
  /** How long a request that an ineffective chain holds back blocks new ones; 4 hours when absent. */
  readonly chainIntervalMs?: () => number;
  /** Keeps the last signals with their verdicts; nothing does when absent. */
  readonly journal?: SignalJournal;
  /** Where verdicts are counted; nowhere when absent. */
  readonly metrics?: GatewayMetrics;
}

/** Receives signals. */
export interface Gateway {
  /** Receives the parsed JSON of a source, Alertmanager's when absent. Never rejects; every signal that a 2xx acknowledges is stored. */
  receive(body: unknown, adapter?: SignalAdapter): Promise<Reply>;
}

const MAX_OPEN = 1_000;
const MAX_ALERTS = 5_000;
const CHAIN_INTERVAL_MS = 4 * HOUR;

export function createGateway(deps: GatewayDeps): Gateway {
  const { metrics = noGatewayMetrics } = deps;
  return {
    async receive(body, adapter = alertmanager) {
      const webhook = adapter.read(body, deps.clock.now());
      if (webhook.kind === 'malformed') return refusal(400, webhook.reason);
      const most = deps.maxAlerts?.() ?? MAX_ALERTS;
      if (webhook.alerts.length > most) return refusal(413, tooManyAlerts(webhook.alerts.length, most));
      if (webhook.truncated > 0) {
        deps.log.warn('Alertmanager cut off alerts of the webhook: raise max_alerts', { alerts: webhook.truncated });
        metrics.cutOff(webhook.truncated);
      }
      const forAll = depsOfWebhook(deps);
      const verdicts: SignalVerdict[] = [];
      // One after the other: alerts of one webhook are often about one target, and the second is to see what the first has opened.
      for (const alert of webhook.alerts) verdicts.push(await verdictOf(alert, forAll, deps));
      logVerdicts(deps.log, verdicts);
      for (const verdict of verdicts) metrics.judged(verdict);
      return replyTo(verdicts);
    },
  };
}

/** The verdict of an alert, which is also recorded. */
async function verdictOf(alert: Signal | Rejected, forAll: ReceiveDeps, { journal, clock }: GatewayDeps): Promise<SignalVerdict> {
  const verdict = 'verdict' in alert ? alert : await receiveSafely(alert, forAll);
  journal?.add(recordOf(alert, verdict, clock.now()));
  return verdict;
}

const tooManyAlerts = (alerts: number, most: number): string =>
  `alerts has ${alerts} entries, and at most ${most} are accepted at once: set max_alerts in Alertmanager, or group by more labels`;

/** What is read for one alert of a webhook serves the others. */
function depsOfWebhook({ clusterID = '', chainIntervalMs = () => CHAIN_INTERVAL_MS, ...deps }: GatewayDeps): ReceiveDeps {
  const { client, namespace, maxOpen = () => MAX_OPEN, maxOpenPerNamespace = maxOpen } = deps;
  const room = openLimit(client, { namespace, limit: maxOpen(), share: maxOpenPerNamespace() });
  return { ...deps, clusterID, chainIntervalMs, room, fetch: metadataFetch(client), active: activeRequests(deps.cached) };
}

/** A bug in handling one signal must not affect the other signals of the webhook. */
async function receiveSafely(signal: Signal, deps: ReceiveDeps): Promise<SignalVerdict> {
  try {
    return await receiveSignal(signal, deps);
  } catch (error) {
    deps.log.error('receiving a signal', { signal: signal.name, error });
    return { verdict: 'put-off', because: 'unforeseen', message: `receiving ${signal.name}: ${messageOf(error)}` };
  }
}
