import type { ChangeEvent } from '../server/contract/index.ts';
import { ApiError, problemIn } from './api-error.ts';

/** What a stream of changes says. */
export type StreamEvent =
  | { readonly type: 'hello' | 'reset'; readonly id: string }
  | { readonly type: 'change'; readonly id: string; readonly change: ChangeEvent };

export interface FollowOptions {
  /** E.g. http://127.0.0.1:8080; the origin of the page when absent. */
  readonly baseUrl?: string;
  readonly token?: () => string | undefined;
  readonly fetch?: typeof globalThis.fetch;
  readonly signal: AbortSignal;
  /** The id of the last event that was seen. */
  readonly lastEventId?: string | undefined;
  /** Called for everything that arrives, also for comments that only show that the server is there. */
  readonly onBytes?: () => void;
}

/**
 * Yields changes until the server ends the stream. With `lastEventId` it continues where an earlier stream ended. A refusal rejects with an
 * `ApiError`.
 * @example for await (const event of followChanges({ signal })) console.log(event);
 */
export async function* followChanges(options: FollowOptions): AsyncGenerator<StreamEvent> {
  const reader = await openStream(options);
  const decoder = new TextDecoder();
  let rest = '';
  for (;;) {
    const chunk = await reader.read();
    if (chunk.done) return;
    options.onBytes?.();
    const frames = (rest + decoder.decode(chunk.value, { stream: true })).split('\n\n');
    rest = frames.pop() ?? '';
    for (const frame of frames) {
      const event = eventOf(frame);
      if (event) yield event;
    }
  }
}

async function openStream(options: FollowOptions): Promise<ReadableStreamDefaultReader<Uint8Array>> {
  const { baseUrl = '', token, fetch = globalThis.fetch, signal, lastEventId } = options;
  const given = token?.();
  const headers = {
    accept: 'text/event-stream',
    ...(given !== undefined && { authorization: `Bearer ${given}` }),
    ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
  };
  const response = await fetch(`${baseUrl}/api/v1/changes`, { signal, credentials: 'same-origin', headers });
  if (!response.ok || !response.body) throw new ApiError(response.status, await problemIn(response));
  return response.body.getReader();
}

/** The event that a frame holds; undefined for comments. */
function eventOf(frame: string): StreamEvent | undefined {
  const fields = new Map(frame.split('\n').map((line) => fieldOf(line)));
  const id = fields.get('id') ?? '';
  const type = fields.get('event');
  if (type === 'hello' || type === 'reset') return { type, id };
  if (type !== 'change') return undefined;
  return { type, id, change: JSON.parse(fields.get('data') ?? '') as ChangeEvent };
}

/** @example fieldOf('id: 7') // ['id', '7'] */
function fieldOf(line: string): readonly [string, string] {
  const colon = line.indexOf(':');
  return colon < 0 ? [line, ''] : [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, '')];
}
