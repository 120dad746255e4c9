import { join } from 'node:path';
import {
  ADMIN,
  createMemoryApi,
  kubeconfigText,
  loopbackTls,
  memoryStorage,
  newSigningKey,
  openSqliteStorage,
  serveApi,
} from '../../apiserver/index.ts';
import { ourRights } from '../../admission/index.ts';
import type { ApiGate, Listener, ListenOptions, MemoryApiOptions, Rights, StaticToken, Storage } from '../../apiserver/index.ts';
import { steadyClock, systemClock, systemRandom, turn, type Logger } from '../../base/index.ts';
import {
  bearer,
  createCache,
  createClient,
  createEventRecorder,
  httpTransport,
  type HttpConfig,
  type Transport,
} from '../../kube/index.ts';
import {
  ContainerLogs,
  createAlertEngine,
  createLocalCluster,
  createProcessRunner,
  markingTransport,
  markRule,
  mayRunAsProcess,
  unplayedWarning,
  type PostWebhook,
  type ProcessRunner,
} from '../../local-cluster/index.ts';
import { machineOwnerRights, OWNER_ACCOUNT, peopleRoles } from '../../api/rights/index.ts';
import { createControlLoop, soleTerm } from '../../runtime/index.ts';
import { asAccount, asUser } from './account-transport.ts';
import { grant, install } from './install.ts';
import { podCredentials } from './pod-credentials.ts';
import { serve, type Running } from './serve.ts';
import { keptSessions, type KeptSessions } from '../people/kept-sessions.ts';
import type { PeopleOptions } from '../people/serve-people.ts';
import type { ChosenSettings } from './settings-for.ts';
import { openShop } from '../shop/shop.ts';
import { openStateFolder, type StateFolder } from './state-folder.ts';
import { workflowProgram, WORKFLOWS_IMAGE } from './workflow-program.ts';

export interface UpOptions extends ChosenSettings {
  /** Replaces the port of the settings. */
  readonly port?: number | undefined;
  /** Where the API is served; a free port on loopback when absent, with a certificate of its own for this run. */
  readonly place?: ListenOptions;
  /** Where objects and the kubeconfig are kept; nothing outlives the run when absent. */
  readonly state?: string;
  /** Other users, besides the administrator whose kubeconfig is written; they have only the rights that roles give them. */
  readonly people?: readonly StaticToken[];
  /** Whether there is a shop to break, with alerts; an empty cluster otherwise. */
  readonly shop?: boolean;
  /** Of Sickbay. */
  readonly version: string;
  readonly log: Logger;
}

/** A local run, and how to reach its API. */
export interface LocalRun extends Running {
  readonly kubeconfig: string;
  readonly apiUrl: string;
  /** A transport to the API with this token. */
  readonly access: (token: string) => HttpConfig;
}

/** In the state folder. */
const AUDIT_FILE = 'audit.db';

/** Everything in this process: an API server, a small cluster on it, and Sickbay. */
export async function up({ port, place, state, people = [], shop = false, version, log, ...chosen }: UpOptions): Promise<LocalRun> {
  await using opened = new AsyncDisposableStack();
  const folder = await openStateFolder(state);
  opened.defer(() => folder.close());
  const broken = Promise.withResolvers<never>();
  broken.promise.catch(() => undefined);
  const storage = await openStorage(folder, { isKept: state !== undefined, onFailure: broken.reject });
  opened.defer(() => storage.close());
  const token = systemRandom.uuid();
  const logs = new ContainerLogs(systemClock);
  const rights = rightsWith([{ token, user: ADMIN }, ...people], await folder.secret('signing-key', newSigningKey));
  const api = localApi({ storage, logsOf: logs.find, rights });
  opened.defer(() => api.close());
  await api.ready;
  const tls = place?.tls ?? loopbackTls(systemClock.now(), place?.host);
  const served = await serveApi({ ...place, tls, gate: api.gate, log });
  opened.defer(() => served.close());
  const kubeconfig = await folder.write('kubeconfig', kubeconfigText({ server: served.url, trust: served.trust, token, name: 'sickbay' }));
  const client = createClient(api);
  await install({ client, clock: systemClock, settings: chosen.settings() });
  await grant(client, [...machineOwnerRights(chosen.settings()), ...peopleRoles]);
  const programs = { [WORKFLOWS_IMAGE]: await workflowProgram(chosen.settings()) };
  const credentialsOf = podCredentials({ client, folder, server: served });
  const runProcess = createProcessRunner({ programs, env: { SICKBAY_DIE_WITH_PARENT: '1' }, credentialsOf, logs, log });
  const cluster = await startLocalCluster(api, { runProcess, log });
  opened.defer(() => cluster.close());
  const running = await serve({
    ...chosen,
    transport: markingTransport(api, () => chosen.settings().executionNamespace),
    address: { port },
    log,
    ...(state === undefined ? {} : { audit: { path: join(folder.path, AUDIT_FILE) } }),
    identityIsChecked: () => true,
    people: { mode: 'local', version, ...ofLocalRun(api.gate, served, await keptSessions(folder, log)) },
    // Every check on this server is ours.
    machineOwner: asAccount(api.gate, { namespace: chosen.settings().namespace, name: OWNER_ACCOUNT }),
  });
  opened.defer(() => running.close());
  if (shop) {
    await openShop(client, chosen.settings().namespace);
    opened.defer(cluster.raiseAlerts(running.receive));
  }
  const all = opened.move();
  return {
    ...running,
    kubeconfig,
    apiUrl: served.url,
    access: (token) => accessTo(served, token),
    ended: Promise.race([running.ended, cluster.ended, broken.promise]),
    close: () => all.disposeAsync(),
  };
}

const localApi = (parts: Pick<MemoryApiOptions, 'storage' | 'logsOf' | 'rights'>) =>
  createMemoryApi({ ...parts, clock: systemClock, random: systemRandom, warningOf: unplayedWarning, accounts: true, build: 'sickbay' });

/** Who is known from the start, and the rules and roles of Sickbay's kinds and of this cluster. */
function rightsWith(tokens: readonly StaticToken[], signingKey: string): Rights {
  const { admissionRules, roles } = ourRights();
  return { tokens, signingKey, roles, admissionRules: [...admissionRules, markRule] };
}

/** The link acts as the user of the kubeconfig: both are for those who started the run. */
const ofLocalRun = (
  gate: ApiGate,
  served: Pick<Listener, 'url' | 'trust'>,
  sessions: KeptSessions,
): Pick<PeopleOptions, 'link' | 'connect'> => ({
  link: { user: ADMIN, transport: asUser(gate, ADMIN), sessions },
  connect: (token) => httpTransport({ ...accessTo(served, token), userAgent: 'sickbay' }),
});

const accessTo = ({ url, trust }: Pick<Listener, 'url' | 'trust'>, token: string): HttpConfig => ({
  server: url,
  identity: bearer(token),
  ...(trust && { ca: trust.ca, ...(trust.serverName !== undefined && { serverName: trust.serverName }) }),
});

/** Without a state folder nothing is kept. Once the file cannot be written the run ends: what was acknowledged is in it, and a start reads it. */
function openStorage(
  folder: StateFolder,
  { isKept, onFailure }: { readonly isKept: boolean; onFailure(error: Error): void },
): Promise<Storage> {
  if (!isKept) return Promise.resolve(memoryStorage());
  return openSqliteStorage({ path: join(folder.path, 'objects.db'), onFailure });
}

interface PlayedCluster extends Pick<Running, 'ended' | 'close'> {
  /** Evaluates alerts and sends them there; returns how to stop. */
  raiseAlerts(receive: PostWebhook): () => Promise<void>;
}

/** The cluster has controllers and a cache of its own, as a real one has. */
async function startLocalCluster(
  transport: Transport,
  { runProcess, log }: { readonly runProcess: ProcessRunner; readonly log: Logger },
): Promise<PlayedCluster> {
  const clock = systemClock;
  const stop = new AbortController();
  const cache = createCache({ client: createClient(transport), clock: steadyClock, random: systemRandom, log });
  const { client } = cache;
  const { controllers, calls, prepare } = createLocalCluster({ runProcess, mayRun: mayRunAsProcess, random: systemRandom });
  await prepare(client);
  const events = createEventRecorder({ client, clock, component: 'local-cluster', instance: 'local', log });
  const loop = createControlLoop({
    controllers,
    cache,
    clock,
    steady: steadyClock,
    random: systemRandom,
    log,
    events,
    calls,
    breathe: turn,
  });
  const engine = createAlertEngine({ cache, clock, log });
  const ended = Promise.all([cache.run(stop.signal), loop.run(soleTerm(stop.signal))]).then(() => undefined);
  ended.catch(() => undefined);
  return {
    ended,
    raiseAlerts: (receive) => stoppable((signal) => engine.run(receive, signal)),
    async close() {
      stop.abort(new Error('told to stop'));
      runProcess.close();
      await ended.catch(() => undefined);
    },
  };
}

/** Starts the work; returns how to stop it. */
function stoppable(work: (signal: AbortSignal) => Promise<void>): () => Promise<void> {
  const stop = new AbortController();
  const ended = work(stop.signal);
  return async () => {
    stop.abort(new Error('told to stop'));
    await ended;
  };
}
