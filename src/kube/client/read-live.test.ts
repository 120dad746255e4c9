import { describe, expect, test } from 'vitest';
import { fakeClient, lostReply, refusal } from '../../testkit/fake-client.ts';
import { ask, askList } from './read-live.ts';
import { WIDGETS } from '../testing/widget.ts';

const fails = (error: Error) => () => Promise.reject(error);

describe('a read', () => {
  test('is a value', async () => expect(await ask(() => Promise.resolve(7))).toEqual({ kind: 'value', value: 7 }));

  test('is absent on the word of the server', async () =>
    expect(await ask(fails(refusal(404, 'NotFound', { details: { name: 'cart' } })))).toEqual({ kind: 'absent' }));

  test('is absent with its whole kind where the server does not even name it', async () =>
    expect(await ask(fails(refusal(404, 'NotFound')))).toEqual({ kind: 'absent', isKindUnknown: true }));

  test.each([refusal(403, 'Forbidden'), refusal(503, 'ServiceUnavailable'), lostReply(), new Error('a mistake')])(
    'is unreadable, never absent: %s',
    async (error) => expect(await ask(fails(error))).toEqual({ kind: 'unreadable', reason: error.message }),
  );

  test('throws once it was stopped', async () => {
    await expect(ask(fails(lostReply()), AbortSignal.abort())).rejects.toThrow('the connection broke');
    expect(await ask(fails(lostReply()), new AbortController().signal)).toMatchObject({ kind: 'unreadable' });
  });
});

describe('a list', () => {
  test('is its items', async () => {
    const { client, calls } = fakeClient(() => ({ items: [1, 2], resourceVersion: '7' }));
    expect(await askList(client, WIDGETS, { namespace: 'shop' })).toEqual({ kind: 'value', value: [1, 2] });
    expect(calls).toMatchObject([{ verb: 'list', options: { namespace: 'shop' } }]);
  });

  test('of a kind that is not served is unreadable, not empty', async () => {
    const { client } = fakeClient(() => {
      throw refusal(404, 'NotFound');
    });
    expect(await askList(client, WIDGETS, {})).toEqual({ kind: 'unreadable', reason: 'widgets.client.example.com is not served' });
  });

  test('that cannot be read reports why', async () => {
    const { client } = fakeClient(() => {
      throw refusal(403, 'Forbidden');
    });
    expect(await askList(client, WIDGETS, {})).toEqual({ kind: 'unreadable', reason: 'Forbidden' });
  });
});
