import { describe, expect, test } from 'vitest';
import { tokenIn } from './credential.ts';
import { impersonationIn, type Headers } from './impersonation.ts';

const needs = (headers: Headers): readonly string[] =>
  (impersonationIn(headers)?.needs ?? []).map(
    ({ group, resource, subresource, namespace, name }) => `${group}|${resource}|${subresource}|${namespace}|${name}`,
  );

describe('whom a request wants to be taken for', () => {
  test('no impersonation without headers', () => {
    expect(impersonationIn({ authorization: ['Bearer x'] })).toBeUndefined();
  });

  test('a user in groups, each of which is to be allowed', () => {
    const headers = { 'impersonate-user': ['anna'], 'impersonate-group': ['ops', 'a, b'] };
    expect(impersonationIn(headers)?.user).toEqual({ username: 'anna', groups: ['ops', 'a, b', 'system:authenticated'] });
    expect(needs(headers)).toEqual(['|users|||anna', '|groups|||ops', '|groups|||a, b']);
  });

  test('an account, in its own groups', () => {
    const headers = { 'impersonate-user': ['system:serviceaccount:a:robot'] };
    expect(impersonationIn(headers)?.user.groups).toEqual(['system:serviceaccounts', 'system:serviceaccounts:a', 'system:authenticated']);
    expect(needs(headers)).toEqual(['|serviceaccounts||a|robot']);
  });

  test('an account with groups has only those', () => {
    const { user } = impersonationIn({ 'impersonate-user': ['system:serviceaccount:a:robot'], 'impersonate-group': ['x'] })!;
    expect(user.groups).toEqual(['x', 'system:authenticated']);
  });

  test('what only looks like an account is a user', () => {
    expect(needs({ 'impersonate-user': ['system:serviceaccount:a'] })).toEqual(['|users|||system:serviceaccount:a']);
    expect(needs({ 'impersonate-user': ['system:serviceaccount:a:b:c'] })).toEqual(['|users|||system:serviceaccount:a:b:c']);
  });

  test('with an identity and more, each value of which is to be allowed', () => {
    const headers = { 'impersonate-user': ['anna'], 'impersonate-uid': ['7'], 'impersonate-extra-acme.com%2fproject': ['p', 'q'] };
    expect(impersonationIn(headers)?.user).toMatchObject({ uid: '7', extra: { 'acme.com/project': ['p', 'q'] } });
    expect(needs(headers).slice(1)).toEqual([
      'authentication.k8s.io|uids|||7',
      'authentication.k8s.io|userextras|acme.com/project||p',
      'authentication.k8s.io|userextras|acme.com/project||q',
    ]);
  });

  test('an unauthenticated user stays unauthenticated', () => {
    expect(impersonationIn({ 'impersonate-user': ['system:anonymous'] })?.user.groups).toEqual(['system:unauthenticated']);
    expect(impersonationIn({ 'impersonate-user': ['x'], 'impersonate-group': ['system:unauthenticated'] })?.user.groups).toEqual([
      'system:unauthenticated',
    ]);
  });

  test('names are UTF-8', () => {
    const bytes = Buffer.from('Jürgen').toString('latin1');
    expect(impersonationIn({ 'impersonate-user': [bytes] })?.user.username).toBe('Jürgen');
  });

  test.each<Headers>([{ 'impersonate-group': ['system:masters'] }, { 'impersonate-uid': ['7'] }, { 'impersonate-extra-a': ['b'] }])(
    'a group, an identity or more without a user is refused: %j',
    (headers) => {
      expect(() => impersonationIn(headers)).toThrow(/without Impersonate-User/);
    },
  );
});

describe('the token in an Authorization header', () => {
  test.each([
    ['none', undefined, undefined],
    ['an empty one', '', undefined],
    ['a bearer’s', 'Bearer abc', 'abc'],
    ['in any case', 'bEARER abc  ', 'abc'],
    ['nothing before more spaces', 'Bearer  abc', undefined],
    ['a password', `Basic ${Buffer.from('anybody:abc').toString('base64')}`, undefined],
    ['another scheme', 'Digest abc', undefined],
    ['the first of two words', 'Bearer a b', 'a'],
    ['no word', 'Bearer', undefined],
    ['no scheme', 'abc', undefined],
  ])('%s', (_title, header, token) => {
    expect(tokenIn(header)).toBe(token);
  });
});
