import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  ADMIN,
  createMemoryApi,
  kubeconfigText,
  memoryStorage,
  newSigningKey,
  openSqliteStorage,
  serveApi,
} from '../../apiserver/index.ts';
import { ourRights } from '../../admission/index.ts';
import type { Listener, ListenOptions, StaticToken, Storage } from '../../apiserver/index.ts';
import { messageOf, steadyClock, systemClock, systemRandom, turn, type Logger } from '../../base/index.ts';
import { bearer, createCache, createClient, createEventRecorder, type HttpConfig, type Transport } from '../../kube/index.ts';
import { ContainerLogs, createLocalCluster, createProcessRunner, type ProcessRunner } from '../../local-cluster/index.ts';
import { machineOwnerRights, OWNER_ACCOUNT } from '../../api/rights/index.ts';
import { createControlLoop, soleTerm } from '../../runtime/index.ts';
import { asAccount } from './account-transport.ts';
import { grant, install } from './install.ts';
import { podCredentials } from './pod-credentials.ts';
import { serve, type Running } from './serve.ts';
import type { ChosenSettings } from './settings-for.ts';
import { openStateFolder, type StateFolder } from './state-folder.ts';

export interface UpOptions extends ChosenSettings {
  readonly port: number;
  /** Where the API is served; a free port on loopback when absent. */
  readonly place?: ListenOptions;
  /** Where objects and the kubeconfig are kept; nothing outlives the run when absent. */
  readonly state?: string;
  /** Other users, besides the administrator whose kubeconfig is written; they have only the rights that roles give them. */
  readonly people?: readonly StaticToken[];
  readonly log: Logger;
}

/** A local run, and how to reach its API. */
export interface LocalRun extends Running {
  readonly kubeconfig: string;
  readonly apiUrl: string;
  /** A transport to the API with this token. */
  readonly access: (token: string) => HttpConfig;
}

/** The image whose containers run as child processes here: the workflow library. */
const WORKFLOWS_IMAGE = 'sickbay/workflows';
const WORKFLOWS_PROGRAM = fileURLToPath(new URL('../../../workflows/main.ts', import.meta.url));

/** In the state folder. */
const AUDIT_FILE = 'audit.db';

/** Everything in this process: an API server, a small cluster on it, and Sickbay. */
export async function up({ port, place, state, people = [], log, ...chosen }: UpOptions): Promise<LocalRun> {
  await using opened = new AsyncDisposableStack();
  const folder = await openStateFolder(state);
  opened.defer(() => folder.close());
  const storage = await openStorage(folder, { isKept: state !== undefined, log });
  opened.defer(() => storage.close());
  const token = systemRandom.uuid();
  const logs = new ContainerLogs(systemClock);
  const rights = {
    tokens: [{ token, user: ADMIN }, ...people],
    signingKey: await folder.secret('signing-key', newSigningKey),
    ...ourRights(),
  };
  const api = createMemoryApi({
    clock: systemClock,
    random: systemRandom,
    storage,
    logsOf: logs.find,
    rights,
    accounts: true,
    build: 'sickbay',
  });
  opened.defer(() => api.close());
  await api.ready;
  const served = await serveApi({ ...place, gate: api.gate, log });
  opened.defer(() => served.close());
  const kubeconfig = await folder.write('kubeconfig', kubeconfigText({ server: served.url, trust: served.trust, token, name: 'sickbay' }));
  const client = createClient(api);
  await install({ client, clock: systemClock, settings: chosen.settings() });
  await grant(client, machineOwnerRights(chosen.settings()));
  const runProcess = createProcessRunner({
    programs: { [WORKFLOWS_IMAGE]: [process.execPath, WORKFLOWS_PROGRAM] },
    env: { SICKBAY_DIE_WITH_PARENT: '1' },
    credentialsOf: podCredentials({ client, folder, server: served }),
    logs,
    log,
  });
  const cluster = await startLocalCluster(api, { runProcess, log });
  opened.defer(() => cluster.close());
  const running = await serve({
    ...chosen,
    transport: api,
    port,
    log,
    ...(state === undefined ? {} : { audit: join(folder.path, AUDIT_FILE) }),
    identityIsChecked: () => true,
    // Every check on this server is ours.
    machineOwner: asAccount(api.gate, { namespace: chosen.settings().namespace, name: OWNER_ACCOUNT }),
  });
  opened.defer(() => running.close());
  const all = opened.move();
  return {
    ...running,
    kubeconfig,
    apiUrl: served.url,
    access: (token) => accessTo(served, token),
    ended: Promise.race([running.ended, cluster.ended]),
    close: () => all.disposeAsync(),
  };
}

const accessTo = ({ url, trust }: Pick<Listener, 'url' | 'trust'>, token: string): HttpConfig => ({
  server: url,
  identity: bearer(token),
  ...(trust && { ca: trust.ca, ...(trust.serverName !== undefined && { serverName: trust.serverName }) }),
});

/** Without a state folder nothing is kept. */
function openStorage(folder: StateFolder, { isKept, log }: { readonly isKept: boolean; readonly log: Logger }): Promise<Storage> {
  if (!isKept) return Promise.resolve(memoryStorage());
  const onFailure = (error: Error): void => log.error('objects can no longer be kept', { error: messageOf(error) });
  return openSqliteStorage({ path: join(folder.path, 'objects.db'), onFailure });
}

/** The cluster has controllers and a cache of its own, as a real one has. */
async function startLocalCluster(
  transport: Transport,
  { runProcess, log }: { readonly runProcess: ProcessRunner; readonly log: Logger },
): Promise<Pick<Running, 'ended' | 'close'>> {
  const clock = systemClock;
  const stop = new AbortController();
  const cache = createCache({ client: createClient(transport), clock: steadyClock, random: systemRandom, log });
  const { client } = cache;
  const { controllers, calls, prepare } = createLocalCluster({ runProcess, random: systemRandom });
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
  const ended = Promise.all([cache.run(stop.signal), loop.run(soleTerm(stop.signal))]).then(() => undefined);
  ended.catch(() => undefined);
  return {
    ended,
    async close() {
      stop.abort(new Error('told to stop'));
      runProcess.close();
      await ended.catch(() => undefined);
    },
  };
}
