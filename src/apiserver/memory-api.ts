import type { Clock, Random } from '../base/index.ts';
import { toTime } from '../base/index.ts';
import { ApiError } from '../kube/client/errors.ts';
import type { ApiRequest, ApiResponse, Transport, WatchStream } from '../kube/client/transport.ts';
import { createAccountKeeper, DEFAULT_ACCOUNT } from './accounts/default-accounts.ts';
import { podAccounts } from './accounts/pod-account.ts';
import type { AdmissionRule } from './admission/admission.ts';
import { createAuthenticator, type Credentials } from './authentication/authenticator.ts';
import { createAuthorizer } from './authorization/authorizer.ts';
import { DEFAULT_BINDINGS, DEFAULT_ROLES, type DefaultRole } from './authorization/default-roles.ts';
import { createRoleAggregation, type RoleAggregation } from './authorization/role-aggregation.ts';
import { Documents } from './discovery/index.ts';
import { createGate, type ApiGate } from './gate.ts';
import { createGarbageCollector, type GarbageStep } from './garbage/garbage-collector.ts';
import { handle } from './handle.ts';
import type { CrdSpec } from './kinds/crd.ts';
import { Registry } from './kinds/registry.ts';
import { REVIEW_KINDS } from './reviews/review-kinds.ts';
import { findApiTarget } from './routes/find-target.ts';
import type { LogsOf } from './routes/log.ts';
import { SchemaLibrary } from './schema/schema-library.ts';
import type { ApiAnswer, Server, WarningOf } from './server.ts';
import { internal } from './status-errors.ts';
import { memoryStorage } from './storage/memory-storage.ts';
import type { Storage } from './storage/storage.ts';
import { VersionedStore } from './store/store.ts';
import { watch, type OpenWatches } from './watch/watch.ts';

export interface MemoryApiOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** Where objects are stored; in memory when absent. */
  readonly storage?: Storage;
  /** How many changes of each resource are kept for watches that resume; 10,000 when absent. */
  readonly watchHistory?: number;
  /**
   * How many changes a watcher may be behind before its watch is ended; half of `watchHistory` by default, so that it can resume.
   */
  readonly watchBacklog?: number;
  /** About how much memory the changes may take that are kept for watches; 64 MiB when absent. A watcher may be behind a quarter of it. */
  readonly historyBytes?: number;
  /** About how much memory the objects of users may take; 512 MiB when absent. */
  readonly roomBytes?: number;
  /** `auto` collects after every write; `manual` leaves it to the caller of `collectGarbage`. */
  readonly garbageCollection?: 'auto' | 'manual';
  /** Shared by servers with the same frozen CRDs, so that only the first server compiles their schemas. */
  readonly schemas?: SchemaLibrary;
  /** How often watches that asked for bookmarks get one; a minute when absent, never when 0. */
  readonly bookmarkEveryMs?: number;
  /** What to warn those of who create an object of a kind; nothing when absent. */
  readonly warningOf?: WarningOf;
  /** Finds the logs of containers; logs are empty when absent. */
  readonly logsOf?: LogsOf;
  /** Who may come through the gate; only anonymous users when absent. The default roles are only created when it is given. */
  readonly rights?: Rights;
  /**
   * Whether every namespace gets the ServiceAccount `default`, and every pod one that exists, as from a cluster's own controllers and
   * admission; not when absent.
   */
  readonly accounts?: boolean;
  /** The build that `/version` reports, as in `v1.36.0+BUILD`; none when absent. */
  readonly build?: string;
}

/** Which users are known from the start, and the rules and roles for users besides those that every cluster has. */
export interface Rights extends Credentials {
  /** Checked on every write of a user, after the server's own rules. */
  readonly admissionRules?: readonly AdmissionRule[];
  /** Created at the start besides the roles that every cluster has. */
  readonly roles?: readonly DefaultRole[];
}

/** A Kubernetes API in this process. Answers are frozen and shared: never copy to read, never change. */
export interface MemoryApi extends Transport {
  /** The way in for all but this process itself: authenticates and authorizes requests. */
  readonly gate: ApiGate;
  /** Resolves when readers see what every cluster has, such as its namespaces and roles: serve no client before. */
  readonly ready: Promise<void>;
  /** The version that readers see now. */
  readonly resourceVersion: string;
  /** Whether garbage collection may have work to do. */
  hasGarbage(): boolean;
  /** Does one step of garbage collection; returns what it did and whether there is more to do. */
  collectGarbage(): GarbageStep;
  /** Drops history up to a version: older watches and lists get 410. */
  compact(resourceVersion: string): void;
  /** Ends all watches. */
  close(): void;
}

const CRD_TABLE = 'apiextensions.k8s.io/customresourcedefinitions';
const DEFAULT_HISTORY = 10_000;
const DEFAULT_BACKLOG = DEFAULT_HISTORY / 2;
const HISTORY_BYTES = 64 * 1024 * 1024;
const DEFAULT_BOOKMARK_MS = 60_000;

/** Starts a server with the content of its storage. */
export function createMemoryApi(options: MemoryApiOptions): MemoryApi {
  const { storage = memoryStorage(), watchHistory = DEFAULT_HISTORY, roomBytes, historyBytes = HISTORY_BYTES } = options;
  const store = new VersionedStore({ storage, watchHistory, historyBytes, ...(roomBytes !== undefined && { roomBytes }) });
  const server = serverOn(store, options);
  const open: OpenWatches = new Set();
  followKinds(server, open);
  const garbage = createGarbageCollector(server);
  const roles = createRoleAggregation(store);
  const accounts = options.accounts ? createAccountKeeper(store, (namespace) => addAccount(server, namespace)) : undefined;
  addNamespaces(server);
  if (options.rights) addDefaultRoles(server, roles, options.rights.roles);
  const settle = (): void => {
    if (options.garbageCollection === 'manual') return;
    while (!store.isReadOnly && garbage.step().more);
    roles.collect();
    accounts?.keep();
  };
  store.onArrival(settle);
  // Garbage that the last process did not collect before it ended.
  settle();
  const transport = (of: Server): Transport => ({
    request: (request) => respond(of, request, settle),
    watch: (request, signal) => startWatch(of, { request, signal, open }),
  });
  return {
    ...transport(server),
    gate: createGate(server.authority, (user) => transport({ ...server, user })),
    ready: store.settled ?? Promise.resolve(),
    get resourceVersion() {
      return String(store.revision);
    },
    hasGarbage: () => garbage.hasWork(),
    collectGarbage: () => garbage.step(),
    compact: (resourceVersion) => store.compact(Number(resourceVersion)),
    close: () => {
      [...open].forEach((stream) => stream.end());
      store.close();
    },
  };
}

/** What every route works with, on one store. */
function serverOn(store: VersionedStore, options: MemoryApiOptions): Server {
  const { clock, random } = options;
  const table = store.table(CRD_TABLE);
  const crds = () => store.latestKeys(table).flatMap((key) => store.latest(table, key) ?? []);
  const registry = new Registry({ library: options.schemas ?? new SchemaLibrary(), now: () => toTime(clock.now()), crds });
  for (const crd of crds()) registry.follow(undefined, crd);
  return {
    store,
    registry,
    documents: new Documents(
      {
        get changes() {
          return registry.changes;
        },
        get isReadOnly() {
          return store.isReadOnly;
        },
        served: () => [...registry.served(), ...Object.values(REVIEW_KINDS)],
      },
      options.build,
    ),
    logsOf: options.logsOf,
    warningOf: options.warningOf,
    clock,
    random,
    bookmarkEveryMs: options.bookmarkEveryMs ?? DEFAULT_BOOKMARK_MS,
    watchBacklog: options.watchBacklog ?? DEFAULT_BACKLOG,
    watchBacklogBytes: (options.historyBytes ?? HISTORY_BYTES) / 4,
    admissionRules: options.rights?.admissionRules ?? [],
    settlePod: options.accounts ? podAccounts(store) : undefined,
    authority: { authenticator: createAuthenticator(options.rights ?? {}, { store, clock }), authorizer: createAuthorizer(store) },
  };
}

/**
 * All work is done before the promise is made; only durability is awaited. An answer to a write that stores nothing, such
 * as "already exists", waits as well: it may depend on a write that is not durable yet.
 */
function respond(server: Server, request: ApiRequest, settle: () => void): Promise<ApiResponse> {
  const { durable: own, ...response } = answerTo(server, request);
  if (request.method === 'GET') return Promise.resolve(response);
  const durable = own ?? server.store.settled;
  settle();
  if (!durable) return Promise.resolve(response);
  return durable.then(
    () => response,
    (error: unknown) => refusal(error),
  );
}

function answerTo(server: Server, request: ApiRequest): ApiAnswer {
  try {
    return handle(server, request);
  } catch (error) {
    return refusal(error);
  }
}

function refusal(error: unknown): ApiResponse {
  const { status } = error instanceof ApiError ? error : internal(error instanceof Error ? error.message : String(error));
  const { retryAfterSeconds } = status.details ?? {};
  return { code: status.code ?? 500, body: status, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) };
}

interface WatchCall {
  readonly request: ApiRequest;
  readonly signal: AbortSignal;
  readonly open: OpenWatches;
}

function startWatch(server: Server, { request, signal, open }: WatchCall): Promise<ApiResponse | WatchStream> {
  try {
    const target = findApiTarget(server.registry, request.path);
    return Promise.resolve(watch(server, { target, open }, request, signal));
  } catch (error) {
    return Promise.resolve(refusal(error));
  }
}

/** Serves the kinds of CRDs, and follows their changes. */
function followKinds({ store, registry }: Server, open: OpenWatches): void {
  store.onChange((table, change) => {
    if (table.id !== CRD_TABLE) return;
    registry.follow(change.before, change.after);
    if (!change.after) endWatches(open, change.before?.spec as CrdSpec);
  });
}

/** Ends the watches of a deleted kind. */
function endWatches(open: OpenWatches, { group, names }: CrdSpec): void {
  const table = `${group}/${names.plural}`;
  [...open].filter((stream) => stream.table === table).forEach((stream) => stream.end());
}

/** The namespaces that every cluster has. */
function addNamespaces(server: Server): void {
  for (const name of ['default', 'kube-system', 'kube-public', 'kube-node-lease']) {
    answerTo(server, { method: 'POST', path: '/api/v1/namespaces', body: { metadata: { name } } });
  }
}

const addAccount = (server: Server, namespace: string): ApiAnswer =>
  answerTo(server, {
    method: 'POST',
    path: `/api/v1/namespaces/${namespace}/serviceaccounts`,
    body: { metadata: { name: DEFAULT_ACCOUNT } },
  });

/** The roles that every cluster has, and those given. Roles that exist already keep what administrators changed in them. */
function addDefaultRoles(server: Server, roles: RoleAggregation, given: readonly DefaultRole[] = []): void {
  const root = '/apis/rbac.authorization.k8s.io/v1';
  for (const body of [...DEFAULT_ROLES, ...given]) answerTo(server, { method: 'POST', path: `${root}/clusterroles`, body });
  for (const body of DEFAULT_BINDINGS) answerTo(server, { method: 'POST', path: `${root}/clusterrolebindings`, body });
  roles.collect();
}
