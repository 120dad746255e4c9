import { Deployment, Node, Pod } from '../../api/builtin/index.ts';
import { after, messageOf, SECOND, type Clock, type Logger } from '../../base/index.ts';
import type { Cache } from '../../kube/index.ts';
import { decideAlerts, inPosts, markRefused, markSent, type AlertBook } from './decide-alerts.ts';
import { ALERT_RULES } from './rules.ts';
import { webhooksFor } from './webhooks.ts';

/** Where alerts go. Rejects when they were not received. */
export type PostWebhook = (webhook: object) => Promise<unknown>;

/** Evaluates alerting rules and posts what fires, as Prometheus and Alertmanager do for a real cluster. */
export interface AlertEngine {
  /** Runs until the signal aborts. */
  run(post: PostWebhook, signal: AbortSignal): Promise<void>;
}

const INTERVAL_MS = SECOND;

/** Makes one that reads from the cache of the local cluster. */
export function createAlertEngine({
  cache,
  clock,
  log,
}: {
  readonly cache: Cache;
  readonly clock: Clock;
  readonly log: Logger;
}): AlertEngine {
  const [pods, deployments, nodes] = [
    cache.store<Pod>({ resource: Pod }),
    cache.store<Deployment>({ resource: Deployment }),
    cache.store<Node>({ resource: Node }),
  ];
  const evaluate = async (book: AlertBook, post: PostWebhook): Promise<AlertBook> => {
    const state = { pods: pods.list(), deployments: deployments.list(), nodes: nodes.list() };
    const decided = decideAlerts({ rules: ALERT_RULES, state, book }, clock.now());
    const posts = await Promise.all(inPosts(decided.book, decided.due).map((keys) => send(decided.book, keys, post)));
    return posts.reduce((all, { keys, isReceived }) => (isReceived ? markSent : markRefused)(all, keys, clock.now()), decided.book);
  };
  const send = async (book: AlertBook, keys: readonly string[], post: PostWebhook) => {
    const alerts = keys.flatMap((key) => book.get(key) ?? []);
    try {
      await Promise.all(webhooksFor(alerts).map(post));
      return { keys, isReceived: true };
    } catch (error) {
      // A receiver joins what it has already received.
      log.warn('alerts were not received; they are sent again', { alerts: alerts.length, reason: messageOf(error) });
      return { keys, isReceived: false };
    }
  };
  return {
    async run(post, signal) {
      let book: AlertBook = new Map();
      while (!signal.aborted) {
        book = await evaluate(book, post);
        await clock.waitUntil(after(clock.now(), INTERVAL_MS), signal).catch(() => undefined);
      }
    },
  };
}
