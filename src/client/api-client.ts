import type { AnswerOf, InputOf } from '../server/api/handler-types.ts';
import type { RouteId, Routes } from '../server/contract/index.ts';
import { ApiError, problemIn } from './api-error.ts';

/** How a client reaches the API. */
export interface ApiClientOptions {
  /** E.g. http://127.0.0.1:8080; the origin of the page when absent. */
  readonly baseUrl?: string;
  /** A bearer token; without one a browser sends the cookie of its session. */
  readonly token?: () => string | undefined;
  /** The platform's own when absent. */
  readonly fetch?: typeof globalThis.fetch;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
}

/** Routes with one answer; changes are followed by `followChanges`. */
export type CallId = Exclude<RouteId, 'followChanges'>;

/** What is optional may be undefined as well: it is left out. */
type Input<T> = { readonly [P in keyof T]: object extends Pick<T, P> ? T[P] | undefined : T[P] };

/** One method per route, with the types of its contract. */
export type ApiClient = {
  readonly [K in CallId]: (input: Input<InputOf<K>>, options?: CallOptions) => Promise<AnswerOf<K>>;
};

/** Method and path of each route. Written out, so that no schema reaches a browser; the type holds it to the contract. */
const CALLS: { readonly [K in CallId]: readonly [Routes[K]['method'], Routes[K]['path']] } = {
  listRemediations: ['GET', '/api/v1/remediations'],
  getRemediation: ['GET', '/api/v1/remediations/{name}'],
  getLogs: ['GET', '/api/v1/remediations/{name}/logs'],
  getMetrics: ['GET', '/api/v1/remediations/{name}/metrics'],
  getObjects: ['GET', '/api/v1/remediations/{name}/objects'],
  cancelRemediation: ['POST', '/api/v1/remediations/{name}/cancel'],
  listApprovals: ['GET', '/api/v1/approvals'],
  getApproval: ['GET', '/api/v1/approvals/{name}'],
  decideApproval: ['POST', '/api/v1/approvals/{name}/decision'],
  clearBlock: ['POST', '/api/v1/blocks/clear'],
  listMachines: ['GET', '/api/v1/machines'],
  getMachine: ['GET', '/api/v1/machines/{namespace}/{name}'],
  listMachineChecks: ['GET', '/api/v1/machine-checks'],
  getMachineCheck: ['GET', '/api/v1/machine-checks/{namespace}/{name}'],
  listWorkflows: ['GET', '/api/v1/workflows'],
  getWorkflow: ['GET', '/api/v1/workflows/{name}'],
  listSignals: ['GET', '/api/v1/signals'],
  listAudit: ['GET', '/api/v1/audit'],
  getAuditVerification: ['GET', '/api/v1/audit/verification'],
  getSummary: ['GET', '/api/v1/summary'],
  getSettings: ['GET', '/api/v1/settings'],
  getHealth: ['GET', '/api/v1/health'],
  getSession: ['GET', '/api/v1/session'],
};

/**
 * A client of the HTTP API. A refusal rejects with an `ApiError`, which has the problem that the server answered.
 * @example await createApiClient().listRemediations({ state: 'attention' })
 */
export function createApiClient(options: ApiClientOptions = {}): ApiClient {
  const methods = Object.entries(CALLS).map(([id, [method, path]]) => [
    id,
    async (input: Readonly<Record<string, unknown>>, { signal }: CallOptions = {}) => {
      const { body, ...texts } = input;
      const response = await send(options, {
        url: addressOf(options.baseUrl ?? '', path, texts),
        init: {
          method,
          ...(body !== undefined && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
          ...(signal && { signal }),
        },
      });
      return (await response.json()) as unknown;
    },
  ]);
  return Object.fromEntries(methods) as ApiClient;
}

interface Sending {
  readonly url: string;
  readonly init: RequestInit;
}

/** Sends a request; rejects with what the server refused. */
async function send({ token, fetch = globalThis.fetch }: ApiClientOptions, { url, init }: Sending): Promise<Response> {
  const given = token?.();
  const headers = { ...(init.headers as Record<string, string>), ...(given !== undefined && { authorization: `Bearer ${given}` }) };
  const response = await fetch(url, { ...init, headers, credentials: 'same-origin' });
  if (response.ok) return response;
  throw new ApiError(response.status, await problemIn(response));
}

/** The address of a call: what the path does not name goes into the query. */
function addressOf(baseUrl: string, path: string, texts: Readonly<Record<string, unknown>>): string {
  const query = new URLSearchParams();
  let filled = path;
  for (const [name, value] of Object.entries(texts)) {
    if (value === undefined) continue;
    const text = String(value as string | number | boolean);
    if (path.includes(`{${name}}`)) filled = filled.replace(`{${name}}`, encodeURIComponent(text));
    else query.set(name, text);
  }
  return `${baseUrl}${filled}${query.size > 0 ? `?${query.toString()}` : ''}`;
}
