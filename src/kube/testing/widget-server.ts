import { BatchQueue } from '../http/batch-queue.ts';
import type { ApiRequest, ApiResponse, Transport, WatchLine, WatchStream } from '../client/transport.ts';
import { failure } from './scripted-transport.ts';
import { aList, aWidget, bookmark, type Widget } from './widget.ts';

interface Follower {
  /** The version up to which it was sent everything. */
  sent: number;
  readonly queue: BatchQueue<readonly WatchLine[]>;
}

/** A small server of widgets whose every delivery the test decides. Versions are one sequence, as on a real server. */
export class WidgetServer implements Transport {
  version = 1;
  isDown = false;
  readonly objects = new Map<string, Widget>();
  /** Everything that ever happened, by version. */
  readonly history: { readonly version: number; readonly line: WatchLine }[] = [];
  #compacted = 0;
  #followers: Follower[] = [];

  /** Creates the widget, or changes it. */
  write(name: string): void {
    const before = this.objects.get(name);
    const version = ++this.version;
    const object = aWidget({ name, version, uid: before?.metadata.uid ?? `${name}-${version}` });
    this.objects.set(name, object);
    this.history.push({ version, line: { type: before ? 'MODIFIED' : 'ADDED', object } });
  }

  remove(name: string): void {
    const before = this.objects.get(name);
    if (!before) return;
    this.objects.delete(name);
    const version = ++this.version;
    const object = aWidget({ name, version, uid: before.metadata.uid });
    this.history.push({ version, line: { type: 'DELETED', object } });
  }

  /** Forgets the history so far: who has not seen it must list. */
  compact(): void {
    this.#compacted = this.version;
  }

  /** Sends each watcher up to `most` of what it has not seen. */
  deliver(most = Number.POSITIVE_INFINITY): void {
    for (const follower of this.#followers) {
      const lines = this.history.filter(({ version }) => version > follower.sent).slice(0, most);
      follower.sent = lines.at(-1)?.version ?? follower.sent;
      if (lines.length > 0) follower.queue.push(lines.map(({ line }) => line));
    }
  }

  /** Tells each watcher that has seen everything how far it is. */
  bookmark(): void {
    for (const follower of this.#followers) {
      if (this.history.some(({ version }) => version > follower.sent)) continue;
      follower.sent = this.version;
      follower.queue.push([bookmark(this.version)]);
    }
  }

  /** Ends all watches: cleanly, or with an error. */
  hangUp(error?: Error): void {
    for (const { queue } of this.#followers) queue.end(error);
    this.#followers = [];
  }

  /** Sends a last line, then ends all watches. */
  sendLast(line: WatchLine): void {
    for (const { queue } of this.#followers) queue.push([line]);
    this.hangUp();
  }

  async request(request: ApiRequest): Promise<ApiResponse> {
    this.#demandUp();
    const items = [...this.objects.values()].toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
    const limit = Number(request.query?.['limit'] ?? items.length);
    const [listedAt = this.version, from = 0] = request.query?.['continue']?.split(':').map(Number) ?? [];
    // Pages of a version that is no longer the current one would need its snapshot, which this server does not keep.
    if (listedAt !== this.version) return failure(410, 'Expired');
    const next = from + limit < items.length ? `${this.version}:${from + limit}` : undefined;
    return aList(this.version, items.slice(from, from + limit), next);
  }

  async watch(request: ApiRequest, signal: AbortSignal): Promise<ApiResponse | WatchStream> {
    this.#demandUp();
    const from = Number(request.query?.['resourceVersion']);
    if (from < this.#compacted) return failure(410, 'Expired');
    const follower: Follower = { sent: from, queue: new BatchQueue({ pause() {}, resume() {}, stop: () => this.#forget(follower) }) };
    this.#followers.push(follower);
    signal.addEventListener('abort', () => follower.queue.end());
    if (signal.aborted) follower.queue.end();
    return { code: 200, lines: follower.queue };
  }

  #forget(follower: Follower): void {
    this.#followers = this.#followers.filter((other) => other !== follower);
  }

  #demandUp(): void {
    if (this.isDown) throw new Error('connection refused');
  }
}
