import type { ServerResponse } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import { after, seededRandom, silent, systemClock } from '../../base/index.ts';
import { ManualClock } from '../../testkit/manual-clock.ts';
import { createMemoryApi } from '../memory-api.ts';
import { rawClient, type RawClient } from '../testing/raw-client.ts';
import { serveApi } from './serve-api.ts';
import { Waiting } from './waiting.ts';

const MIB = 1024 * 1024;

const pause = (ms: number): Promise<void> => systemClock.waitUntil(after(systemClock.now(), ms), new AbortController().signal);

function clients(count: number) {
  const ended: number[] = [];
  const responses = Array.from({ length: count }, (_, i) => ({ destroy: () => void ended.push(i) }) as unknown as ServerResponse);
  return { ended, responses };
}

describe('what waits for clients', () => {
  test('may be as much as the limit; above it the client that has waited longest is hung up on', () => {
    const { ended, responses } = clients(3);
    const [a, b, c] = responses as [ServerResponse, ServerResponse, ServerResponse];
    const waiting = new Waiting(100);
    waiting.set(a, 50);
    waiting.set(b, 50);
    expect(ended).toEqual([]);
    waiting.set(c, 10);
    expect(ended).toEqual([0]);
    waiting.set(b, 90);
    expect(ended).toEqual([0]);
    waiting.set(c, 11);
    expect(ended).toEqual([0, 1]);
  });

  test('may be more for one alone', () => {
    const { ended, responses } = clients(1);
    new Waiting(100).set(responses[0]!, 1_000);
    expect(ended).toEqual([]);
  });

  test('is forgotten for those who have read it', () => {
    const { ended, responses } = clients(3);
    const waiting = new Waiting(100);
    for (const response of responses) {
      waiting.set(response, 90);
      waiting.delete(response);
      waiting.delete(response);
    }
    expect(ended).toEqual([]);
  });
});

describe('served', () => {
  const TOKEN = 'open-sesame';
  const MAPS = '/api/v1/namespaces/default/configmaps';

  async function served() {
    const api = createMemoryApi({ clock: new ManualClock(), random: seededRandom(1) });
    for (const name of ['a', 'b', 'c', 'd'])
      await api.request({ method: 'POST', path: MAPS, body: { metadata: { name }, data: { x: 'x'.repeat(MIB) } } });
    const server = await serveApi({ api, token: TOKEN, log: silent });
    onTestFinished(async () => {
      api.close();
      await server.close();
    });
    return server;
  }
  const head = (line: string, ...more: readonly string[]): string =>
    [line, 'host: x', `authorization: Bearer ${TOKEN}`, ...more, '', ''].join('\r\n');

  /** How many of so many clients are still connected, when one more has got its answer. */
  async function left(url: string, count: number, text: string): Promise<number> {
    const open: RawClient[] = [];
    for (let i = 0; i < count; i++) open.push(await rawClient(url, text, { paused: true }));
    onTestFinished(() => open.forEach(({ socket }) => socket.destroy()));
    await pause(300);
    const answer = await fetch(`${url}/readyz`, { headers: { authorization: `Bearer ${TOKEN}` } });
    expect(await answer.text()).toBe('ok');
    for (const { socket } of open) socket.resume();
    const isGone = ({ socket }: RawClient): boolean => socket.closed || socket.readableEnded;
    for (let i = 0; i < 500 && !open.some(isGone); i++) await pause(10);
    return open.filter((client) => !isGone(client)).length;
  }

  test('lists that are not read are not kept for all', async () => {
    const { url } = await served();
    const watchers = await left(url, 30, head(`GET ${MAPS} HTTP/1.1`));
    expect(watchers).toBeLessThan(30);
  });

  test('bodies that are not finished are not kept for all', async () => {
    const { url } = await served();
    const part = 'x'.repeat(2 * MIB);
    const text = head(`POST ${MAPS} HTTP/1.1`, 'content-type: application/json', `content-length: ${3 * MIB}`) + part;
    expect(await left(url, 60, text)).toBeLessThan(60);
  });
});
