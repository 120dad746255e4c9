import { describe, expect, test } from 'vitest';
import { after, SECOND } from '../../base/index.ts';
import { aServer, statusOf, type Harness } from '../testing/harness.ts';
import type { ContainerLog, LogLine, LogsOf } from './log.ts';

const PODS = '/api/v1/namespaces/default/pods';
const LOG = `${PODS}/p/log`;
const POD = { metadata: { name: 'p' }, spec: { containers: [{ name: 'a', image: 'x' }] } };

async function* none(): AsyncGenerator<readonly LogLine[], undefined> {}

const logOf = (lines: readonly LogLine[], following: () => AsyncIterable<readonly LogLine[], undefined> = none): ContainerLog => ({
  lines,
  following,
});

async function withLog(log: (server: Harness) => ContainerLog | undefined, pod: object = POD): Promise<Harness> {
  const logsOf: LogsOf = ({ namespace, name }, container) =>
    `${namespace}/${name}/${container}` === 'default/p/a' ? log(server) : undefined;
  const server = await aServer({ logsOf });
  await server.create(PODS, pod);
  return server;
}

/** Three lines, ten seconds apart, the last just now. */
const threeLines = ({ clock }: Harness): ContainerLog => {
  const at = (seconds: number) => after(clock.now(), -seconds * SECOND);
  return logOf([
    { at: at(20), text: 'one\n' },
    { at: at(10), text: 'two\n' },
    { at: at(0), text: 'three' },
  ]);
};

async function texts(body: unknown): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const text of body as AsyncIterable<string>) found.push(text);
  return found;
}

describe('a log', () => {
  const cases: readonly { readonly query: Readonly<Record<string, string>>; readonly text: string; readonly reason?: string }[] = [
    { query: {}, text: 'one\ntwo\nthree' },
    { query: { container: 'a' }, text: 'one\ntwo\nthree' },
    { query: { tailLines: '2' }, text: 'two\nthree' },
    { query: { tailLines: '0' }, text: '' },
    { query: { tailLines: '9' }, text: 'one\ntwo\nthree' },
    { query: { limitBytes: '5' }, text: 'one\nt' },
    { query: { sinceSeconds: '10' }, text: 'two\nthree' },
    { query: { sinceSeconds: '5', tailLines: '2' }, text: 'three' },
    { query: { follow: 'false', previous: 'false' }, text: 'one\ntwo\nthree' },
  ];
  test.each(cases)('$query', async ({ query, text }) => {
    const server = await withLog(threeLines);
    expect(await server.get(LOG, query)).toEqual({ code: 200, body: text, mediaType: 'text/plain' });
  });

  test('with the times of its lines', async () => {
    const server = await withLog(threeLines);
    const { body } = await server.get(LOG, { timestamps: 'true', tailLines: '1' });
    expect(body).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ three$/);
  });

  test('is followed: what is there, then what comes, then the end', async () => {
    async function* more(): AsyncGenerator<readonly LogLine[], undefined> {
      await Promise.resolve();
      yield [
        { at: 0 as never, text: 'four\n' },
        { at: 0 as never, text: 'five\n' },
      ];
    }
    const server = await withLog((harness) => logOf(threeLines(harness).lines, more));
    const { body } = await server.get(LOG, { follow: 'true', tailLines: '1' });
    expect(await texts(body)).toEqual(['three', 'four\nfive\n']);
  });

  test('is followed no further than so many bytes', async () => {
    async function* more(): AsyncGenerator<readonly LogLine[], undefined> {
      for (;;) yield [{ at: 0 as never, text: await Promise.resolve('x'.repeat(10)) }];
    }
    const server = await withLog(() => logOf([], more));
    const { body } = await server.get(LOG, { follow: 'true', limitBytes: '25' });
    expect((await texts(body)).join('')).toHaveLength(25);
  });

  test('a reader who goes is told to the log', async () => {
    let left = false;
    const waits: AsyncIterable<readonly LogLine[], undefined> = {
      [Symbol.asyncIterator]: () => ({
        next: () => new Promise(() => {}),
        return: () => ((left = true), Promise.resolve({ done: true, value: undefined })),
      }),
    };
    const server = await withLog(() => logOf([], () => waits));
    const { body } = await server.get(LOG, { follow: 'true' });
    const reading = (body as AsyncIterable<string>)[Symbol.asyncIterator]();
    expect(await reading.next()).toEqual({ done: false, value: '' });
    void reading.next();
    await reading.return?.();
    expect(left).toBe(true);
  });

  test('that was not kept is empty', async () => {
    expect(await (await withLog(() => undefined)).get(LOG)).toMatchObject({ code: 200, body: '' });
    const server = await aServer();
    await server.create(PODS, POD);
    expect(await server.get(LOG)).toMatchObject({ code: 200, body: '' });
  });
});

describe('what is refused', () => {
  const two = {
    ...POD,
    spec: {
      containers: [
        { name: 'a', image: 'x' },
        { name: 'b', image: 'y' },
      ],
      initContainers: [{ name: 'i', image: 'z' }],
    },
  };
  const cases: readonly {
    readonly reason: string;
    readonly pod?: object;
    readonly path?: string;
    readonly query?: Readonly<Record<string, string>>;
    readonly code: number;
    readonly says: string;
  }[] = [
    { reason: 'another pod', path: `${PODS}/none/log`, code: 404, says: 'pods "none" not found' },
    { reason: 'another container', query: { container: 'z' }, code: 400, says: 'container z is not valid for pod p' },
    { reason: 'one of several', pod: two, code: 400, says: 'a container name must be specified for pod p, choose one of: [a b i]' },
    { reason: 'the run before', query: { previous: 'true' }, code: 400, says: 'previous terminated container "a" in pod "p" not found' },
    {
      reason: 'less than no lines',
      query: { tailLines: '-1' },
      code: 422,
      says: 'PodLogOptions "" is invalid: tailLines: Invalid value: -1: must be greater than or equal to 0',
    },
    {
      reason: 'no bytes',
      query: { limitBytes: '0' },
      code: 422,
      says: 'PodLogOptions "" is invalid: limitBytes: Invalid value: 0: must be greater than 0',
    },
    { reason: 'no number', query: { tailLines: 'x' }, code: 400, says: 'strconv.ParseInt: parsing "x": invalid syntax' },
  ];
  test.each(cases)('$reason', async ({ pod = POD, path = LOG, query = {}, code, says }) => {
    const server = await withLog(threeLines, pod);
    const answer = await server.get(path, query);
    expect([answer.code, statusOf(answer).message]).toEqual([code, says]);
  });

  test('a container that has not begun', async () => {
    const server = await withLog(() => undefined);
    const waiting = {
      name: 'a',
      ready: false,
      restartCount: 0,
      image: 'x',
      imageID: '',
      state: { waiting: { reason: 'ImagePullBackOff' } },
    };
    await server.merge(`${PODS}/p/status`, { status: { containerStatuses: [waiting] } });
    const answer = await server.get(LOG);
    expect([answer.code, statusOf(answer).message]).toEqual([400, 'container "a" in pod "p" is waiting to start: ImagePullBackOff']);
  });

  test('writing', async () => {
    const server = await withLog(threeLines);
    expect((await server.update(LOG, {})).code).toBe(405);
  });

  test('a log of anything but a pod', async () => {
    const server = await aServer();
    expect((await server.get('/api/v1/namespaces/default/log')).code).toBe(404);
  });
});
