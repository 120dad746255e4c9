import { keyOf, type Draft, type KubeObject, type ObjectKey } from '../../api/meta.ts';
import { Pod } from '../../api/builtin/index.ts';
import type { Resource } from '../../api/resource.ts';
import { after, hasCode, messageOf, PlatformError, SECOND, type Clock } from '../../base/index.ts';
import { metadataOf, objectIn, pageIn, statusOf } from './response-status.ts';
import type {
  DeleteOptions,
  GetOptions,
  KubeClient,
  ListOptions,
  LogOptions,
  ObjectList,
  Patch,
  SubresourceWrite,
  WatchOptions,
  WriteOptions,
} from './client.ts';
import { ApiError } from './errors.ts';
import { collectionPath, objectPath } from './resource-path.ts';
import type { ApiRequest, ApiResponse, PatchContentType, Transport, WatchLine } from './transport.ts';

export interface ClientOptions {
  /** Told of each warning that the server attached to an answer. */
  readonly onWarning?: (warning: string, request: ApiRequest) => void;
  /**
   * Sends again, this often and after the wait the server asked for, what it put off without executing it (429 or 503 with
   * Retry-After). Nothing else is ever sent twice: controllers retry through their queue.
   */
  readonly retry?: { readonly clock: Clock; readonly retries: number };
}

/** A client for any kind over any transport. */
export const createClient = (transport: Transport, options: ClientOptions = {}): KubeClient => new ApiClient(transport, options);

type Query = Readonly<Record<string, string>>;

const PAGE_SIZE = 500;

const CONTENT_TYPES: Readonly<Record<Patch['type'], PatchContentType>> = {
  merge: 'application/merge-patch+json',
  json: 'application/json-patch+json',
  strategic: 'application/strategic-merge-patch+json',
};

/** Subresources that the API creates; the others are replaced. */
const CREATED_SUBRESOURCES: readonly string[] = ['binding', 'eviction', 'token'];

class ApiClient implements KubeClient {
  readonly #transport: Transport;
  readonly #options: ClientOptions;

  constructor(transport: Transport, options: ClientOptions) {
    this.#transport = transport;
    this.#options = options;
  }

  async get<T extends KubeObject>(resource: Resource<T>, key: ObjectKey, options: GetOptions = {}): Promise<T> {
    const request: ApiRequest = { method: 'GET', path: objectPath(resource, key), ...accepting(options) };
    return read(await this.#send(request, options.signal), resource, options);
  }

  async list<T extends KubeObject>(resource: Resource<T>, options: ListOptions = {}): Promise<ObjectList<T>> {
    const pageSize = options.pageSize ?? PAGE_SIZE;
    try {
      return await this.#pages(resource, options, pageSize);
    } catch (error) {
      // The snapshot that the pages came from is compacted. In one piece the next attempt cannot run into that again.
      if (!hasCode(error, 'Gone') || pageSize === 0) throw error;
      return this.#pages(resource, options, 0);
    }
  }

  async #pages<T extends KubeObject>(resource: Resource<T>, options: ListOptions, limit: number): Promise<ObjectList<T>> {
    const path = collectionPath(resource, options.namespace);
    const { trim } = options;
    const items: T[] = [];
    let next: string | undefined;
    for (;;) {
      const query = { ...selecting(options), ...pageQuery(options, limit, next) };
      const body = await this.#send({ method: 'GET', path, query, ...accepting(options) }, options.signal);
      const page = pageIn(body, resource);
      for (const item of page.items) {
        const object = read(item, resource, options);
        items.push(trim ? (trim(object) as T) : object);
      }
      next = page.next;
      if (next === undefined) return { items, resourceVersion: page.resourceVersion };
    }
  }

  async create<T extends KubeObject>(resource: Resource<T>, object: Draft<T>, options: WriteOptions = {}): Promise<T> {
    return this.#write(resource, { method: 'POST', path: collectionPathFor(resource, object), body: object }, options);
  }

  async update<T extends KubeObject>(resource: Resource<T>, object: T, options: WriteOptions = {}): Promise<T> {
    return this.#write(resource, { method: 'PUT', path: objectPath(resource, keyOf(object)), body: object }, options);
  }

  async updateStatus<T extends KubeObject>(resource: Resource<T>, object: T, options: WriteOptions = {}): Promise<T> {
    return this.#write(resource, { method: 'PUT', path: objectPath(resource, keyOf(object), 'status'), body: object }, options);
  }

  async patch<T extends KubeObject>(resource: Resource<T>, key: ObjectKey, patch: Patch, options: WriteOptions = {}): Promise<T> {
    return this.#write(resource, { ...patching(patch), path: objectPath(resource, key) }, options);
  }

  async patchStatus<T extends KubeObject>(resource: Resource<T>, key: ObjectKey, patch: Patch, options: WriteOptions = {}): Promise<T> {
    return this.#write(resource, { ...patching(patch), path: objectPath(resource, key, 'status') }, options);
  }

  async delete(resource: Resource, key: ObjectKey, options: DeleteOptions = {}): Promise<void> {
    const { signal, ...wanted } = options;
    const body = { apiVersion: 'v1', kind: 'DeleteOptions', ...wanted };
    await this.#send({ method: 'DELETE', path: objectPath(resource, key), body }, signal);
  }

  async subresource(resource: Resource, key: ObjectKey, write: SubresourceWrite, options: WriteOptions = {}): Promise<unknown> {
    const { name, body } = write;
    const method = CREATED_SUBRESOURCES.includes(name) ? 'POST' : 'PUT';
    return this.#send({ method, path: objectPath(resource, key, name), query: writing(options), body }, options.signal);
  }

  async log(pod: ObjectKey, { container, previous = false, tailLines, limitBytes, signal }: LogOptions): Promise<string> {
    const bounds = { tailLines: String(tailLines), limitBytes: String(limitBytes) };
    const query = { container, ...bounds, ...(previous && { previous: 'true' }) };
    const body = await this.#send({ method: 'GET', path: objectPath(Pod, pod, 'log'), query, accept: 'text' }, signal);
    // The last bytes are the newest ones.
    return typeof body === 'string' ? body.slice(-limitBytes) : '';
  }

  async watch(resource: Resource, options: WatchOptions, signal: AbortSignal): Promise<AsyncIterable<readonly WatchLine[]>> {
    const query = { ...selecting(options), ...watchQuery(options) };
    const request: ApiRequest = { method: 'GET', path: collectionPath(resource, options.namespace), query, ...accepting(options) };
    const answer = await this.#transport.watch(request, signal).catch((error: unknown) => Promise.reject(unavailable(request, error)));
    if ('lines' in answer) return readable(answer.lines, request);
    throw new ApiError(statusOf(answer));
  }

  async #write<T extends KubeObject>(resource: Resource<T>, request: ApiRequest, options: WriteOptions): Promise<T> {
    return read(await this.#send({ ...request, query: writing(options) }, options.signal), resource, {});
  }

  async #send(request: ApiRequest, signal: AbortSignal | undefined): Promise<unknown> {
    for (let left = this.#options.retry?.retries ?? 0; ; left--) {
      const response = await this.#ask(request, signal);
      if (response.code < 400) return response.body;
      if (left <= 0 || !wasPutOff(response)) throw new ApiError(statusOf(response));
      await this.#wait(response.retryAfterSeconds ?? 0, signal);
    }
  }

  async #ask(request: ApiRequest, signal: AbortSignal | undefined): Promise<ApiResponse> {
    try {
      const response = await this.#transport.request(request, signal);
      for (const warning of response.warnings ?? []) this.#options.onWarning?.(warning, request);
      return response;
    } catch (error) {
      throw unavailable(request, error);
    }
  }

  async #wait(seconds: number, signal: AbortSignal | undefined): Promise<void> {
    const clock = this.#options.retry?.clock;
    await clock?.waitUntil(after(clock.now(), seconds * SECOND), signal ?? new AbortController().signal);
  }
}

/** Errors of the iteration are failures of the connection, unless the transport says otherwise. */
async function* readable(lines: AsyncIterable<readonly WatchLine[]>, request: ApiRequest): AsyncGenerator<readonly WatchLine[]> {
  try {
    yield* lines;
  } catch (error) {
    throw unavailable(request, error);
  }
}

/** The server said that it did not begin, and when to come back. */
const wasPutOff = (response: ApiResponse): boolean =>
  (response.code === 429 || response.code === 503) && response.retryAfterSeconds !== undefined;

const unavailable = (request: ApiRequest, error: unknown): PlatformError =>
  error instanceof PlatformError
    ? error
    : new PlatformError('Unavailable', `${request.method} ${request.path}: ${messageOf(error)}`, { cause: error });

function read<T extends KubeObject>(body: unknown, resource: Resource<T>, options: GetOptions): T {
  const object = objectIn(body, resource);
  return (options.metadataOnly ? metadataOf(object, resource) : object) as T;
}

const accepting = (options: { readonly metadataOnly?: boolean }): Pick<ApiRequest, 'accept'> =>
  options.metadataOnly ? { accept: 'metadata' } : {};

const patching = (patch: Patch): Pick<ApiRequest, 'method' | 'contentType' | 'body'> => ({
  method: 'PATCH',
  contentType: CONTENT_TYPES[patch.type],
  body: patch.body,
});

const selecting = (options: { readonly labelSelector?: string; readonly fieldSelector?: string }): Query => ({
  ...(options.labelSelector === undefined ? {} : { labelSelector: options.labelSelector }),
  ...(options.fieldSelector === undefined ? {} : { fieldSelector: options.fieldSelector }),
});

/** A continue token carries its version with it; naming one beside it is refused. */
function pageQuery(options: ListOptions, limit: number, next: string | undefined): Query {
  const size: Query = limit > 0 ? { limit: String(limit) } : {};
  if (next !== undefined) return { ...size, continue: next };
  return options.resourceVersion === undefined ? size : { ...size, resourceVersion: options.resourceVersion };
}

const watchQuery = (options: WatchOptions): Query => ({
  watch: 'true',
  allowWatchBookmarks: 'true',
  resourceVersion: options.resourceVersion,
  ...(options.timeoutSeconds === undefined ? {} : { timeoutSeconds: String(options.timeoutSeconds) }),
});

const writing = (options: WriteOptions): Query => ({
  ...(options.dryRun ? { dryRun: 'All' } : {}),
  ...(options.fieldValidation === undefined ? {} : { fieldValidation: options.fieldValidation }),
});

/** Creating in "all namespaces" is no path of the API; a namespaced draft must name its namespace. */
function collectionPathFor(resource: Resource, object: Draft): string {
  const { namespace } = object.metadata;
  if (resource.namespaced && (namespace === undefined || namespace === ''))
    throw new PlatformError('BadRequest', `creating ${resource.kind} ${object.metadata.name ?? ''}: no namespace`, { retry: 'never' });
  return collectionPath(resource, namespace);
}
