import type { KubeObject } from '../api/meta.ts';
import type { ApiRequest, WatchLine } from '../kube/transport.ts';

/**
 * Watches one life of a process for the mistake of acting on the past: creating again what it has created itself,
 * before its own watch could show it the first one.
 */
export class RepeatedCreates {
  readonly #created = new Map<string, number>();
  readonly #seen = new Map<string, number>();

  /** Before a request leaves: what is wrong with sending it, if anything. */
  objection(request: ApiRequest): string | undefined {
    const target = createdBy(request);
    if (!target) return undefined;
    const written = this.#created.get(target.object);
    const seen = this.#seen.get(target.collection);
    if (written === undefined || seen === undefined || seen >= written) return undefined;
    return `creates ${target.object} again (created at version ${written}, its watch is at ${seen})`;
  }

  /** After the server accepted a request. */
  accepted(request: ApiRequest, answer: unknown): void {
    const target = createdBy(request);
    if (target) this.#created.set(target.object, versionOf(answer));
    if (request.method === 'GET' && isList(answer)) this.#progress(collectionOf(request.path), versionOf(answer));
  }

  /** As a batch of a watch reaches the process. */
  arrived(path: string, batch: readonly WatchLine[]): void {
    for (const line of batch) if (line.type !== 'ERROR') this.#progress(collectionOf(path), versionOf(line.object));
  }

  #progress(collection: string, version: number): void {
    const seen = this.#seen.get(collection) ?? 0;
    if (version > seen) this.#seen.set(collection, version);
  }
}

const versionOf = (body: unknown): number =>
  Number((body as { metadata?: { resourceVersion?: string } } | undefined)?.metadata?.resourceVersion ?? 0);

const isList = (body: unknown): boolean => Array.isArray((body as { items?: unknown } | undefined)?.items);

/** The collection without its namespace, as one watch covers all of them: `/apis/batch/v1/jobs`. */
function collectionOf(path: string): string {
  const parts = path.split('/');
  const at = parts.indexOf('namespaces');
  if (at < 0 || parts.length <= at + 2) return path;
  return [...parts.slice(0, at), parts[at + 2]].join('/');
}

function createdBy(request: ApiRequest): { collection: string; object: string } | undefined {
  const name = (request.body as Partial<KubeObject> | undefined)?.metadata?.name;
  if (request.method !== 'POST' || name === undefined) return undefined;
  return { collection: collectionOf(request.path), object: `${request.path}/${name}` };
}
