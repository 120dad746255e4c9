import { expect, test } from 'vitest';
import type { ApiRequest, Transport, WatchLine } from '../kube/transport.ts';
import { notingTransport, reasonOf } from './noting-transport.ts';

const NODES: ApiRequest = { method: 'GET', path: '/api/v1/nodes' };
const never = new AbortController().signal;

function noting(transport: Partial<Transport>) {
  const notes: string[] = [];
  const noted = notingTransport(transport as Transport, { watching: () => notes.push('watching'), failed: (why) => notes.push(why) });
  return { notes, noted };
}
async function* broken(): AsyncGenerator<readonly WatchLine[]> {
  yield [];
  throw await Promise.resolve(new Error('reset'));
}
async function drain(lines: AsyncIterable<readonly WatchLine[]>): Promise<number> {
  let batches = 0;
  for await (const _ of lines) batches++;
  return batches;
}

test('a list that is answered says nothing: only a watch shows what comes after', async () => {
  const { notes, noted } = noting({ request: () => Promise.resolve({ code: 200, body: {} }) });
  await noted.request(NODES);
  expect(notes).toEqual([]);
});

test('a refusal and a lost connection are told, and handed on as they came', async () => {
  const body = { kind: 'Status', message: 'nodes is forbidden' };
  const refused = noting({ request: () => Promise.resolve({ code: 403, body }) });
  expect(await refused.noted.request(NODES)).toEqual({ code: 403, body });
  expect(refused.notes).toEqual(['the server answered 403: nodes is forbidden']);
  const lost = noting({ watch: () => Promise.reject(new Error('ECONNREFUSED')) });
  await expect(lost.noted.watch(NODES, never)).rejects.toThrow('ECONNREFUSED');
  expect(lost.notes).toEqual(['ECONNREFUSED']);
  const gone = noting({ watch: () => Promise.resolve({ code: 410, body }) });
  expect(await gone.noted.watch(NODES, never)).toMatchObject({ code: 410 });
  expect(gone.notes).toEqual(['the server answered 410: nodes is forbidden']);
});

test('a watch that breaks is told; one that ends, or was told to, is not', async () => {
  const breaks = noting({ watch: () => Promise.resolve({ code: 200, lines: broken() }) });
  const answer = await breaks.noted.watch(NODES, never);
  await expect('lines' in answer ? drain(answer.lines) : undefined).rejects.toThrow('reset');
  expect(breaks.notes).toEqual(['watching', 'reset']);
  const stop = new AbortController();
  const told = noting({ watch: () => Promise.resolve({ code: 200, lines: broken() }) });
  const stream = await told.noted.watch(NODES, stop.signal);
  stop.abort();
  await expect('lines' in stream ? drain(stream.lines) : undefined).rejects.toThrow('reset');
  expect(told.notes).toEqual(['watching']);
});

test.each([
  { error: new Error('reset'), says: 'reset' },
  { error: new AggregateError([new Error('connect ECONNREFUSED ::1:6443')]), says: 'connect ECONNREFUSED ::1:6443' },
  { error: new AggregateError([]), says: 'no reason given' },
  { error: 'odd', says: 'odd' },
])('the reason of a failure: $says', ({ error, says }) => expect(reasonOf(error)).toBe(says));
