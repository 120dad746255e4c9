import { describe, expect, test } from 'vitest';
import { admissionPolicies } from '../../api/policies/index.ts';
import { MINUTE, silent, turn, type Logger } from '../../base/index.ts';
import { fakeClient, lostReply, refusal } from '../../testkit/fake-client.ts';
import { ManualClock } from '../../testkit/manual-clock.ts';
import { watchPolicies } from './watch-policies.ts';

type State = 'there' | 'absent' | 'silent';

/** A cluster whose policies come and go. */
async function watched(state: State) {
  const cluster = { state };
  const said: string[] = [];
  const log: Logger = { ...silent, warn: (message) => void said.push(message), info: (message) => void said.push(message) };
  const parts = admissionPolicies('sickbay-system').flatMap(({ policy, binding }) => [policy, binding]);
  const { client } = fakeClient(({ target }) => {
    if (cluster.state === 'silent') throw lostReply();
    if (cluster.state === 'absent') throw refusal(404, 'NotFound');
    const [plural = '', name] = target.split(' ');
    return parts.find(({ kind, metadata }) => metadata.name === name && kind.endsWith('Binding') === plural.includes('bindings'));
  });
  const clock = new ManualClock();
  const policies = await watchPolicies({ client, namespace: 'sickbay-system', clock, log });
  const stop = new AbortController();
  const ended = policies.run(stop.signal);
  return {
    policies,
    said,
    async later(next: State) {
      cluster.state = next;
      await clock.advance(MINUTE);
      for (let i = 0; i < 20; i++) await turn();
    },
    async end() {
      stop.abort();
      await ended;
    },
  };
}

describe('whether the cluster checks who approves', () => {
  test('is quiet where it does', async () => {
    const { policies, said, end } = await watched('there');
    expect(policies.isChecked()).toBe(true);
    expect(said).toEqual([]);
    await end();
  });

  test.each([
    ['absent', 'NO APPROVAL COUNTS'],
    ['silent', 'cannot read whether'],
  ] as const)('counts as no where it is %s, with a warning', async (state, words) => {
    const { policies, said, end } = await watched(state);
    expect(policies.isChecked()).toBe(false);
    expect(said).toEqual([expect.stringContaining(words)]);
    await end();
  });

  test('is noticed when it changes, and said once', async () => {
    const { policies, said, later, end } = await watched('there');
    await later('absent');
    expect(policies.isChecked()).toBe(false);
    await later('absent');
    expect(said).toHaveLength(1);
    await later('there');
    expect(policies.isChecked()).toBe(true);
    expect(said.at(-1)).toContain('approvals count');
    await end();
  });

  test('stays as it was while the server does not answer', async () => {
    const { policies, later, end } = await watched('there');
    await later('silent');
    expect(policies.isChecked()).toBe(true);
    await end();
  });
});
