import { describe, expect, test } from 'vitest';
import type { ClusterRole, PolicyRule } from '../builtin/index.ts';
import { awxRights, openShiftRights, ownRights, type Grant } from './index.ts';
import { allow } from './grant.ts';
import { Deployment, Pod, Secret } from '../builtin/index.ts';

const PLACES = { namespace: 'system', executionNamespace: 'runs' };
const ALL = [...ownRights(PLACES), ...awxRights(PLACES), ...openShiftRights(PLACES)];

const rulesOf = ({ draft }: Grant): readonly PolicyRule[] => (draft as Partial<Pick<ClusterRole, 'rules'>>).rules ?? [];
const rules = ALL.flatMap(rulesOf);
const named = (kind: string, name: string): readonly PolicyRule[] =>
  ALL.filter(({ draft }) => draft.kind === kind && draft.metadata.name === name).flatMap(rulesOf);

describe('a rule', () => {
  test('is of one group: across groups it would allow more than is meant', () =>
    expect(allow(['get'], [Deployment, Pod])).toEqual([
      { apiGroups: ['apps'], resources: ['deployments'], verbs: ['get'] },
      { apiGroups: [''], resources: ['pods'], verbs: ['get'] },
    ]));

  test('is of certain names, or of a subresource', () => {
    expect(allow(['get'], [Secret], { names: ['one'] })).toEqual([
      { apiGroups: [''], resources: ['secrets'], resourceNames: ['one'], verbs: ['get'] },
    ]);
    expect(allow(['create'], [Pod], { subresource: 'eviction' })).toEqual([
      { apiGroups: [''], resources: ['pods/eviction'], verbs: ['create'] },
    ]);
  });
});

describe('the rights', () => {
  test('name everything they allow', () =>
    expect(rules.flatMap(({ apiGroups = [], resources = [], verbs }) => [...apiGroups, ...resources, ...verbs])).not.toContain('*'));

  test('do not let their holder gain more rights', () =>
    expect(rules.flatMap(({ verbs }) => verbs).filter((verb) => /impersonate|bind|escalate|deletecollection/.test(verb))).toEqual([]));

  test('change no workload', () => {
    const isReview = ({ resources }: PolicyRule): boolean => resources?.every((resource) => resource.endsWith('reviews')) === true;
    const verbs = named('ClusterRole', 'sickbay')
      .filter((rule) => !isReview(rule))
      .flatMap((rule) => rule.verbs);
    expect([...new Set(verbs)].toSorted()).toEqual(['get', 'list', 'watch']);
  });

  test('show no Secret but one that is asked for by its name', () => {
    const ofSecrets = rules.filter(({ resources }) => resources?.includes('secrets') === true);
    expect(ofSecrets.flatMap(({ verbs }) => verbs)).toEqual(['get', 'get']);
  });

  test('hold tokens back where there is no AWX', () => {
    const mayToken = (grants: readonly Grant[]): boolean =>
      grants.flatMap(rulesOf).some(({ resources }) => resources?.includes('serviceaccounts/token') === true);
    expect([mayToken(ownRights(PLACES)), mayToken(awxRights(PLACES))]).toEqual([false, true]);
  });

  test('are those of the account in its own namespace, wherever they hold', () => {
    const subjects = ALL.flatMap(({ draft }) => (draft as { readonly subjects?: readonly object[] }).subjects ?? []);
    expect(new Set(subjects.map((subject) => JSON.stringify(subject)))).toEqual(
      new Set([JSON.stringify({ kind: 'ServiceAccount', name: 'sickbay', namespace: 'system' })]),
    );
  });
});
