import { RemediationRequest } from '../../api/remediation-request/remediation-request.ts';
import { keyOf } from '../../api/meta.ts';
import { accountIn } from '../../api/policies/index.ts';
import type { Clock, Logger, Random } from '../../base/index.ts';
import { createAnalysisController, type HistorySource } from '../../controllers/analysis/index.ts';
import { createApprovalController } from '../../controllers/approval/index.ts';
import { createEffectivenessController } from '../../controllers/effectiveness/index.ts';
import {
  AWX_CALL,
  AwxFailures,
  createAwxCalls,
  createExecutionControllers,
  type AwxConnection,
} from '../../controllers/execution/index.ts';
import type { Definitions } from '../../controllers/machine-health/index.ts';
import { createNarrator, type NarrationMetrics, type Narrator } from '../../controllers/narration/index.ts';
import {
  ChannelHealth,
  createDeliverNotification,
  DELIVER_NOTIFICATION,
  createNotificationController,
  notificationProblem,
} from '../../controllers/notification/index.ts';
import { createRemediationController, type RemediationDeps } from '../../controllers/remediation/index.ts';
import type { SettingsSource } from '../../controllers/settings.ts';
import { createSignalProcessingController } from '../../controllers/signal-processing/index.ts';
import { createGateway, type Gateway, type GatewayMetrics } from '../../gateway/index.ts';
import { createClient, createCache, createEventRecorder } from '../../kube/index.ts';
import type { Cache, EventRecorder, KubeClient, Transport } from '../../kube/index.ts';
import { openMonitoring, type Monitoring, type MonitoringMetrics } from '../../monitoring/index.ts';
import type { BmcClient } from '../../redfish/index.ts';
import { createControlLoop, LeaderElection, noMetrics, soleTerm } from '../../runtime/index.ts';
import type { ControlLoop, Controller, LeaseTiming, LoopMetrics, Term, WorkEnd } from '../../runtime/index.ts';
import { createRemediationHistory, memoryAuditLog, historyWithTimeout, type AuditLog, type SignalJournal } from '../../store/index.ts';
import type { LinkDeps } from '../../workload-clusters/index.ts';
import { apiStores, type ApiStores } from '../../server/index.ts';
import { ownerBeside } from './machine-owner.ts';
import { machineParts } from './machine-controllers.ts';

/** Everything that a process needs from outside. */
export interface ProcessOptions {
  readonly transport: Transport;
  readonly settings: SettingsSource;
  readonly clock: Clock;
  /** A monotonic clock, for delays. */
  readonly steady: Clock;
  readonly random: Random;
  readonly log: Logger;
  /** Must differ between any two processes, and between two lives of one. */
  readonly identity: string;
  /** How leadership is shared; without it the process is the only one. */
  readonly lease?: LeaseTiming;
  readonly metrics?: LoopMetrics;
  readonly narrationMetrics?: NarrationMetrics;
  readonly monitoringMetrics?: MonitoringMetrics;
  readonly gatewayMetrics?: GatewayMetrics;
  /** Keeps the last signals with their verdicts; nothing does when absent. */
  readonly journal?: SignalJournal;
  /** The store of the audit trail; in memory when absent. */
  readonly audit?: AuditLog;
  /** The monitoring servers that assessments query; those of the settings when absent. */
  readonly monitoring?: Monitoring;
  /** Kubernetes Events when absent. */
  readonly events?: EventRecorder;
  /** Whether the API server checks the names of approvers; without that no approval counts. */
  readonly identityIsChecked: () => boolean;
  /** Sickbay's user name; the account of its own namespace when absent. */
  readonly account?: string;
  /** The connection to AWX; workflows whose engine is ansible wait when absent. */
  readonly awx?: Omit<AwxConnection, 'notes'>;
  /** Which project defined Machines and their checks; Machines are not handled when absent. */
  readonly checksMachines?: Definitions;
  /** The connection to the hosts of Machines; Redfish when absent. */
  readonly bmc?: BmcClient;
  /** The connections to the workload clusters of Machines; their Nodes are not read when absent. */
  readonly openCluster?: LinkDeps['open'];
  /** How the owner of MachineSets reaches the API, under its own account; it does not run when absent. */
  readonly machineOwner?: Transport;
  /** See ControlLoopOptions. */
  readonly breathe?: () => Promise<void>;
}

/** Sickbay itself: every controller and the gateway, on one cache. */
export interface SickbayProcess {
  /** Receives signals; on any replica, leading or not. */
  readonly gateway: Gateway;
  /** What the API for people reads. */
  readonly stores: ApiStores;
  /** The monitoring servers that assessments query. */
  readonly monitoring: Monitoring;
  /** Why the audit trail is incomplete; undefined while it is complete. */
  auditProblem(): string | undefined;
  /** Why notifications do not arrive; undefined while nothing is known to be wrong. */
  notificationProblem(): string | undefined;
  /** Runs until the signal aborts. */
  run(signal: AbortSignal): Promise<void>;
}

/** Name of the Lease that the leader holds, in the system namespace. */
export const LEADER_LEASE = 'sickbay-leader';

/** Every controller, in the order of the pipeline. */
const createControllers = ({
  settings,
  account,
  monitoring,
  door,
  history,
  ...deps
}: RemediationDeps & {
  readonly account?: string | undefined;
  readonly monitoring?: Monitoring;
  readonly door?: AwxConnection | undefined;
  readonly history?: HistorySource;
}): readonly Controller[] => [
  createRemediationController({ settings, account, alertmanager: monitoring?.alertmanager, ...deps }),
  createSignalProcessingController(settings),
  createAnalysisController(settings, history),
  createApprovalController(settings, account ?? accountIn(settings().namespace)),
  ...createExecutionControllers(settings, door),
  createEffectivenessController(settings, monitoring, history?.history),
  createNotificationController(settings),
];

/**
 * Assembles a process. It is the same in every environment: the transport leads to an API in this process, to a real cluster, or into
 * a simulated network.
 */
export function createProcess(options: ProcessOptions): SickbayProcess {
  const { settings, clock, steady, random, log, identity } = options;
  const { namespace } = settings();
  const cache = createCache({ client: createClient(options.transport), clock: steady, random, log });
  const { client } = cache;
  const events = options.events ?? createEventRecorder({ client, clock, component: 'sickbay', instance: identity, log });
  const { audit = memoryAuditLog() } = options;
  const narrator = createNarrator({
    cache,
    namespace,
    events,
    audit,
    steady,
    log,
    ...(options.narrationMetrics && { metrics: options.narrationMetrics }),
  });
  const isAudited = (request: RemediationRequest): boolean => narrator.isRecorded(request);
  const history = { history: historyWithTimeout(createRemediationHistory(audit), steady), gap: () => narrator.problem() };
  const monitoring = options.monitoring ?? openMonitoring(settings().external, { clock, steady, metrics: options.monitoringMetrics });
  const { account, identityIsChecked } = options;
  const door = options.awx && { ...options.awx, notes: new AwxFailures() };
  const machines = machineParts(options, cache);
  const channels = new ChannelHealth();
  const loop = createControlLoop({
    controllers: [
      ...createControllers({ settings, account, identityIsChecked, isAudited, monitoring, door, history }),
      ...machines.controllers,
    ],
    workersOf: { effectiveness: settings().assessment.maxConcurrentReconciles, ...machines.workersOf },
    cache,
    clock,
    steady,
    random,
    log,
    events,
    calls: {
      [DELIVER_NOTIFICATION]: createDeliverNotification({ client, log, clock, steady, health: channels }),
      ...machines.calls,
      ...(door && { [AWX_CALL]: createAwxCalls({ door, client, settings, clock, log }) }),
    },
    metrics: options.metrics ?? noMetrics,
    ...(options.breathe ? { breathe: options.breathe } : {}),
  });
  const election = electionOf(options, client);
  const owner = ownerBeside(options);
  const work = (term: Term): Promise<WorkEnd> => owner.work(term, workAndTell({ loop, narrator, term }));
  return {
    auditProblem: () => narrator.problem(),
    notificationProblem: () => notificationProblem(settings().notifications, channels),
    gateway: gatewayOf(options, cache),
    monitoring,
    stores: apiStores(cache, { namespace, hasMachines: options.checksMachines !== undefined }),
    async run(signal) {
      const following = Promise.all([cache.run(signal), owner.run(signal)]);
      await Promise.all([following, election ? leadAgainAndAgain(election, work, signal) : work(soleTerm(signal))]);
      await machines.ended();
    },
  };
}

type GatewayOptions = Pick<ProcessOptions, 'settings' | 'clock' | 'log' | 'gatewayMetrics' | 'journal'>;

/** The gateway, as a process runs it. */
export function gatewayOf({ settings, clock, log, gatewayMetrics, journal }: GatewayOptions, cache: Cache): Gateway {
  const { namespace, executionNamespace, clusterID } = settings();
  const requests = cache.store<RemediationRequest>({
    resource: RemediationRequest,
    namespace,
    indexes: { [BY_FINGERPRINT]: ({ spec }) => [spec.signalFingerprint] },
  });
  return createGateway({
    client: cache.client,
    clock,
    log,
    namespace,
    executionNamespace,
    clusterID,
    ...(gatewayMetrics && { metrics: gatewayMetrics }),
    ...(journal && { journal }),
    chainIntervalMs: () => settings().routing.ineffectiveTimeWindowMs,
    maxOpen: () => settings().gateway.maxOpenRequests,
    maxOpenPerNamespace: () => settings().gateway.maxOpenRequestsPerNamespace,
    maxAlerts: () => settings().gateway.maxAlerts,
    cached: (value) => requests.list({ index: BY_FINGERPRINT, value }).filter((request) => !requests.isBehind(keyOf(request))),
  });
}

const BY_FINGERPRINT = 'gateway.fingerprint';

/** Leader election, where there may be several replicas. */
function electionOf(
  { lease: timing, metrics = noMetrics, settings, ...options }: ProcessOptions,
  client: KubeClient,
): LeaderElection | undefined {
  if (!timing) return undefined;
  const { clock, steady, random, log, identity } = options;
  const lease = { namespace: settings().namespace, name: LEADER_LEASE };
  return new LeaderElection({ client, clock, steady, random, log, identity, lease, timing, metrics });
}

/** Records what happens while controllers run, and a moment longer. */
async function workAndTell({ loop, narrator, term }: Shift): Promise<WorkEnd> {
  const over = new AbortController();
  // Started first: the first pass already causes Events.
  const telling = narrator.run(over.signal);
  try {
    return await loop.run(term);
  } finally {
    over.abort(new Error('the work is over'));
    await telling;
  }
}

interface Shift {
  readonly loop: ControlLoop;
  readonly narrator: Narrator;
  readonly term: Term;
}

async function leadAgainAndAgain(election: LeaderElection, work: (term: Term) => Promise<WorkEnd>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) await election.lead(work, signal);
}
