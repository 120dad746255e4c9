import { describe, expect, test } from 'vitest';
import type { ClusterRole, PolicyRule } from '../builtin/index.ts';
import { machineOwnerRights, OWNER_ACCOUNT, ownRights, type Grant } from './index.ts';

const PLACES = { namespace: 'system', executionNamespace: 'runs' };
const OWNER = machineOwnerRights(PLACES);

const rulesOf = ({ draft }: Grant): readonly PolicyRule[] => (draft as Partial<Pick<ClusterRole, 'rules'>>).rules ?? [];
const mayDelete = (grants: readonly Grant[], plural: string): boolean =>
  grants.flatMap(rulesOf).some(({ resources = [], verbs }) => resources.includes(plural) && verbs.includes('delete'));
const subjectsOf = ({ draft }: Grant): readonly string[] =>
  ((draft as { readonly subjects?: readonly { readonly name: string }[] }).subjects ?? []).map(({ name }) => name);

describe('the rights of the local owner', () => {
  test.each(['machines', 'nodes'])('are the only rights to delete %s', (plural) =>
    expect([mayDelete(OWNER, plural), mayDelete(ownRights(PLACES), plural)]).toEqual([true, false]),
  );

  test('are those of an account of its own', () => {
    const account = { resource: expect.anything() as unknown, draft: expect.objectContaining({ kind: 'ServiceAccount' }) as unknown };
    expect(OWNER[0]).toEqual(account);
    expect(OWNER[0]?.draft.metadata).toEqual({ name: OWNER_ACCOUNT, namespace: 'system' });
    expect(OWNER.flatMap(subjectsOf).filter((name) => name !== OWNER_ACCOUNT)).toEqual(['sickbay']);
  });

  test('let ours ask for tokens of that account, and of no other', () => {
    const ours = OWNER.find(({ draft }) => draft.kind === 'Role' && draft.metadata.name === `${OWNER_ACCOUNT}-token`);
    expect(ours && rulesOf(ours)).toEqual([
      { apiGroups: [''], resources: ['serviceaccounts/token'], resourceNames: [OWNER_ACCOUNT], verbs: ['create'] },
    ]);
  });

  test('let it see and change one ConfigMap, the ledger', () => {
    const rules = OWNER.flatMap(rulesOf).filter(({ resources = [] }) => resources.includes('configmaps'));
    expect(rules).toEqual([
      { apiGroups: [''], resources: ['configmaps'], resourceNames: ['sickbay-budget'], verbs: ['get', 'patch'] },
      { apiGroups: [''], resources: ['configmaps'], verbs: ['create'] },
    ]);
  });

  test('name everything they allow, and show no Secret', () => {
    const named = OWNER.flatMap(rulesOf).flatMap(({ apiGroups = [], resources = [], verbs }) => [...apiGroups, ...resources, ...verbs]);
    expect(named).not.toContain('*');
    expect(named).not.toContain('secrets');
  });
});
