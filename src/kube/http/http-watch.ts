import type { Dispatcher } from 'undici';
import { PlatformError } from '../../base/index.ts';
import { BatchQueue } from './batch-queue.ts';
import { HttpCall } from './http-call.ts';
import type { WatchLine, WatchStream } from '../client/transport.ts';
import { WatchLines } from './watch-lines.ts';

/** Follows one watch: its answer is the stream, or the refusal as for any call. */
export class HttpWatch extends HttpCall<WatchStream> {
  readonly #lines = new WatchLines();
  #queue: BatchQueue<readonly WatchLine[]> | undefined;

  override onResponseStart(
    controller: Dispatcher.DispatchController,
    code: number,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): void {
    super.onResponseStart(controller, code, headers);
    if (code !== 200) return;
    this.#queue = new BatchQueue({
      pause: () => controller.pause(),
      resume: () => controller.resume(),
      stop: () => controller.abort(new PlatformError('Unavailable', 'the watch has no reader any more')),
    });
    this.caller.resolve({ code: 200, lines: this.#queue });
  }

  override onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (!this.#queue) return super.onResponseData(controller, chunk);
    const lines = this.#lines.push(chunk);
    if (lines.length > 0) this.#queue.push(lines);
  }

  override onResponseEnd(): void {
    if (!this.#queue) return super.onResponseEnd();
    this.release();
    this.#queue.end(
      this.#lines.pendingBytes === 0 ? undefined : new PlatformError('Unavailable', 'the watch ended in the middle of a line'),
    );
  }

  override onResponseError(controller: Dispatcher.DispatchController, error: Error): void {
    if (!this.#queue) return super.onResponseError(controller, error);
    this.release();
    // The reader asked for this end; only others are news.
    this.#queue.end(this.aborted ? undefined : error);
  }
}
