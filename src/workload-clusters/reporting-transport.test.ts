import { describe, expect, test } from 'vitest';
import { errorLine } from '../kube/testing/scripted-transport.ts';
import type { ApiRequest, Transport, WatchLine } from '../kube/client/transport.ts';
import { reportingTransport, reasonOf } from './reporting-transport.ts';

const NODES: ApiRequest = { method: 'GET', path: '/api/v1/nodes' };
const never = new AbortController().signal;

const FAULT = errorLine(500, 'InternalError');
const SAID = 'the server answered 500: InternalError (scripted)';
const EXPIRED = errorLine(410, 'Expired');
const FORGOTTEN = 'the server answered 410: Expired (scripted)';

function noting(transport: Partial<Transport>) {
  const observer: string[] = [];
  const noted = reportingTransport(transport as Transport, {
    watching: () => observer.push('watching'),
    failed: (why) => observer.push(why),
  });
  return { observer, noted };
}
async function* broken(): AsyncGenerator<readonly WatchLine[]> {
  yield [];
  throw await Promise.resolve(new Error('reset'));
}
async function* linesOf(lines: readonly WatchLine[]): AsyncGenerator<readonly WatchLine[]> {
  for (const line of lines) yield await Promise.resolve([line]);
}
async function drain(lines: AsyncIterable<readonly WatchLine[]>): Promise<number> {
  let batches = 0;
  for await (const _ of lines) batches++;
  return batches;
}

test('an answered list proves nothing: only a watch shows later changes', async () => {
  const { observer, noted } = noting({ request: () => Promise.resolve({ code: 200, body: {} }) });
  await noted.request(NODES);
  expect(observer).toEqual([]);
});

test('a refusal and a lost connection are reported, and passed on unchanged', async () => {
  const body = { kind: 'Status', message: 'nodes is forbidden' };
  const refused = noting({ request: () => Promise.resolve({ code: 403, body }) });
  expect(await refused.noted.request(NODES)).toEqual({ code: 403, body });
  expect(refused.observer).toEqual(['the server answered 403: nodes is forbidden']);
  const lost = noting({ watch: () => Promise.reject(new Error('ECONNREFUSED')) });
  await expect(lost.noted.watch(NODES, never)).rejects.toThrow('ECONNREFUSED');
  expect(lost.observer).toEqual(['ECONNREFUSED']);
  const gone = noting({ watch: () => Promise.resolve({ code: 410, body }) });
  expect(await gone.noted.watch(NODES, never)).toMatchObject({ code: 410 });
  expect(gone.observer).toEqual(['the server answered 410: nodes is forbidden']);
});

test('a watch that breaks is reported; one that ends or is aborted is not', async () => {
  const breaks = noting({ watch: () => Promise.resolve({ code: 200, lines: broken() }) });
  const answer = await breaks.noted.watch(NODES, never);
  await expect('lines' in answer ? drain(answer.lines) : undefined).rejects.toThrow('reset');
  expect(breaks.observer).toEqual(['watching', 'reset']);
  const stop = new AbortController();
  const told = noting({ watch: () => Promise.resolve({ code: 200, lines: broken() }) });
  const stream = await told.noted.watch(NODES, stop.signal);
  stop.abort();
  await expect('lines' in stream ? drain(stream.lines) : undefined).rejects.toThrow('reset');
  expect(told.observer).toEqual(['watching']);
});

describe('a watch that was taken and is refused in its stream', () => {
  const object = { metadata: { name: 'worker-0' } } as WatchLine['object'];
  const MODIFIED: WatchLine = { type: 'MODIFIED', object };

  /** One watch after the other, of these lines; what is noted at the moment in which each line comes, too. */
  async function watched(...streams: readonly (readonly WatchLine[])[]): Promise<readonly string[]> {
    const left = [...streams];
    const { observer, noted } = noting({ watch: () => Promise.resolve({ code: 200, lines: linesOf(left.shift() ?? []) }) });
    for (const _ of streams) {
      const answer = await noted.watch(NODES, never);
      observer.push('taken');
      if ('lines' in answer) for await (const [line] of answer.lines) observer.push(line?.type ?? '');
    }
    return observer;
  }

  test.each([
    { reason: 'is told before the line is handed on', streams: [[FAULT]], want: ['watching', 'taken', SAID, 'ERROR'] },
    {
      reason: 'the next one is not believed because it was taken',
      streams: [[FAULT], [FAULT]],
      want: ['watching', 'taken', SAID, 'ERROR', 'taken', SAID, 'ERROR'],
    },
    {
      reason: 'the next one is believed when it shows something',
      streams: [[FAULT], [MODIFIED], []],
      want: ['watching', 'taken', SAID, 'ERROR', 'taken', 'MODIFIED', 'watching', 'watching', 'taken'],
    },
    {
      reason: 'the next one is believed when it has come to its end',
      streams: [[FAULT], [], []],
      want: ['watching', 'taken', SAID, 'ERROR', 'taken', 'watching', 'watching', 'taken'],
    },
    {
      reason: 'what the watch cannot resume is listed again, and is trusted then',
      streams: [[MODIFIED, EXPIRED], [EXPIRED]],
      want: ['watching', 'taken', 'MODIFIED', FORGOTTEN, 'ERROR', 'watching', 'taken', FORGOTTEN, 'ERROR'],
    },
    {
      reason: 'that it has forgotten says nothing for it either',
      streams: [[FAULT], [EXPIRED], []],
      want: ['watching', 'taken', SAID, 'ERROR', 'taken', FORGOTTEN, 'ERROR', 'taken', 'watching'],
    },
  ])('$reason', async ({ streams, want }) => expect(await watched(...streams)).toEqual(want));

  test('is not trusted because it was aborted', async () => {
    const { observer, noted } = noting({
      watch: () => Promise.resolve({ code: 200, lines: linesOf(observer.length === 0 ? [FAULT] : []) }),
    });
    const stop = new AbortController();
    for (const signal of [never, stop.signal]) {
      const answer = await noted.watch(NODES, signal);
      stop.abort();
      await ('lines' in answer ? drain(answer.lines) : undefined);
    }
    expect(observer).toEqual(['watching', SAID]);
  });
});

test.each([
  { error: new Error('reset'), says: 'reset' },
  { error: new AggregateError([new Error('connect ECONNREFUSED ::1:6443')]), says: 'connect ECONNREFUSED ::1:6443' },
  { error: new AggregateError([]), says: 'no reason given' },
  { error: 'odd', says: 'odd' },
])('the reason of a failure: $says', ({ error, says }) => expect(reasonOf(error)).toBe(says));
