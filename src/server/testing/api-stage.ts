import { EffectivenessAssessment, kinds, RemediationRequest, WorkflowExecution } from '../../api/index.ts';
import { Namespace } from '../../api/builtin/index.ts';
import type { Draft, KubeObject } from '../../api/meta.ts';
import { ourRights } from '../../admission/index.ts';
import { ADMIN, createMemoryApi, newSigningKey, type MemoryApi, type User } from '../../apiserver/index.ts';
import { seededRandom, silent, steadyClock, systemClock } from '../../base/index.ts';
import { DEFAULT_SETTINGS } from '../../controllers/default-settings.ts';
import { assessmentIndexes, executionIndexes, requestIndexes } from '../../controllers/remediation/routing/index.ts';
import { createCache, createClient, type KubeClient, type Transport } from '../../kube/index.ts';
import { memoryAuditLog, SignalJournal, type TrailState } from '../../store/index.ts';
import { installKind } from '../../testkit/try-bad-value.ts';
import { bindPeopleRole } from '../../testkit/with-role.ts';
import { AccessReviews } from '../access/access-reviews.ts';
import { TokenCallers } from '../access/token-callers.ts';
import { createApi } from '../api/create-api.ts';
import type { ApiStores } from '../handlers/api-parts.ts';
import { apiStores } from '../handlers/api-stores.ts';
import { peopleActions } from '../../cli/people/people-actions.ts';
import type { Prometheus } from '../../monitoring/index.ts';
import type { Settings } from '../../controllers/settings.ts';
import { startHttpServer, type HttpServer } from '../http-server.ts';
import { ping } from '../health.ts';
import type { ConsolePages } from '../pages/console-pages.ts';

export const SYSTEM = DEFAULT_SETTINGS.namespace;

/** The users of the stage, by their tokens. */
const USERS: Readonly<Record<string, User>> = {
  admin: ADMIN,
  viewer: { username: 'vera', groups: ['system:authenticated'] },
  stranger: { username: 'sam', groups: ['system:authenticated'] },
};

/** The HTTP API over a server in memory, with real tokens, roles and admission. */
export class ApiStage {
  readonly api: MemoryApi;
  readonly system: KubeClient;
  readonly journal = new SignalJournal();
  /** Empty unless a test sets one of its servers. */
  readonly monitoring: { prometheus?: Prometheus } = {};
  readonly audit = memoryAuditLog();
  auditState: TrailState = { state: 'NotChained' };
  readonly #stop = new AbortController();
  #server: HttpServer | undefined;
  #stores: ApiStores | undefined;
  #following: Promise<unknown> | undefined;

  constructor() {
    this.api = createMemoryApi({
      clock: systemClock,
      random: seededRandom(1),
      rights: { tokens: Object.entries(USERS).map(([token, user]) => ({ token, user })), signingKey: newSigningKey(), ...ourRights() },
    });
    this.system = createClient(this.api);
  }

  get url(): string {
    return `http://127.0.0.1:${this.#server?.port ?? 0}`;
  }

  /** What the API reads, once it is open. */
  get stores(): ApiStores {
    return this.#stores!;
  }

  /** Starts everything, with the pages of the console where they are wanted; `viewer` may read, `stranger` may nothing. */
  async open(pages?: ConsolePages): Promise<this> {
    const { system, journal, audit } = this;
    for (const name of [SYSTEM, DEFAULT_SETTINGS.executionNamespace, 'shop', 'machines'])
      await system.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    for (const kind of kinds) await installKind(this.api, kind);
    await bindPeopleRole(system, { user: 'vera', role: 'sickbay-viewer', namespaces: [SYSTEM] });
    const cache = createCache({ client: system, clock: steadyClock, random: seededRandom(2), log: silent });
    const stores = apiStores(cache, { namespace: SYSTEM, hasMachines: true });
    this.#stores = stores;
    // The controllers of a process bring these.
    cache.store({ resource: RemediationRequest, namespace: SYSTEM, indexes: requestIndexes });
    cache.store({ resource: WorkflowExecution, namespace: SYSTEM, indexes: executionIndexes });
    cache.store({ resource: EffectivenessAssessment, namespace: SYSTEM, indexes: assessmentIndexes });
    this.#following = cache.run(this.#stop.signal);
    await cache.synced(this.#stop.signal);
    const clock = systemClock;
    const reviews = new AccessReviews({ client: system, clock });
    const health = { livez: [ping], readyz: [] };
    const settings = (): Settings => DEFAULT_SETTINGS;
    const known = { stores, health, version: '1.2.3', clock };
    const routes = createApi({
      ...known,
      actions: peopleActions({
        ...known,
        client: system,
        settings,
        monitoring: this.monitoring,
        auditProblem: () => undefined,
        notificationProblem: () => undefined,
        mode: 'local',
      }),
      callers: new TokenCallers({ client: system, clock, reviews, connect: (token) => this.#as(token) }),
      namespace: SYSTEM,
      executionNamespace: DEFAULT_SETTINGS.executionNamespace,
      audit,
      auditState: () => this.auditState,
      journal,
      steady: steadyClock,
      log: silent,
    });
    this.#server = await startHttpServer({ routes: [routes], log: silent, ...(pages && { pages }) });
    return this;
  }

  async close(): Promise<void> {
    this.#stop.abort(new Error('the test is over'));
    await this.#server?.close();
    await this.#following;
    this.api.close();
  }

  /** Creates an object with its status, as Sickbay would. */
  async put({ metadata, status, ...rest }: KubeObject & { readonly status?: unknown }): Promise<void> {
    const kind = kinds.find((one) => one.kind === rest.kind)!;
    const { namespace = '', name, annotations, labels } = metadata;
    const draft = { ...rest, metadata: { namespace, name, ...(annotations && { annotations }), ...(labels && { labels }) } };
    await this.system.create(kind, draft as Draft);
    if (status) await this.system.patchStatus(kind, { namespace, name }, { type: 'merge', body: { status } });
  }

  /** The sample of every kind, which shows every field. */
  async putSamples(): Promise<void> {
    for (const kind of kinds) await this.put(kind.sample as KubeObject);
  }

  /** Sends a request with the token of a user; without one when absent. */
  async send(path: string, { as = 'admin', method = 'GET', body }: SendOptions = {}): Promise<Answered> {
    const response = await fetch(this.url + path, {
      method,
      headers: { ...(as !== '' && { authorization: `Bearer ${as}` }), ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { code: response.status, type: response.headers.get('content-type') ?? '', body: parsed(text), text };
  }

  #as(token: string): Transport & { close(): Promise<void> } {
    const user = USERS[token]!;
    return {
      request: (request) => this.api.gate.admit(user, request).request(request),
      watch: (request, signal) => this.api.gate.admit(user, request).watch(request, signal),
      close: () => Promise.resolve(),
    };
  }
}

export interface SendOptions {
  /** A token of the stage; none when empty. */
  readonly as?: string;
  readonly method?: string;
  readonly body?: unknown;
}

export interface Answered {
  readonly code: number;
  readonly type: string;
  readonly body: unknown;
  readonly text: string;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
