import { keyOf, type Draft, type KubeObject, type ObjectKey } from '../../api/meta.ts';
import type { Resource } from '../../api/resource.ts';
import { hasCode, isObject, PlatformError } from '../../base/index.ts';
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
} from '../client/client.ts';
import { ApiError, isPatchThatDoesNotFit } from '../client/errors.ts';
import type { WatchLine } from '../client/transport.ts';
import type { WriteLedger } from './write-ledger.ts';

/** A client that enters each of its writes into the ledger. */
export class RecordingClient implements KubeClient {
  readonly #client: KubeClient;
  readonly #ledger: WriteLedger;

  constructor(client: KubeClient, ledger: WriteLedger) {
    this.#client = client;
    this.#ledger = ledger;
  }

  get<T extends KubeObject>(resource: Resource<T>, key: ObjectKey, options?: GetOptions): Promise<T> {
    return this.#client.get(resource, key, options);
  }

  list<T extends KubeObject>(resource: Resource<T>, options?: ListOptions): Promise<ObjectList<T>> {
    return this.#client.list(resource, options);
  }

  log(pod: ObjectKey, options: LogOptions): Promise<string> {
    return this.#client.log(pod, options);
  }

  watch(resource: Resource, options: WatchOptions, signal: AbortSignal): Promise<AsyncIterable<readonly WatchLine[]>> {
    return this.#client.watch(resource, options, signal);
  }

  create<T extends KubeObject>(resource: Resource<T>, object: Draft<T>, options?: WriteOptions): Promise<T> {
    const write = { resource, key: keyOf(object), draft: object };
    return this.#record(write, options, () => this.#client.create(resource, object, options));
  }

  update<T extends KubeObject>(resource: Resource<T>, object: T, options?: WriteOptions): Promise<T> {
    const write = { resource, key: keyOf(object), draft: object };
    return this.#record(write, options, () => this.#client.update(resource, object, options));
  }

  updateStatus<T extends KubeObject>(resource: Resource<T>, object: T, options?: WriteOptions): Promise<T> {
    const write = { resource, key: keyOf(object), draft: object };
    return this.#record(write, options, () => this.#client.updateStatus(resource, object, options));
  }

  patch<T extends KubeObject>(resource: Resource<T>, key: ObjectKey, patch: Patch, options?: WriteOptions): Promise<T> {
    return this.#record({ resource, key }, options, () => this.#client.patch(resource, key, patch, options));
  }

  patchStatus<T extends KubeObject>(resource: Resource<T>, key: ObjectKey, patch: Patch, options?: WriteOptions): Promise<T> {
    return this.#record({ resource, key }, options, () => this.#client.patchStatus(resource, key, patch, options));
  }

  subresource(resource: Resource, key: ObjectKey, write: SubresourceWrite, options?: WriteOptions): Promise<unknown> {
    return this.#record({ resource, key }, options, () => this.#client.subresource(resource, key, write, options));
  }

  async delete(resource: Resource, key: ObjectKey, options?: DeleteOptions): Promise<void> {
    const write = { resource, key };
    this.#ledger.begin(write);
    try {
      await this.#client.delete(resource, key, options);
    } catch (error) {
      throw this.#broke(write, error);
    }
    this.#ledger.deleted(write, options?.preconditions?.uid);
  }

  async #record<Answer>(write: Write, options: WriteOptions | undefined, send: () => Promise<Answer>): Promise<Answer> {
    if (options?.dryRun) return send();
    this.#ledger.begin(write);
    try {
      const answer = await send();
      this.#ledger.wrote(write, isVersioned(answer) ? answer : undefined);
      return answer;
    } catch (error) {
      throw this.#broke(write, error);
    }
  }

  #broke(write: Write, error: unknown): Error {
    if (mayHaveHappened(error)) this.#ledger.lost(write);
    else this.#ledger.refused(write, contradictsOurView(error));
    return error as Error;
  }
}

/** One write, as the ledger knows it. The name is '' where the server is to make one up. */
export interface Write {
  readonly resource: Resource;
  readonly key: ObjectKey;
  readonly draft?: unknown;
}

const isVersioned = (answer: unknown): answer is KubeObject =>
  isObject(answer) && isObject(answer['metadata']) && typeof answer['metadata']['resourceVersion'] === 'string';

/** The object is another than the one the write was meant for, or is there, or is gone: what a fresh view would have told. */
const contradictsOurView = (error: unknown): boolean =>
  hasCode(error, 'Conflict') || hasCode(error, 'NotFound') || hasCode(error, 'AlreadyExists') || isPatchThatDoesNotFit(error);

/** Only a refusal is proof that nothing was written: after a 5xx, as after no answer, the write may be in the store. */
function mayHaveHappened(error: unknown): boolean {
  if (error instanceof ApiError) return error.httpCode >= 500;
  return !(error instanceof PlatformError) || error.code === 'Unavailable';
}
