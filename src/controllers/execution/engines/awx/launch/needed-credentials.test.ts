import { expect, test } from 'vitest';
import { anExecution } from '../../../testing/builders.ts';
import { ephemeralName, isEphemeral, variableName } from '../awx-names.ts';
import { aPlaybook } from '../testing/awx-case.ts';
import { neededCredentials } from './needed-credentials.ts';

const nameOf = (what: string): string => `kubernaut-ephemeral-${what}-we-rr-1-wfe-1`;
const empty = { source: { kind: 'Nothing' }, inputs: {}, injectors: {} };

test('what AWX is asked to make: what is secret is marked so, and reaches the job by its environment alone', () => {
  const secrets = [{ name: 'db', keys: ['pass-word'] }];
  expect(neededCredentials(aPlaybook(), { secrets, account: 'mender' })).toEqual([
    { name: nameOf('mark'), ...empty },
    { name: nameOf('fence'), ...empty },
    {
      name: nameOf('secret-db'),
      source: { kind: 'Secret', name: 'db', keys: ['pass-word'] },
      inputs: { fields: [{ id: 'KUBERNAUT_SECRET_DB_PASS_WORD', label: 'pass-word', type: 'string', secret: true }] },
      injectors: { env: { KUBERNAUT_SECRET_DB_PASS_WORD: '{{ KUBERNAUT_SECRET_DB_PASS_WORD }}' } },
    },
    {
      name: nameOf('k8s'),
      source: { kind: 'Token', account: 'mender' },
      inputs: {
        fields: [
          { id: 'host', label: expect.any(String) as string, type: 'string' },
          { id: 'bearer_token', label: expect.any(String) as string, type: 'string', secret: true },
          { id: 'ssl_ca_cert', label: expect.any(String) as string, type: 'string', multiline: true },
        ],
      },
      injectors: {
        file: { template: '{{ ssl_ca_cert }}' },
        env: {
          K8S_AUTH_HOST: '{{ host }}',
          K8S_AUTH_API_KEY: '{{ bearer_token }}',
          K8S_AUTH_SSL_CA_CERT: '{{ tower.filename }}',
          K8S_AUTH_VERIFY_SSL: 'True',
        },
      },
    },
  ]);
});

test('names stay within what AWX takes, and stay apart', () => {
  const named = (what: string) => ephemeralName(what, anExecution().metadata);
  expect(named('a'.repeat(200))).toBe(nameOf('a'.repeat(200)));
  const [one, two] = [named(`${'a'.repeat(200)}1`), named(`${'a'.repeat(200)}2`)];
  expect(one).toMatch(/^kubernaut-ephemeral-a{183}-[0-9a-f]{16}-we-rr-1-wfe-1$/);
  expect(one).not.toBe(two);
  expect(ephemeralName('k8s', anExecution({ name: 'n'.repeat(253) }).metadata)).toMatch(
    /^kubernaut-ephemeral-k8s-n{183}-[0-9a-f]{16}-wfe-1$/,
  );
});

test.each([
  [nameOf('mark'), true],
  [nameOf('mark').replace('wfe-1', 'wfe-2'), false],
  ['somebody-wfe-1', false],
  [`x${nameOf('mark')}`, false],
  [`${nameOf('mark')}0`, false],
])('%s was made for the execution: %s', (name, want) => expect(isEphemeral(name, 'wfe-1')).toBe(want));

test('a variable has a name that every shell takes', () =>
  expect(variableName('CONFIGMAP', 'my-cfg', 'a.b/c1')).toBe('KUBERNAUT_CONFIGMAP_MY_CFG_A_B_C1'));
