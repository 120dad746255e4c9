import type { Transport, WatchLine } from '../../src/kube/client/transport.ts';
import { CONFIG_MAPS, type ConfigMap } from './config-maps.ts';

/** A client that follows all objects by list and watch, as caches do, across the lives of a server. */
export class Replica {
  readonly #values = new Map<string, string>();
  readonly #waiting = new Set<{ readonly version: number; resolve(): void }>();
  #seen = new Set<number>();
  #from = 0;
  #version = 0;
  /** What must never happen on a watch. */
  readonly faults: string[] = [];
  relists = 0;
  resumes = 0;

  get values(): ReadonlyMap<string, string> {
    return this.#values;
  }

  get version(): number {
    return this.#version;
  }

  /** Continues from the last version that was seen, or lists again when that is forgotten; ends with the server's life. */
  async follow(transport: Transport, signal: AbortSignal): Promise<void> {
    if (this.#version === 0) await this.#list(transport);
    const ended = await this.#watch(transport, signal);
    if (ended !== 'forgotten') return;
    await this.#list(transport);
    this.relists++;
    await this.#watch(transport, signal);
  }

  /** Resolves when a version has been seen. */
  reached(version: number): Promise<void> {
    if (this.#version >= version) return Promise.resolve();
    return new Promise((resolve) => void this.#waiting.add({ version, resolve }));
  }

  /** Which of these versions were passed over without having been seen. */
  missed(versions: Iterable<number>): readonly number[] {
    return [...versions].filter((version) => version > this.#from && version <= this.#version && !this.#seen.has(version));
  }

  async #list(transport: Transport): Promise<void> {
    const { body } = await transport.request({ method: 'GET', path: CONFIG_MAPS });
    const { metadata, items } = body as { metadata: { resourceVersion: string }; items: readonly ConfigMap[] };
    this.#values.clear();
    for (const {
      metadata: { name },
      data,
    } of items)
      this.#values.set(name, data?.value ?? '');
    this.#seen = new Set();
    this.#from = Number(metadata.resourceVersion);
    this.#arrive(this.#from);
  }

  async #watch(transport: Transport, signal: AbortSignal): Promise<'forgotten' | 'ended'> {
    const query = { watch: 'true', resourceVersion: String(this.#version) };
    const stream = await transport.watch({ method: 'GET', path: CONFIG_MAPS, query }, signal);
    if (!('lines' in stream)) throw new Error(`the watch was answered with ${stream.code}`);
    let isFirst = true;
    try {
      for await (const batch of stream.lines) {
        if (batch[0]?.type === 'ERROR') return 'forgotten';
        if (isFirst) this.resumes++;
        isFirst = false;
        for (const line of batch) this.#take(line);
      }
    } catch {
      // The server was killed.
    }
    return 'ended';
  }

  #take({ type, object }: WatchLine): void {
    const { name, resourceVersion } = object.metadata;
    const version = Number(resourceVersion);
    if (version <= this.#version) this.faults.push(`version ${version} came after ${this.#version}`);
    if (this.#values.has(name) !== (type !== 'ADDED')) this.faults.push(`${type} of ${name} does not follow from what came before`);
    if (type === 'DELETED') this.#values.delete(name);
    else this.#values.set(name, (object as ConfigMap).data?.value ?? '');
    this.#seen.add(version);
    this.#arrive(version);
  }

  #arrive(version: number): void {
    this.#version = version;
    for (const waiting of this.#waiting) {
      if (waiting.version > version) continue;
      this.#waiting.delete(waiting);
      waiting.resolve();
    }
  }
}
