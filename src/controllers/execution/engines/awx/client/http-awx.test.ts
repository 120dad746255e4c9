import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import type { AwxRequest } from './awx-request.ts';
import { AWX_LIMITS, httpAwx } from './http-awx.ts';

interface Came {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A server that writes down what reaches it and gives one answer. */
async function listening(answer: string) {
  const came: Came[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      came.push({ method: request.method, url: request.url, headers: request.headers, body: Buffer.concat(chunks).toString() });
      response.end(answer);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const apiURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const http = httpAwx({ ...AWX_LIMITS, bytes: 10 });
  return {
    came,
    http,
    ask: (request: Partial<AwxRequest>, signal?: AbortSignal) =>
      http.send({ method: 'GET', apiURL, token: 'abc', path: '/api/v2/jobs/', ...request }, signal),
    async [Symbol.asyncDispose]() {
      await http.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test('a question has no body, and says who asks', async () => {
  await using here = await listening('{}');
  expect(await here.ask({ query: { name: 'a b&c', page: '1' } })).toEqual({ code: 200, text: '{}' });
  const [{ method, url, headers, body } = { method: '', url: '', headers: {}, body: '?' }] = here.came;
  expect({ method, url, body }).toEqual({ method: 'GET', url: '/api/v2/jobs/?name=a+b%26c&page=1', body: '' });
  expect(headers).toMatchObject({ accept: 'application/json', authorization: 'Bearer abc', 'user-agent': 'sickbay' });
  expect(headers).not.toHaveProperty('content-type');
});

test('what is sent is JSON, and says so', async () => {
  await using here = await listening('{}');
  await here.ask({ method: 'POST', body: { a: 1 } });
  expect(here.came).toMatchObject([{ method: 'POST', body: '{"a":1}', headers: { 'content-type': 'application/json' } }]);
});

test.each([
  { length: 10, isTaken: true },
  { length: 11, isTaken: false },
])('an answer of $length bytes where 10 are let in: $isTaken', async ({ length, isTaken }) => {
  await using here = await listening('x'.repeat(length));
  const answer = here.ask({});
  if (isTaken) expect(await answer).toMatchObject({ text: 'x'.repeat(length) });
  else await expect(answer).rejects.toMatchObject({ code: 'Unavailable', message: 'the answer is longer than 10 bytes' });
});

test('a cancelled request gets no answer, and after the client is closed no request does', async () => {
  await using here = await listening('{}');
  await expect(here.ask({}, AbortSignal.abort(new Error('given up')))).rejects.toThrow('given up');
  await here.http.close();
  await expect(here.ask({})).rejects.toThrow(/destroyed/);
  expect(here.came).toEqual([]);
});
