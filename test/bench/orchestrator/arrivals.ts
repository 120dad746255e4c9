import { RemediationRequest } from '../../../src/api/remediation-request/remediation-request.ts';
import type { KubeClient } from '../../../src/kube/client/client.ts';

/** The phases of a remediation that goes well; `Told` is the time at which the sent notification is recorded. */
export const STATIONS = ['Pending', 'Processing', 'Analyzing', 'Executing', 'Verifying', 'Completed', 'Told'] as const;

export type Station = (typeof STATIONS)[number];

/** Before, the message is still on its way. */
const DELIVERED: ReadonlySet<string> = new Set(['Sent', 'Failed']);

/** What a watcher saw of one request. */
export interface Course {
  /** When each station was first seen, in ms of this process. */
  readonly at: Partial<Record<Station, number>>;
  /** How many versions there were after the first. */
  changes: number;
  /** As it was last seen. */
  outcome: string;
}

interface Watched {
  readonly client: KubeClient;
  readonly namespace: string;
  readonly signal: AbortSignal;
}

/** Watches the requests of a namespace, and notes when they arrive where. */
export class Arrivals {
  readonly courses = new Map<string, Course>();
  #ended: Error | undefined;
  #wanted: { readonly names: Set<string>; readonly resolve: () => void; readonly reject: (error: Error) => void } | undefined;

  /** Begins to watch; ends with the signal. */
  async follow(client: KubeClient, namespace: string, signal: AbortSignal): Promise<void> {
    const { resourceVersion } = await client.list(RemediationRequest, { namespace });
    void this.#watch({ client, namespace, signal }, resourceVersion);
  }

  /** Resolves when people know of every one of the requests. */
  allTold(names: readonly string[]): Promise<void> {
    if (this.#ended) return Promise.reject(this.#ended);
    const left = new Set(names.filter((name) => this.courses.get(name)?.at.Told === undefined));
    if (left.size === 0) return Promise.resolve();
    return new Promise((resolve, reject) => (this.#wanted = { names: left, resolve, reject }));
  }

  /** A server that is busy ends watches; each goes on where the last one was, so that no version is missed. */
  async #watch(watched: Watched, from: string): Promise<void> {
    const { signal } = watched;
    try {
      for (let version = from; !signal.aborted;) version = await this.#watchOnce(watched, version);
    } catch (error) {
      if (signal.aborted) return;
      this.#ended = error as Error;
      this.#wanted?.reject(this.#ended);
    }
  }

  /** The version to go on from. */
  async #watchOnce({ client, namespace, signal }: Watched, from: string): Promise<string> {
    let resourceVersion = from;
    for await (const batch of await client.watch(RemediationRequest, { namespace, resourceVersion }, signal)) {
      const broken = batch.find(({ type }) => type === 'ERROR');
      if (broken) throw new Error(`watching the requests: ${JSON.stringify(broken.object)}`);
      for (const { type, object } of batch) if (type !== 'BOOKMARK') this.#note(object as RemediationRequest);
      resourceVersion = batch.at(-1)?.object.metadata.resourceVersion ?? resourceVersion;
    }
    return resourceVersion;
  }

  #note({ metadata, status }: RemediationRequest): void {
    const now = performance.now();
    const known = this.courses.get(metadata.name);
    const course = known ?? { at: {}, changes: 0, outcome: '' };
    if (known) course.changes++;
    else this.courses.set(metadata.name, course);
    if (status?.overallPhase === undefined) return;
    course.outcome = [status.overallPhase, status.outcome].filter(Boolean).join(' ');
    course.at[status.overallPhase as Station] ??= now;
    if (!DELIVERED.has(status.notificationStatus ?? '')) return;
    course.at.Told ??= now;
    this.#tick(metadata.name);
  }

  #tick(name: string): void {
    if (this.#wanted?.names.delete(name) && this.#wanted.names.size === 0) this.#wanted.resolve();
  }
}
