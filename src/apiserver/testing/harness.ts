import type { Status } from '../../kube/meta.ts';
import { seededRandom, type Clock } from '../../base/index.ts';
import type { ApiRequest, ApiResponse, PatchContentType, WatchLine } from '../../kube/client/transport.ts';
import { ManualClock } from '../../testkit/manual-clock.ts';
import { createMemoryApi, type MemoryApi, type MemoryApiOptions } from '../index.ts';
import type { Stored } from '../object.ts';
import { aTestStorage, quieted } from './test-storage.ts';
import { WIDGET_CRD } from './widget.ts';

export type Query = Readonly<Record<string, string>>;

/** An embedded server with a manual clock, and short ways to call it. */
export interface Harness {
  readonly api: MemoryApi;
  readonly clock: ManualClock;
  /** Resolves when no write is pending; reads and watchers wait for it by themselves. */
  quiet(): Promise<void>;
  call(method: ApiRequest['method'], path: string, body?: unknown, query?: Query): Promise<ApiResponse>;
  get(path: string, query?: Query): Promise<ApiResponse>;
  create(path: string, body: unknown, query?: Query): Promise<Stored>;
  update(path: string, body: unknown): Promise<ApiResponse>;
  merge(path: string, body: unknown, query?: Query): Promise<ApiResponse>;
  patch(contentType: PatchContentType, path: string, body: unknown): Promise<ApiResponse>;
  remove(path: string, body?: unknown, query?: Query): Promise<ApiResponse>;
  /** The names in a list. */
  names(path: string, query?: Query): Promise<readonly string[]>;
  watch(path: string, query?: Query): Promise<Watcher>;
}

/** A watch that a test reads line by line. */
export interface Watcher {
  /** The lines since the last call, without waiting. */
  lines(): Promise<readonly WatchLine[]>;
  /** The same, as `TYPE name`. */
  seen(): Promise<readonly string[]>;
  readonly ended: () => boolean;
  stop(): void;
}

/** Starts a server that knows widgets. */
export async function aServer(options: Partial<MemoryApiOptions> & { readonly clock?: Clock } = {}): Promise<Harness> {
  const clock = new ManualClock();
  const storage = options.storage ? quieted(options.storage) : await aTestStorage();
  const api = createMemoryApi({ clock, random: seededRandom(7), ...options, storage });
  const harness = harnessOf(api, clock, options.storage ? undefined : storage.quiet);
  await harness.call('POST', CRDS, WIDGET_CRD);
  return harness;
}

/** Where CRDs are. */
export const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** The Status of a refusal. */
export const statusOf = ({ body }: ApiResponse): Status => body as Status;

/** The object that a server answered with. */
export const objectOf = ({ code, body }: ApiResponse): Stored => {
  if (code >= 300) throw new Error(`expected an object, got ${code}: ${(body as Status).message}`);
  return body as Stored;
};

/** Short ways to call a server. */
export function harnessOf(api: MemoryApi, clock: ManualClock, quiet: Harness['quiet'] = () => Promise.resolve()): Harness {
  const call: Harness['call'] = async (method, path, body, query) => {
    if (method === 'GET') await quiet();
    return api.request({ method, path, ...(body !== undefined && { body }), ...(query && { query }) });
  };
  const patch = (contentType: PatchContentType, path: string, body: unknown, query?: Query): Promise<ApiResponse> =>
    api.request({ method: 'PATCH', path, body, contentType, ...(query && { query }) });
  return {
    api,
    clock,
    quiet,
    call,
    get: (path, query) => call('GET', path, undefined, query),
    create: async (path, body, query) => objectOf(await call('POST', path, body, query)),
    update: (path, body) => call('PUT', path, body),
    merge: (path, body, query) => patch('application/merge-patch+json', path, body, query),
    patch,
    remove: (path, body, query) => call('DELETE', path, body, query),
    names: async (path, query) =>
      ((await call('GET', path, undefined, query)).body as { items: Stored[] }).items.map((item) => item.metadata.name),
    watch: async (path, query) => (await quiet(), startWatch({ api, quiet }, path, query)),
  };
}

async function startWatch({ api, quiet }: Pick<Harness, 'api' | 'quiet'>, path: string, query?: Query): Promise<Watcher> {
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
    await quiet();
    for (let i = 0; i < 10; i++) await Promise.resolve();
    return arrived.splice(0);
  };
  const seen = async (): Promise<readonly string[]> =>
    (await lines()).map(({ type, object }) => `${type} ${object.metadata.name ?? ''}`.trim());
  return { lines, seen, ended: () => ended, stop: () => (stop.abort(), void reading) };
}
