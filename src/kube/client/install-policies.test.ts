import { describe, expect, test } from 'vitest';
import { admissionPolicies } from '../../api/policies/index.ts';
import { fakeClient, lostReply, refusal, type FakeCall } from '../../testkit/fake-client.ts';
import { installPolicies, missingPolicy } from './install-policies.ts';

const POLICIES = admissionPolicies('sickbay-system');
const PARTS = POLICIES.flatMap(({ policy, binding }) => [policy, binding]);

/** A server that has these objects, found by kind and name. */
const having =
  (objects: readonly { readonly kind: string; readonly metadata: { readonly name?: string }; readonly spec: unknown }[]) =>
  ({ verb, target }: FakeCall): unknown => {
    const [plural = '', name = ''] = target.split(' ');
    const isBinding = plural.startsWith('validatingadmissionpolicybindings');
    const found = objects.find(({ kind, metadata }) => metadata.name === name && kind.endsWith('Binding') === isBinding);
    if (verb === 'create' && found) throw refusal(409, 'AlreadyExists');
    if (verb === 'get' && !found) throw refusal(404, 'NotFound');
    return found;
  };

const tampered = PARTS.map((part, i) => (i === 0 ? { ...part, spec: { ...part.spec, failurePolicy: 'Ignore' } } : part));
/** As an earlier version of Sickbay installed them, with other texts. */
const reworded = PARTS.map((part) => {
  const { validations } = part.spec as { readonly validations?: readonly object[] };
  return validations
    ? { ...part, spec: { ...part.spec, validations: validations.map((rule) => ({ ...rule, messageExpression: "'no'" })) } }
    : part;
});
/** The first policy, with a rule that always holds. */
const weakened = PARTS.map((part, i) => {
  const { validations = [] } = part.spec as { readonly validations?: readonly object[] };
  return i === 0 ? { ...part, spec: { ...part.spec, validations: validations.map((rule) => ({ ...rule, expression: 'true' })) } } : part;
});
const verbs = (calls: readonly FakeCall[]): readonly string[] => calls.map(({ verb }) => verb);

describe('installing policies', () => {
  test('creates what is absent', async () => {
    const { client, calls } = fakeClient(having([]));
    await installPolicies(POLICIES, client);
    expect(calls.map(({ body }) => body)).toEqual(PARTS);
  });

  test('leaves what is there', async () => {
    const { client, calls } = fakeClient(having(PARTS));
    await installPolicies(POLICIES, client);
    expect(new Set(verbs(calls))).toEqual(new Set(['create', 'get']));
  });

  test('brings back what was changed', async () => {
    const { client, calls } = fakeClient(having(tampered));
    await installPolicies(POLICIES, client);
    expect(calls.filter(({ verb }) => verb === 'update').map(({ body }) => body)).toEqual([PARTS[0]]);
  });

  test('updates the texts of denials', async () => {
    const { client, calls } = fakeClient(having(reworded));
    await installPolicies(POLICIES, client);
    expect(verbs(calls).filter((verb) => verb === 'update')).toHaveLength(POLICIES.length);
  });

  test('says what the server objects to', async () => {
    const { client } = fakeClient(() => {
      throw refusal(403, 'Forbidden');
    });
    await expect(installPolicies(POLICIES, client)).rejects.toMatchObject({ code: 'Forbidden' });
  });
});

describe('policies are missed', () => {
  const NAME = 'validatingadmissionpolicies.admissionregistration.k8s.io sickbay-approvals';
  const forbids = (): never => {
    throw refusal(403, 'Forbidden');
  };

  test.each([
    ['not where all are in force', having(PARTS), undefined],
    ['where one is not there', having([]), `${NAME} is not there`],
    ['where one was changed', having(tampered), `${NAME} is not as it should be`],
    ['where a rule was weakened', having(weakened), `${NAME} is not as it should be`],
    ['not where only the texts of denials differ', having(reworded), undefined],
    ['where they may not be read', forbids, `${NAME} may not be read`],
    [
      'where one is not in force',
      having(PARTS.slice(0, -1)),
      'validatingadmissionpolicybindings.admissionregistration.k8s.io sickbay-statuses is not there',
    ],
  ])('%s', async (_title, answer, want) => expect(await missingPolicy(POLICIES, fakeClient(answer).client)).toBe(want));

  test('no answer is no verdict', async () => {
    const { client } = fakeClient(() => {
      throw lostReply();
    });
    await expect(missingPolicy(POLICIES, client)).rejects.toMatchObject({ code: 'Unavailable' });
  });
});
