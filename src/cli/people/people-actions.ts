import type { KubeObject } from '../../api/meta.ts';
import { cancelRemediation, clearBlock, decideApproval, lookAtRequest } from '../../actions/index.ts';
import { given, toTime, type Clock, type Instant } from '../../base/index.ts';
import type { ConfigFile } from '../../config/index.ts';
import { readMeasuredMetrics } from '../../controllers/effectiveness/index.ts';
import { explain, type ExplainedGate, type Explanation } from '../../controllers/remediation/explain/index.ts';
import type { SettingsSource } from '../../controllers/settings.ts';
import type { KubeClient, Store } from '../../kube/index.ts';
import type { Monitoring } from '../../monitoring/index.ts';
import type { ApiStores, Explained, HealthChecks, PeopleActions } from '../../server/index.ts';
import { metricsView } from './metrics-view.ts';
import { budgetReader } from './budget-left.ts';
import { cachedReader } from './cached-reader.ts';
import { readConnections } from './read-connections.ts';
import { settingsView, type SettingsOrigin } from './settings-view.ts';

/** What the actions need of the process. */
export interface ActionParts {
  readonly stores: ApiStores;
  /** With Sickbay's own rights: reads what the caches do not hold. */
  readonly client: KubeClient;
  readonly settings: SettingsSource;
  readonly health: HealthChecks;
  /** The monitoring servers that are queried for the state of their connections. */
  readonly monitoring: Monitoring;
  /** Why the audit trail is incomplete; undefined while it is complete. */
  readonly auditProblem: () => string | undefined;
  /** Why notifications do not arrive; undefined while nothing is known to be wrong. */
  readonly notificationProblem: () => string | undefined;
  readonly config?: ConfigFile | undefined;
  readonly mode: SettingsOrigin['mode'];
  readonly version: string;
  readonly clock: Clock;
}

/** What people ask and do by the HTTP API, by the same functions as with the commands. */
export function peopleActions(parts: ActionParts): PeopleActions {
  const { stores, client, settings, clock, config } = parts;
  const reader = cachedReader(Object.values(stores) as Store<KubeObject>[], client);
  const running = (): number => stores.executions.list().filter(({ status }) => status?.phase === 'Running').length;
  return {
    budget: budgetReader({ client, settings, running, now: () => clock.now() }),
    async explain(request) {
      const seen = await lookAtRequest({ request, reader, settings: settings(), now: clock.now() });
      return explainedView(explain(seen), seen.deadline);
    },
    async metrics(assessment) {
      const { prometheus } = parts.monitoring;
      return metricsView(await readMeasuredMetrics(assessment, { now: clock.now(), settings: settings(), prometheus }));
    },
    async decide(asCaller, name, decision) {
      const decided = await decideApproval(asCaller, clock, { namespace: settings().namespace, name, ...decision });
      return { name: decided.name, decision: decided.decision, by: decided.decidedBy, plan: decided.plan };
    },
    cancel: async (asCaller, name, reason) => ({
      name,
      by: await cancelRemediation(asCaller, { namespace: settings().namespace, name, reason }),
    }),
    async clearBlock(asCaller, name, reason) {
      const { namespace, executionNamespace } = settings();
      const { target, executions, requests, clearedBy } = await clearBlock(asCaller, clock, {
        namespace,
        executionNamespace,
        name,
        reason,
      });
      return { target, executions, requests, by: clearedBy };
    },
    async settings() {
      const { mode, version } = parts;
      const connections = await readConnections(parts, settings());
      return settingsView({ mode, version, connections, settings: settings(), configFile: config?.path, configProblem: config?.problem() });
    },
  };
}

function explainedView({ gates, blocker, next }: Explanation, deadline: Instant | undefined): Explained {
  const { what, at, lookAgainAt, commands = [] } = next;
  return {
    gates: gates.map(gateView),
    next: { what, commands, ...given({ at: timeOf(at), checkAgainAt: timeOf(lookAgainAt) }) },
    limits: given({ deadline: timeOf(deadline) }),
    ...given({ blocker }),
  };
}

const gateView = ({ name, state, inputs, message, until }: ExplainedGate): Explained['gates'][number] => ({
  name,
  state,
  inputs,
  ...given({ message, until: timeOf(until) }),
});

const timeOf = (moment: Instant | undefined): string | undefined => (moment === undefined ? undefined : toTime(moment));
