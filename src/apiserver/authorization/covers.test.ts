import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PolicyRule } from '../../kube/builtin/index.ts';
import { notCovered, shownRules } from './covers.ts';

const r = (groups: string, resources: string, verbs: string, names?: string): PolicyRule => ({
  verbs: verbs.split(' '),
  apiGroups: groups.split(' '),
  resources: resources.split(' '),
  ...(names && { resourceNames: names.split(' ') }),
});
const p = (verbs: string, urls: string): PolicyRule => ({ verbs: verbs.split(' '), nonResourceURLs: urls.split(' ') });

describe('what is not held', () => {
  test.each<[string, readonly PolicyRule[], readonly PolicyRule[], readonly string[]]>([
    ['the same', [r('apps', 'deployments', 'get')], [r('apps', 'deployments', 'get')], []],
    ['no rights are covered without any rights', [], [], []],
    [
      'a right is not covered without any rights',
      [],
      [r('apps', 'deployments', 'get')],
      ['{APIGroups:["apps"], Resources:["deployments"], Verbs:["get"]}'],
    ],
    ['verbs are put together', [], [r('apps', 'jobs', 'get list')], ['{APIGroups:["apps"], Resources:["jobs"], Verbs:["get" "list"]}']],
    ['by pieces of several rules', [r('', 'pods', 'get'), r('', 'pods', 'list')], [r('', 'pods', 'get list')], []],
    ['a star holds each', [r('*', '*', '*')], [r('apps', 'deployments/scale', 'update', 'x')], []],
    [
      'each does not hold a star',
      [r('', 'pods secrets', 'get')],
      [r('', '*', 'get')],
      ['{APIGroups:[""], Resources:["*"], Verbs:["get"]}'],
    ],
    ['a subresource by its star', [r('apps', '*/scale', 'get')], [r('apps', 'deployments/scale', 'get')], []],
    [
      'a resource is not its subresource',
      [r('', 'pods', 'get')],
      [r('', 'pods/log', 'get')],
      ['{APIGroups:[""], Resources:["pods/log"], Verbs:["get"]}'],
    ],
    ['all names hold one', [r('', 'pods', 'get')], [r('', 'pods', 'get', 'a')], []],
    [
      'one name does not hold all',
      [r('', 'pods', 'get', 'a')],
      [r('', 'pods', 'get')],
      ['{APIGroups:[""], Resources:["pods"], Verbs:["get"]}'],
    ],
    [
      'nor another',
      [r('', 'pods', 'get', 'a b')],
      [r('', 'pods', 'get', 'b c')],
      ['{APIGroups:[""], Resources:["pods"], ResourceNames:["c"], Verbs:["get"]}'],
    ],
    ['paths below a star', [p('get', '/logs/*')], [p('get', '/logs/a /logs/b/*')], []],
    [
      'paths beside it',
      [p('get', '/logs/*')],
      [p('get post', '/metrics')],
      ['{NonResourceURLs:["/metrics"], Verbs:["get"]}', '{NonResourceURLs:["/metrics"], Verbs:["post"]}'],
    ],
    ['resources do not hold paths', [r('*', '*', '*')], [p('get', '/x')], ['{NonResourceURLs:["/x"], Verbs:["get"]}']],
  ])('%s', (_title, held, wanted, missing) => {
    expect(shownRules(notCovered(held, wanted))).toEqual(missing);
  });

  const word = fc.constantFrom('*', 'get', 'pods', 'pods/log', '*/log', 'a');
  const words = fc.array(word, { minLength: 1, maxLength: 2 });
  const anyRule: fc.Arbitrary<PolicyRule> = fc.record({
    verbs: words,
    apiGroups: words,
    resources: words,
    resourceNames: fc.array(word, { maxLength: 1 }),
  });

  test('everybody holds what they hold, and with more rules no less', () => {
    fc.assert(
      fc.property(fc.array(anyRule), fc.array(anyRule), (held, wanted) => {
        expect(notCovered(held, held)).toEqual([]);
        const before = notCovered(held, wanted);
        expect(before.length).toBeGreaterThanOrEqual(notCovered([...held, ...wanted.slice(0, 1)], wanted).length);
      }),
    );
  });
});
