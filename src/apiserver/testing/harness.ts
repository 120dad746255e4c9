import type { Status } from '../../api/meta.ts';
import { seededRandom, type Clock } from '../../base/index.ts';
import type { ApiRequest, ApiResponse, PatchContentType, WatchLine } from '../../kube/transport.ts';
import { ManualClock } from '../../testkit/manual-clock.ts';
import { createMemoryApi, type MemoryApi, type MemoryApiOptions } from '../index.ts';
import type { Stored } from '../object.ts';
import { WIDGET_CRD } from './widget.ts';

export type Query = Readonly<Record<string, string>>;

/** A server of ours with a clock that stands, and short ways to call it. */
export interface Harness {
  readonly api: MemoryApi;
  readonly clock: ManualClock;
  call(method: ApiRequest['method'], path: string, body?: unknown, query?: Query): Promise<ApiResponse>;
  get(path: string, query?: Query): Promise<ApiResponse>;
  create(path: string, body: unknown, query?: Query): Promise<Stored>;
  update(path: string, body: unknown): Promise<ApiResponse>;
  merge(path: string, body: unknown, query?: Query): Promise<ApiResponse>;
  patch(contentType: PatchContentType, path: string, body: unknown): Promise<ApiResponse>;
  remove(path: string, body?: unknown, query?: Query): Promise<ApiResponse>;
  /** Names of what a list holds. */
  names(path: string, query?: Query): Promise<readonly string[]>;
  watch(path: string, query?: Query): Promise<Watcher>;
}

/** A watch that a test reads line by line. */
export interface Watcher {
  /** What has arrived since the last look, without waiting. */
  lines(): Promise<readonly WatchLine[]>;
  /** The same, as `TYPE name`. */
  seen(): Promise<readonly string[]>;
  readonly ended: () => boolean;
  stop(): void;
}

/** Starts a server that knows widgets. */
export async function aServer(options: Partial<MemoryApiOptions> & { readonly clock?: Clock } = {}): Promise<Harness> {
  const clock = new ManualClock();
  const api = createMemoryApi({ clock, random: seededRandom(7), ...options });
  const harness = harnessOf(api, clock);
  await harness.call('POST', CRDS, WIDGET_CRD);
  return harness;
}

/** Where CRDs are. */
export const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** What a server said when it refused. */
export const statusOf = ({ body }: ApiResponse): Status => body as Status;

/** The object that a server answered with. */
export const objectOf = ({ code, body }: ApiResponse): Stored => {
  if (code >= 300) throw new Error(`expected an object, got ${code}: ${(body as Status).message}`);
  return body as Stored;
};

/** Short ways to call a server. */
export function harnessOf(api: MemoryApi, clock: ManualClock): Harness {
  const call: Harness['call'] = (method, path, body, query) =>
    api.request({ method, path, ...(body !== undefined && { body }), ...(query && { query }) });
  const patch = (contentType: PatchContentType, path: string, body: unknown, query?: Query): Promise<ApiResponse> =>
    api.request({ method: 'PATCH', path, body, contentType, ...(query && { query }) });
  return {
    api,
    clock,
    call,
    get: (path, query) => call('GET', path, undefined, query),
    create: async (path, body, query) => objectOf(await call('POST', path, body, query)),
    update: (path, body) => call('PUT', path, body),
    merge: (path, body, query) => patch('application/merge-patch+json', path, body, query),
    patch,
    remove: (path, body, query) => call('DELETE', path, body, query),
    names: async (path, query) =>
      ((await call('GET', path, undefined, query)).body as { items: Stored[] }).items.map((item) => item.metadata.name),
    watch: (path, query) => startWatch(api, path, query),
  };
}

async function startWatch(api: MemoryApi, path: string, query?: Query): Promise<Watcher> {
  const stop = new AbortController();
  const started = await api.watch({ method: 'GET', path, query: { watch: 'true', ...query } }, stop.signal);
  if (!('lines' in started)) throw new Error(`the watch was refused: ${statusOf(started).message}`);
  const arrived: WatchLine[] = [];
  let ended = false;
  const reading = (async () => {
    for await (const batch of started.lines) arrived.push(...batch);
    ended = true;
  })();
  const lines = async (): Promise<readonly WatchLine[]> => {
    for (let i = 0; i < 10; i++) await Promise.resolve();
    return arrived.splice(0);
  };
  const seen = async (): Promise<readonly string[]> =>
    (await lines()).map(({ type, object }) => `${type} ${object.metadata.name ?? ''}`.trim());
  return { lines, seen, ended: () => ended, stop: () => (stop.abort(), void reading) };
}
