import { describe, expect, test } from 'vitest';
import type { Secret } from '../../../../api/builtin/index.ts';
import type { Read } from '../../../../kube/client/read.ts';
import { bmcAccessIn, isHostFault, secretKey } from './bmc-secret.ts';
import { aRequest, SETTINGS } from '../testing/builders.ts';

const KEY = { namespace: 'machine-api', name: 'worker-0-bmc' };
const whole = { address: 'https://10.0.0.7', username: 'admin', password: 'pass word ' };

const secretOf = (entries: Readonly<Record<string, string>>): Read<Secret> => ({
  kind: 'value',
  value: {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { ...KEY, uid: 's-0', resourceVersion: '1', creationTimestamp: '2026-01-10T11:00:00Z' },
    data: Object.fromEntries(Object.entries(entries).map(([entry, text]) => [entry, Buffer.from(text).toString('base64')])),
  },
});

describe('the Secret of a host', () => {
  test.each([
    [undefined, 'worker-0-bmc'],
    ['bmc', 'bmc'],
    ['{machine}-ilo', 'worker-0-ilo'],
    ['{machine}.{machine}', 'worker-0.worker-0'],
  ])('named %s is %s, beside the request', (bmcSecretName, name) =>
    expect(secretKey(aRequest({ spec: { ...(bmcSecretName !== undefined && { bmcSecretName }) } }))).toEqual({
      namespace: 'machine-api',
      name,
    }),
  );

  describe('outside the namespace of Sickbay (ruling 122)', () => {
    const only = (bmcAddresses: string) => ({ ...SETTINGS, powerCycle: { bmcAddresses } });
    const refused = {
      fault: 'NoAccess',
      message:
        'the address in Secret machine-api/worker-0-bmc is not among those that Sickbay may call: add it, or its network, to powerCycle.bmcAddresses in the configuration',
    };

    test('points to no address that is not allowed', () => {
      expect(bmcAccessIn(secretOf(whole), KEY, only(''))).toEqual(refused);
      expect(bmcAccessIn(secretOf(whole), KEY, only('10.1.0.0/16'))).toEqual(refused);
      expect(bmcAccessIn(secretOf({ ...whole, address: 'http://127.0.0.1:6443' }), KEY, only('10.0.0.0/8'))).toEqual(refused);
    });

    test('points to one that is', () =>
      expect(bmcAccessIn(secretOf(whole), KEY, only('10.0.0.0/8'))).toMatchObject({ address: 'https://10.0.0.7' }));

    test('while one inside may point anywhere', () => {
      const key = { ...KEY, namespace: SETTINGS.namespace };
      expect(bmcAccessIn(secretOf(whole), key, only(''))).toMatchObject({ address: 'https://10.0.0.7' });
    });
  });

  test('contains address and credentials', () => {
    expect(bmcAccessIn(secretOf(whole), KEY, SETTINGS)).toEqual({ ...whole, insecureSkipVerify: false });
    expect(bmcAccessIn(secretOf({ ...whole, system: ' 1\n', 'ca.crt': 'PEM\n', insecureSkipVerify: 'true\n' }), KEY, SETTINGS)).toEqual({
      ...whole,
      system: '1',
      ca: 'PEM',
      insecureSkipVerify: true,
    });
  });

  test('has the line break at the end of a password removed', () =>
    expect(bmcAccessIn(secretOf({ ...whole, password: ' a\n' }), KEY, SETTINGS)).toMatchObject({ password: ' a' }));

  test.each(['false', '1', 'yes', 'TRUE', ''])('does not skip certificate verification for the value "%s"', (insecureSkipVerify) =>
    expect(bmcAccessIn(secretOf({ ...whole, insecureSkipVerify }), KEY, SETTINGS)).toMatchObject({ insecureSkipVerify: false }),
  );

  test.each([
    ['10.0.0.7', 'https://10.0.0.7'],
    ['bmc.test:8443', 'https://bmc.test:8443'],
    ['http://10.0.0.7:8000/', 'http://10.0.0.7:8000'],
    ['https://10.0.0.7/redfish/v1/', 'https://10.0.0.7'],
    ['https://10.0.0.7/redfish', 'https://10.0.0.7'],
    ['https://[fd00::7]', 'https://[fd00::7]'],
  ])('has the address %s for %s', (address, want) =>
    expect(bmcAccessIn(secretOf({ ...whole, address }), KEY, SETTINGS)).toMatchObject({ address: want }),
  );

  test.each([
    'ftp://10.0.0.7',
    'redfish+https://10.0.0.7',
    'https://admin:pw@10.0.0.7',
    'https://10.0.0.7/other',
    'https://10.0.0.7?a=b',
    'https://',
    'a b',
  ])('is of no use with the address %s, which is not repeated', (address) => {
    const found = bmcAccessIn(secretOf({ ...whole, address }), KEY, SETTINGS);
    expect(found).toEqual({
      fault: 'NoAccess',
      message: 'the address in Secret machine-api/worker-0-bmc is not a URL such as https://10.0.0.7',
    });
  });

  test.each([
    {
      reason: 'absent',
      read: { kind: 'absent' } as const,
      says: 'Secret machine-api/worker-0-bmc does not exist: it must contain address, username and password',
    },
    { reason: 'unreadable', read: { kind: 'unreadable', reason: 'forbidden' } as const, says: 'cannot be read: forbidden' },
    { reason: 'empty', read: secretOf({}), says: 'has no address, no username, no password' },
    { reason: 'without a password', read: secretOf({ ...whole, password: ' \n' }), says: 'has no password' },
  ])('$reason: the message describes what to do', ({ read, says }) => {
    const found = bmcAccessIn(read, KEY, SETTINGS);
    expect(isHostFault(found) && found.message).toContain(says);
  });
});
