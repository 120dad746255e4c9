import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { readKubeconfig } from './kubeconfig.ts';
import { base64, kubeconfig, PEM } from './testing/a-kubeconfig.ts';

const read = (parts: Parameters<typeof kubeconfig>[0] = {}) => readKubeconfig(kubeconfig(parts));

describe('where it leads', () => {
  test('to the server of the current context', () => {
    const config = read({
      cluster: { 'certificate-authority-data': base64(PEM), 'tls-server-name': 'api', 'proxy-url': 'http://proxy:3128' },
    });
    expect(config).toMatchObject({ server: 'https://prod.example.com:6443/', ca: PEM, serverName: 'api', proxyUrl: 'http://proxy:3128/' });
    expect(config.insecure).toBeUndefined();
  });

  test('skips the check of the certificate only when the kubeconfig asks for it', () =>
    expect(read({ cluster: { 'insecure-skip-tls-verify': true } }).insecure).toBe(true));

  test('among several contexts, by the current one', () => {
    const config = {
      'current-context': 'two',
      contexts: [
        { name: 'one', context: { cluster: 'one', user: 'one' } },
        { name: 'two', context: { cluster: 'two', user: 'one' } },
      ],
      clusters: [
        { name: 'one', cluster: { server: 'https://one' } },
        { name: 'two', cluster: { server: 'https://two' } },
      ],
      users: [{ name: 'one', user: {} }],
    };
    expect(readKubeconfig(stringify(config)).server).toBe('https://two/');
  });
});

test.each([
  { name: 'a token', user: { token: ' t0ken\n' }, want: { headers: { authorization: 'Bearer t0ken' } } },
  { name: 'a name and a password', user: { username: 'u', password: 'p' }, want: { headers: { authorization: `Basic ${base64('u:p')}` } } },
  {
    name: 'a client certificate',
    user: { 'client-certificate-data': base64(PEM), 'client-key-data': base64(PEM) },
    want: { headers: {}, cert: PEM, key: PEM },
  },
  {
    name: 'an impersonated user',
    user: { token: 't', as: 'jane' },
    want: { headers: { authorization: 'Bearer t', 'impersonate-user': 'jane' } },
  },
  { name: 'no credentials', user: {}, want: { headers: {} } },
])('the identity that it gives: $name', ({ user, want }) => expect(read({ user }).identity).toEqual(want));

describe('a kubeconfig that runs a program or reads a file is refused with what to do instead', () => {
  test.each([
    { user: { exec: { command: 'aws' } }, says: /user\.exec names a program to run.*token or a client certificate/ },
    { user: { 'auth-provider': { name: 'oidc' } }, says: /user\.auth-provider names a plugin/ },
    { user: { tokenFile: '/var/run/secrets/kubernetes.io/serviceaccount/token' }, says: /user\.tokenFile names a file.*into token/ },
    { user: { 'client-certificate': '/a', 'client-key': '/b' }, says: /user\.client-certificate names a file/ },
    { user: { 'client-key': '/etc/shadow' }, says: /user\.client-key names a file/ },
    { cluster: { 'certificate-authority': '/etc/ssl/ca' }, says: /cluster\.certificate-authority names a file/ },
  ])('$says', ({ says, ...parts }) => expect(() => read(parts)).toThrow(says));
});

describe('what cannot be used is refused, and never quoted', () => {
  test.each([
    { name: 'no YAML', text: 'users: [{ user: { token: s3cret', says: 'it is not YAML' },
    { name: 'a text', text: 's3cret', says: 'it is not a mapping' },
    { name: 'no current context', text: 'users: [{ name: s3cret }]', says: 'it has no current-context' },
    { name: 'a context that leads nowhere', text: 'current-context: s3cret', says: 'its current context names no entry of contexts' },
    {
      name: 'no cluster',
      text: 'current-context: a\ncontexts: [{ name: a, context: { cluster: s3cret } }]',
      says: 'its current context names no entry of clusters',
    },
    { name: 'no server', text: kubeconfig({ server: '' }), says: 'its cluster has no server' },
    { name: 'a server that is no address', text: kubeconfig({ server: 's3cret' }), says: 'cluster.server is not an http or https URL' },
    { name: 'another protocol', text: kubeconfig({ server: 'file:///s3cret' }), says: 'cluster.server is not an http or https URL' },
    { name: 'a number for a token', text: kubeconfig({ user: { token: 5 } }), says: 'token is not a text' },
    {
      name: 'a certificate that is none',
      text: kubeconfig({ user: { 'client-certificate-data': base64('s3cret'), 'client-key-data': base64(PEM) } }),
      says: 'client-certificate-data holds no PEM',
    },
    {
      name: 'a certificate without its key',
      text: kubeconfig({ user: { 'client-certificate-data': base64(PEM) } }),
      says: 'its client certificate and its key must come together',
    },
  ])('$name', ({ text, says }) => {
    expect(() => readKubeconfig(text)).toThrow(expect.objectContaining({ code: 'Invalid', message: says }));
  });
});
