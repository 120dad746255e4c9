import type { KubeObject } from '../api/meta.ts';
import type { ApiRequest, WatchLine } from '../kube/client/transport.ts';

/**
 * Watches one life of a process for the mistake of acting on the past: creating again what it has created itself,
 * before its own watch could show it the first one.
 */
export class RepeatedCreates {
  readonly #created = new Map<string, number>();
  /** How far each watched collection has come, by its path. */
  readonly #seen = new Map<string, number>();
  readonly #raced: ReadonlySet<string>;

  /** Kinds in `raced`, by plural, are created by who does not look first: the name alone keeps them single, and that is meant. */
  constructor(raced: readonly string[] = []) {
    this.#raced = new Set(raced);
  }

  /** Before a request leaves: what is wrong with sending it, if anything. */
  objection(request: ApiRequest): string | undefined {
    const object = createdBy(request);
    const written = object === undefined ? undefined : this.#created.get(object);
    if (written === undefined) return undefined;
    const seen = this.#seenOf(request.path);
    if (seen === undefined || seen >= written) return undefined;
    return `creates ${object} again (created at version ${written}, its watch is at ${seen})`;
  }

  /** After the server accepted a request. */
  accepted(request: ApiRequest, answer: unknown): void {
    const object = createdBy(request);
    if (object !== undefined && !this.#raced.has(pluralOf(request.path))) this.#created.set(object, versionOf(answer));
    if (request.method === 'GET' && isList(answer)) this.#progress(request.path, versionOf(answer));
  }

  /** As a batch of a watch reaches the process. */
  arrived(path: string, batch: readonly WatchLine[]): void {
    for (const line of batch) if (line.type !== 'ERROR') this.#progress(path, versionOf(line.object));
  }

  /** A watch of the namespace or of all of them covers what is created in it; another namespace's does not. */
  #seenOf(collection: string): number | undefined {
    const seen = [collection, inAllNamespaces(collection)].map((path) => this.#seen.get(path)).filter((version) => version !== undefined);
    return seen.length === 0 ? undefined : Math.max(...seen);
  }

  #progress(path: string, version: number): void {
    if (version > (this.#seen.get(path) ?? 0)) this.#seen.set(path, version);
  }
}

const versionOf = (body: unknown): number =>
  Number((body as { metadata?: { resourceVersion?: string } } | undefined)?.metadata?.resourceVersion ?? 0);

const isList = (body: unknown): boolean => Array.isArray((body as { items?: unknown } | undefined)?.items);

/** `/apis/batch/v1/namespaces/default/jobs` → `/apis/batch/v1/jobs`. */
const inAllNamespaces = (collection: string): string => collection.replace(/\/namespaces\/[^/]+(?=\/)/, '');

const pluralOf = (collection: string): string => collection.split('/').at(-1) ?? '';

function createdBy(request: ApiRequest): string | undefined {
  const name = (request.body as Partial<KubeObject> | undefined)?.metadata?.name;
  return request.method === 'POST' && name !== undefined ? `${request.path}/${name}` : undefined;
}
