import { CustomResourceDefinition, Deployment, Job, Lease, Pod } from '../../api/builtin/index.ts';
import { crdOf } from '../../api/crd-of.ts';
import {
  ActionType,
  AIAnalysis,
  EffectivenessAssessment,
  NotificationRequest,
  RemediationApprovalRequest,
  RemediationRequest,
  RemediationWorkflow,
  SignalProcessing,
  WorkflowExecution,
} from '../../api/index.ts';
import { deepFreeze, HOUR, MINUTE, SECOND, silent } from '../../base/index.ts';
import { ensureNamespace } from '../../cli/process/install.ts';
import { DEFAULT_SETTINGS } from '../../controllers/default-settings.ts';
import type { Settings } from '../../controllers/settings.ts';
import { createCache, createClient, type Cache } from '../../kube/index.ts';
import { createLocalCluster, type RunProcess } from '../../local-cluster/index.ts';
import { createControlLoop, soleTerm } from '../../runtime/index.ts';
import type { Simulation } from '../../simulation/index.ts';
import { readLibrary } from '../../../workflows/library.ts';

/** Time is generous, so that only a clock that was set makes anything too late; the rest is short, to see more in less time. */
export const LOOP_SETTINGS: Settings = {
  ...DEFAULT_SETTINGS,
  timeouts: {
    globalMs: 8 * HOUR,
    processingMs: 2 * HOUR,
    analyzingMs: 2 * HOUR,
    // No approver answers in these scenarios.
    awaitingApprovalMs: 30 * MINUTE,
    executingMs: 2 * HOUR,
    verifyingMs: 2 * HOUR,
  },
  cooldownMs: MINUTE,
  stabilizationMs: 30 * SECOND,
  validityMs: 2 * HOUR,
};

/** The kinds that move through phases. */
export const PIPELINE_KINDS = [
  RemediationRequest,
  SignalProcessing,
  AIAnalysis,
  WorkflowExecution,
  EffectivenessAssessment,
  NotificationRequest,
] as const;

/** Read once: what is on disk is the same for every run. */
const LIBRARY = await readLibrary({ namespace: LOOP_SETTINGS.namespace, executionNamespace: LOOP_SETTINGS.executionNamespace });

/** Frozen, so that many simulations can share what a server makes of them. */
const CRDS = [...PIPELINE_KINDS, RemediationApprovalRequest, RemediationWorkflow, ActionType].map((kind) => deepFreeze(crdOf(kind)));

/** Installs kinds, namespaces and workflows, and follows all that is judged. */
export async function prepareCluster(simulation: Simulation): Promise<void> {
  const { namespace, executionNamespace } = LOOP_SETTINGS;
  for (const crd of CRDS) await simulation.admin.create(CustomResourceDefinition, crd);
  for (const name of [namespace, executionNamespace]) await ensureNamespace(simulation.admin, name);
  for (const { resource, draft } of LIBRARY) await simulation.admin.create(resource, draft);
  for (const resource of [...PIPELINE_KINDS, Job, Lease, Pod, Deployment]) await simulation.follow(resource);
}

/** The cluster's own controllers, which no user but the simulation writes to, and which fail with no process: they reach the server directly and without delay. Returns what they read from. */
export async function playCluster(simulation: Simulation, runProcess: RunProcess): Promise<Cache> {
  const { clock, random, admin, api } = simulation;
  const { controllers, calls, prepare } = createLocalCluster({ runProcess, mayRun: () => true, random });
  await prepare(admin);
  const cache = createCache({ client: createClient(api), clock, random, log: silent });
  const events = { record: () => Promise.resolve() };
  const loop = createControlLoop({ controllers, cache, clock, random, log: silent, events, calls });
  simulation.alongside('cluster', (signal) => Promise.all([cache.run(signal), loop.run(soleTerm(signal))]));
  return cache;
}
