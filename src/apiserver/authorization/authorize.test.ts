import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PolicyRule } from '../../kube/builtin/index.ts';
import { aUser } from '../testing/guarded-api.ts';
import { onResource, type Attributes } from './attributes.ts';
import { authorize, type RuleLookup } from './authorize.ts';
import { ruleAllows } from './rule-allows.ts';

const on = (given: Parameters<typeof onResource>[0]): Attributes =>
  onResource({ verb: 'get', resource: 'pods', namespace: 'default', ...given });
const at = (path: string, verb = 'get'): Attributes => ({ kind: 'path', verb, path });
const pods: PolicyRule = { verbs: ['get'], apiGroups: [''], resources: ['pods'] };
const path = (...nonResourceURLs: string[]): PolicyRule => ({ verbs: ['get'], nonResourceURLs });

describe('what one rule allows', () => {
  test.each<[boolean, string, PolicyRule, Attributes]>([
    [true, 'exactly what it says', pods, on({})],
    [true, 'any object of it', pods, on({ name: 'web-1' })],
    [false, 'another verb', pods, on({ verb: 'list' })],
    [false, 'a verb in capitals', pods, on({ verb: 'GET' })],
    [false, 'no verb at all', pods, on({ verb: '' })],
    [false, 'the word that means every verb', pods, on({ verb: '*' })],
    [false, 'another group', pods, on({ group: 'apps' })],
    [false, 'a subresource', pods, on({ subresource: 'log' })],
    [false, 'a resource whose name only begins the same', pods, on({ resource: 'podsx' })],
    [true, 'every verb by a star', { ...pods, verbs: ['*'] }, on({ verb: 'impersonate' })],
    [true, 'every group by a star', { ...pods, apiGroups: ['*'] }, on({ group: 'metrics.k8s.io' })],
    [true, 'every resource by a star', { ...pods, resources: ['*'] }, on({ resource: 'secrets' })],
    [true, 'every subresource by the same star', { ...pods, resources: ['*'] }, on({ subresource: 'exec' })],
    [false, 'a star does not stand for a part', { ...pods, resources: ['po*'] }, on({})],
    [true, 'one subresource', { ...pods, resources: ['pods/log'] }, on({ subresource: 'log' })],
    [false, 'the subresource is not the resource', { ...pods, resources: ['pods/log'] }, on({})],
    [true, 'one subresource of everything', { ...pods, resources: ['*/scale'] }, on({ resource: 'deployments', subresource: 'scale' })],
    [false, 'and nothing else of it', { ...pods, resources: ['*/scale'] }, on({ resource: 'deployments' })],
    [false, 'nor a subresource that ends the same', { ...pods, resources: ['*/scale'] }, on({ subresource: 'upscale' })],
    [false, 'no subresource of everything is nothing', { ...pods, resources: ['*/'] }, on({})],
    [false, 'all subresources of one resource cannot be written', { ...pods, resources: ['pods/*'] }, on({ subresource: 'log' })],
    [true, 'a named object', { ...pods, resourceNames: ['web'] }, on({ name: 'web' })],
    [false, 'an object of another name', { ...pods, resourceNames: ['web'] }, on({ name: 'db' })],
    [false, 'a request that names none, such as a list', { ...pods, resourceNames: ['web'] }, on({ name: '' })],
    [false, 'a star is no name', { ...pods, resourceNames: ['*'] }, on({ name: 'web' })],
    [false, 'paths are no resources', { verbs: ['*'], apiGroups: ['*'], resources: ['*'] }, at('/metrics')],
    [false, 'resources are no paths', { verbs: ['*'], nonResourceURLs: ['*'] }, on({})],
    [true, 'a path', path('/metrics'), at('/metrics')],
    [false, 'a path below it', path('/metrics'), at('/metrics/x')],
    [true, 'all below by a star', path('/logs/*'), at('/logs/a/b')],
    [false, 'but not the path without its slash', path('/logs/*'), at('/logs')],
    [true, 'a star right after a word', path('/health*'), at('/healthz')],
    [true, 'every path', path('*'), at('/')],
    [false, 'a star in the middle stands for itself', path('/a/*/c'), at('/a/b/c')],
    [true, 'and only for itself', path('/a/*/c'), at('/a/*/c')],
    [false, 'a path with another verb', path('/metrics'), at('/metrics', 'post')],
    [false, 'a rule that says nothing', { verbs: [] }, on({})],
    [false, 'a rule with verbs only', { verbs: ['*'] }, on({})],
    [false, 'a rule with verbs only, on a path', { verbs: ['*'] }, at('/')],
    [false, 'no group is not every group', { verbs: ['*'], resources: ['*'] }, on({})],
    [false, 'a name of the prototype', { ...pods, resources: ['constructor'] }, on({ resource: '__proto__' })],
  ])('%s: %s', (allowed, _reason, rule, attributes) => {
    expect(ruleAllows(rule, attributes)).toBe(allowed);
  });
});

describe('verdicts', () => {
  const grant = (rule: PolicyRule): RuleLookup => ({ rule, by: 'RoleBinding "b/default" of Role "r" to User "anna"' });

  test('names the binding that allows it', () => {
    const verdict = authorize(aUser('anna'), on({}), [grant({ ...pods, verbs: ['list'] }), grant(pods)]);
    expect(verdict).toEqual({ allowed: true, reason: 'RBAC: allowed by RoleBinding "b/default" of Role "r" to User "anna"' });
  });

  test('without rules nothing is allowed', () => {
    expect(authorize(aUser('anna'), on({}), [])).toEqual({ allowed: false, reason: '' });
  });

  test('says which roles were not found, each once', () => {
    const problem = { problem: 'role.rbac.authorization.k8s.io "x" not found' };
    expect(authorize(aUser('anna'), on({}), [problem, problem]).reason).toBe('RBAC: role.rbac.authorization.k8s.io "x" not found');
    expect(authorize(aUser('anna'), on({}), [problem, { problem: 'y' }]).reason).toBe(
      'RBAC: [role.rbac.authorization.k8s.io "x" not found, y]',
    );
  });

  test('a role that is not found takes nothing away', () => {
    expect(authorize(aUser('anna'), on({}), [{ problem: 'x' }, grant(pods)]).allowed).toBe(true);
  });

  test('system:masters may everything, and only that very group', () => {
    expect(authorize(aUser('x', ['system:masters']), at('/'), [])).toEqual({ allowed: true, reason: '' });
    expect(authorize(aUser('system:masters'), at('/'), []).allowed).toBe(false);
    expect(authorize(aUser('x', ['System:masters', 'system:masters ']), at('/'), []).allowed).toBe(false);
  });
});

const word = fc.constantFrom('*', '', 'get', 'list', 'pods', 'pods/log', '*/log', 'apps', 'web', '/x', '/x/*', '/x/y');
const words = fc.array(word, { maxLength: 3 });
const anyRule: fc.Arbitrary<PolicyRule> = fc.record(
  { verbs: words, apiGroups: words, resources: words, resourceNames: words, nonResourceURLs: words },
  { requiredKeys: ['verbs'] },
);
const anyAsk: fc.Arbitrary<Attributes> = fc.oneof(
  fc.record({ kind: fc.constant('path' as const), verb: word, path: word }),
  fc.record({ verb: word, group: word, resource: word, subresource: word, namespace: word, name: word }).map(onResource),
);
const granted = (rules: readonly PolicyRule[]): RuleLookup[] => rules.map((rule) => ({ rule, by: 'x' }));

describe('whatever the rules are', () => {
  test('adding a rule never takes a right away', () => {
    fc.assert(
      fc.property(fc.array(anyRule), anyRule, anyAsk, fc.nat(), (rules, more, ask, place) => {
        const before = authorize(aUser('anna'), ask, granted(rules)).allowed;
        const after = authorize(aUser('anna'), ask, granted(rules.toSpliced(place % (rules.length + 1), 0, more))).allowed;
        expect(after || !before).toBe(true);
      }),
    );
  });

  test('what is allowed is allowed by one of the rules alone', () => {
    fc.assert(
      fc.property(fc.array(anyRule), anyAsk, (rules, ask) => {
        const alone = rules.some((rule) => authorize(aUser('anna'), ask, granted([rule])).allowed);
        expect(authorize(aUser('anna'), ask, granted(rules)).allowed).toBe(alone);
      }),
    );
  });
});
