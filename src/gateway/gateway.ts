import { HOUR, messageOf, type Clock, type Logger } from '../base/index.ts';
import type { KubeClient } from '../kube/client/client.ts';
import { readWebhook } from './adapters/alertmanager.ts';
import { openLimit } from './open-limit.ts';
import { refusal, replyTo, type Reply } from './reply.ts';
import type { Signal } from './signal.ts';
import { takeIn, type Intake } from './receive-signal.ts';
import type { Rejected, Verdict } from './signal-verdict.ts';

export type { Reply };

export interface GatewayDeps {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly log: Logger;
  /** Where RemediationRequests live. */
  readonly namespace: string;
  readonly executionNamespace: string;
  /** What alerts call this cluster; without it, alerts that name any cluster are about another one. */
  readonly clusterID?: string;
  /** How many may be open at once; 1,000 when absent. */
  readonly maxOpen?: number;
  /** How long a request that an ineffective chain holds back stands in the way of new ones; 4 hours when absent. */
  readonly chainIntervalMs?: () => number;
}

/** The door for signals. */
export interface Gateway {
  /** Takes a webhook of Alertmanager in, as JSON that was read. Never rejects; what was promised by a 2xx is stored. */
  receive(body: unknown): Promise<Reply>;
}

const MAX_OPEN = 1_000;
const CHAIN_INTERVAL_MS = 4 * HOUR;

export function createGateway(deps: GatewayDeps): Gateway {
  return {
    async receive(body) {
      const webhook = readWebhook(body, deps.clock.now());
      if (webhook.kind === 'malformed') return refusal(webhook.reason);
      if (webhook.truncated > 0) deps.log.warn('alerts were cut off before they got here: raise max_alerts', { alerts: webhook.truncated });
      const room = openLimit(deps.client, { namespace: deps.namespace, limit: deps.maxOpen ?? MAX_OPEN });
      const verdicts: Verdict[] = [];
      const { clusterID = '', chainIntervalMs = () => CHAIN_INTERVAL_MS } = deps;
      // One after the other: alerts of one webhook are often about one target, and the second is to see what the first has opened.
      for (const alert of webhook.alerts) verdicts.push(await verdictOf(alert, { ...deps, clusterID, chainIntervalMs, room }));
      return replyTo(verdicts);
    },
  };
}

async function verdictOf(alert: Signal | Rejected, intake: Intake): Promise<Verdict> {
  const verdict = 'verdict' in alert ? alert : await takeInSafely(alert, intake);
  const { verdict: kind, ...facts } = verdict;
  const log = kind === 'put-off' ? intake.log.warn : intake.log.info;
  log.call(intake.log, `signal ${kind}`, { ...('name' in alert ? { signal: alert.name } : {}), ...facts });
  return verdict;
}

/** A mistake of ours must not cost the other signals of the webhook their verdicts. */
async function takeInSafely(signal: Signal, intake: Intake): Promise<Verdict> {
  try {
    return await takeIn(signal, intake);
  } catch (error) {
    intake.log.error('taking in a signal', { signal: signal.name, error });
    return { verdict: 'put-off', because: 'unforeseen', message: `taking in ${signal.name}: ${messageOf(error)}` };
  }
}
