import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RemediationRequest } from '../api/remediation-request/remediation-request.ts';
import { ApiStage } from '../server/testing/api-stage.ts';
import { followChanges, type FollowOptions, type StreamEvent } from './index.ts';

let stage: ApiStage;
beforeAll(async () => {
  stage = await new ApiStage().open();
});
afterAll(() => stage.close());

/** Reads as many events as are wanted, then ends the stream. */
async function read(count: number, options: Partial<FollowOptions> = {}): Promise<readonly StreamEvent[]> {
  const stop = new AbortController();
  const events: StreamEvent[] = [];
  for await (const event of followChanges({ baseUrl: stage.url, token: () => 'admin', signal: stop.signal, ...options })) {
    events.push(event);
    if (events.length === count) break;
  }
  stop.abort();
  return events;
}

/** A response whose body comes in these pieces. */
const inPieces =
  (...pieces: readonly string[]): typeof globalThis.fetch =>
  () =>
    Promise.resolve(new Response(ReadableStream.from(pieces.map((piece) => new TextEncoder().encode(piece)))));

describe('the client of the stream of changes', () => {
  test('continues where it ended, with the object as it is now', async () => {
    const [hello] = await read(1);
    expect(hello).toMatchObject({ type: 'hello' });
    await stage.putSamples();
    const { name } = RemediationRequest.sample.metadata;
    const events = await read(4, { lastEventId: hello?.id });
    const changes = events.flatMap((event) => (event.type === 'change' ? [event.change] : []));
    expect(changes.find(({ topic }) => topic === 'remediations')).toMatchObject({ op: 'put', name, remediation: { name } });
  });

  test('reads its lists again after the id of another process', async () => {
    expect(await read(1, { lastEventId: 'another.7' })).toMatchObject([{ type: 'reset' }]);
  });

  test('rejects with the problem that the server answers', async () => {
    await expect(read(1, { token: () => 'made-up' })).rejects.toMatchObject({ name: 'ApiError', status: 401 });
  });

  test('puts events together that arrive in pieces, also within a letter, and leaves comments out', async () => {
    const data = JSON.stringify({ topic: 'signals', name: 'größer', op: 'put' });
    const text = `: still here\n\nid: p.1\nevent: hello\ndata: {}\n\nid: p.2\nevent: change\ndata: ${data}\n\n`;
    for (const size of [1, 3, 1000]) {
      const bytes = Buffer.from(text);
      const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) => bytes.subarray(index * size, (index + 1) * size));
      const fetch = () => Promise.resolve(new Response(ReadableStream.from(pieces)));
      expect(await read(2, { fetch })).toEqual([
        { type: 'hello', id: 'p.1' },
        { type: 'change', id: 'p.2', change: { topic: 'signals', name: 'größer', op: 'put' } },
      ]);
    }
  });

  test('ends when the server ends the stream', async () => {
    expect(await read(5, { fetch: inPieces('id: p.1\nevent: hello\ndata: {}\n\n', 'id: p.2\nev') })).toHaveLength(1);
  });
});
