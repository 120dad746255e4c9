import { describe, expect, test } from 'vitest';
import { AwxApi, jobPath } from './awx-api.ts';
import { AwxError } from './awx-error.ts';
import type { AwxRequest, AwxResponse } from './awx-request.ts';

/** An AWX that gives these answers, one after the other. */
function answering(...answers: readonly (AwxResponse | Error)[]) {
  const asked: AwxRequest[] = [];
  const left = [...answers];
  const api = new AwxApi(
    (request) => {
      asked.push(request);
      const answer = left.shift() ?? { code: 500, text: '' };
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
    },
    { apiURL: 'https://awx.example.com//', token: 'secret-token' },
  );
  return { api, asked };
}

const page = (results: unknown, next?: unknown): AwxResponse => ({
  code: 200,
  text: JSON.stringify({ results, ...(next !== undefined && { next }) }),
});
const failure = (action: Promise<unknown>): Promise<AwxError> =>
  action.then(
    () => {
      throw new Error('it did not fail');
    },
    (error: unknown) => error as AwxError,
  );

describe('a collection', () => {
  test('is read page by page, until AWX says that there is no next', async () => {
    const one = { id: 1, name: 'a', extra: true };
    const { api, asked } = answering(page([one], '?page=2'), page([{ id: 2, name: 'b' }], null));
    expect(await api.list('/api/v2/credentials/', { name: 'x' })).toEqual([
      { id: 1, name: 'a', fields: one },
      { id: 2, name: 'b', fields: { id: 2, name: 'b' } },
    ]);
    const request = { method: 'GET', path: '/api/v2/credentials/', apiURL: 'https://awx.example.com', token: 'secret-token' };
    expect(asked).toEqual([
      { ...request, query: { name: 'x', page_size: '200', page: '1' } },
      { ...request, query: { name: 'x', page_size: '200', page: '2' } },
    ]);
  });

  test('of one page need not say that there is no next', async () =>
    expect(await answering(page([])).api.list('/api/v2/jobs/')).toEqual([]));

  test('of ten pages is read, and one of more is not taken for what was read of it', async () => {
    const pages = (count: number) =>
      Array.from({ length: count }, (_, i) => page([{ id: i, name: 'n' }], i === 9 && count === 10 ? null : 'more'));
    expect(await answering(...pages(10)).api.list('/api/v2/jobs/')).toHaveLength(10);
    const { api, asked } = answering(...pages(11));
    expect(await failure(api.list('/api/v2/jobs/'))).toMatchObject({
      code: 'Internal',
      message: 'GET /api/v2/jobs/: there are more than 10 results',
    });
    expect(asked).toHaveLength(10);
  });

  test.each([
    { name: 'no list', answer: page({}), says: 'is no page of results' },
    { name: 'no objects', answer: page(['x']), says: 'has a result without id or name' },
    { name: 'no id', answer: page([{ name: 'a' }]), says: 'has a result without id or name' },
    { name: 'an id that is text', answer: page([{ id: '1', name: 'a' }]), says: 'has a result without id or name' },
    { name: 'an id that is no whole number', answer: page([{ id: 1.5, name: 'a' }]), says: 'has a result without id or name' },
    { name: 'no name', answer: page([{ id: 1 }]), says: 'has a result without id or name' },
  ])('with $name in it is no answer of AWX', async ({ answer, says }) => {
    expect(await failure(answering(answer).api.list('/api/v2/jobs/'))).toMatchObject({
      code: 'Internal',
      message: `GET /api/v2/jobs/: the answer ${says} (check that ansible.apiURL leads to AWX and not to a proxy or a login page)`,
    });
  });
});

describe('that something is gone', () => {
  test.each([
    { text: '{"detail":"Not found."}', isGone: true },
    { text: ' \n{\n"detail":"Not found."}', isGone: true },
    { text: 'proxy: {"detail":"Not found."}', isGone: false },
    { text: '{"error":"no route"}', isGone: false },
    { text: '', isGone: false },
  ])('only AWX itself can say: $text', async ({ text, isGone }) => {
    const found = answering({ code: 404, text }).api.find(jobPath(7));
    if (isGone) expect(await found).toBeUndefined();
    else expect(await failure(found)).toMatchObject({ code: 'NotFound' });
  });

  test('is what was wanted of a deletion, whose answers are three', async () => {
    for (const code of [202, 204]) await answering({ code, text: '' }).api.remove('/api/v2/credentials/1/');
    await answering({ code: 404, text: '{"detail":"x"}' }).api.remove('/api/v2/credentials/1/');
    expect(await failure(answering({ code: 200, text: '{}' }).api.remove('/api/v2/credentials/1/'))).toMatchObject({ code: 'Internal' });
  });
});

test('what is found is asked for with its query, or with none', async () => {
  const { api, asked } = answering({ code: 200, text: '{"a":1}' }, { code: 200, text: '{}' });
  expect(await api.find('/api/v2/jobs/1/stdout/', { format: 'json' })).toEqual({ a: 1 });
  expect(await api.find(jobPath(1))).toEqual({});
  expect(asked.map(({ query }) => query)).toEqual([{ format: 'json' }, undefined]);
});

describe('what AWX says against it', () => {
  const refusal = (code: number, text: string, path = '/api/v2/credentials/') =>
    failure(answering({ code, text }).api.create(path, { inputs: 'hunter2' }));

  test.each([
    {
      name: 'which fields, and never what was in them',
      text: '{"inputs":["bad hunter2"],"name":["x"]}',
      says: 'AWX answered 400 about inputs, name',
    },
    { name: 'nothing of keys that are no fields', text: '{"hunter2":1,"Bad":1,"x1":1,"a b":1}', says: 'AWX answered 400' },
    { name: 'nothing that is no JSON', text: 'hunter2 is bad', says: 'AWX answered 400' },
    { name: 'nothing', text: '  ', says: 'AWX answered 400' },
    { name: 'no page for browsers', text: ' <html>hunter2</html>', says: 'AWX answered 400' },
  ])('is told with $name', async ({ text, says }) => expect((await refusal(400, text)).message).toBe(`POST /api/v2/credentials/: ${says}`));

  test('is told in its words for a launch, since these name no Secrets', async () =>
    expect((await refusal(400, ' {"credentials":["gone"]}\n', '/api/v2/job_templates/1/launch/')).message).toBe(
      'POST /api/v2/job_templates/1/launch/: AWX answered 400: {"credentials":["gone"]}',
    ));

  test.each([
    [400, 'Invalid'],
    [401, 'Unauthorized'],
    [403, 'Forbidden'],
    [404, 'NotFound'],
    [409, 'Conflict'],
    [429, 'TooManyRequests'],
    [499, 'Internal'],
    [500, 'Unavailable'],
    [503, 'Unavailable'],
  ])('has a code of ours: %s is %s', async (code, want) => expect(await refusal(code, '')).toMatchObject({ name: 'AwxError', code: want }));
});

test('a call without an answer tells what was asked of whom, and why none came', async () => {
  const cause = new Error('connect ECONNREFUSED');
  const error = await failure(answering(cause).api.find(jobPath(7)));
  expect(error).toMatchObject({
    name: 'AwxError',
    code: 'Unavailable',
    message: 'GET /api/v2/jobs/7/: no answer from https://awx.example.com: connect ECONNREFUSED',
    cause,
  });
  const own = new AwxError('Forbidden', 'said by us');
  expect(await failure(answering(own).api.find(jobPath(7)))).toBe(own);
});
