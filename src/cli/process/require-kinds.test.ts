import { describe, expect, test } from 'vitest';
import { kinds } from '../../api/index.ts';
import { fakeClient, lostReply, refusal } from '../../testkit/fake-client.ts';
import { demandKinds } from './require-kinds.ts';

const EMPTY = { items: [], resourceVersion: '1' };

describe('kinds are demanded', () => {
  test('with one small request each, however many objects there are', async () => {
    const { client, calls } = fakeClient(() => EMPTY);
    await demandKinds(client, 'sickbay-system');
    expect(calls).toHaveLength(kinds.length);
    for (const { verb, options } of calls)
      expect({ verb, options }).toEqual({ verb: 'list', options: { namespace: 'sickbay-system', fieldSelector: 'metadata.name=none' } });
  });

  test('the first that is not served is named, with what to do', async () => {
    const { client, calls } = fakeClient(({ target }) => {
      if (target.startsWith('remediationworkflows')) throw refusal(404, 'NotFound');
      return EMPTY;
    });
    await expect(demandKinds(client, 'sickbay-system')).rejects.toMatchObject({
      code: 'Unavailable',
      message:
        'the cluster does not serve remediationworkflows.kubernaut.ai: install its kinds with --install, or with kubectl apply -f deploy/crds',
    });
    expect(calls.at(-1)?.target).toContain('remediationworkflows');
  });

  test.each([
    { error: refusal(403, 'Forbidden'), code: 'Forbidden', reason: 'a kind that may not be seen may well be served' },
    { error: refusal(401, 'Unauthorized'), code: 'Unauthorized', reason: 'the served kinds cannot be listed without credentials' },
    { error: lostReply(), code: 'Unavailable', reason: 'there was no answer' },
  ])('$code is passed on: $reason', async ({ error }) => {
    const { client } = fakeClient(() => {
      throw error;
    });
    await expect(demandKinds(client, 'sickbay-system')).rejects.toBe(error);
  });
});
