import { describe, expect, test } from 'vitest';
import type { Secret } from '../../../../api/builtin/index.ts';
import type { Read } from '../../../../kube/client/read.ts';
import { accessIn, isTrouble, secretKey } from './bmc-secret.ts';
import { aRequest } from '../testing/builders.ts';

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

  test('says how it is reached', () => {
    expect(accessIn(secretOf(whole), KEY)).toEqual({ ...whole, insecureSkipVerify: false });
    expect(accessIn(secretOf({ ...whole, system: ' 1\n', 'ca.crt': 'PEM\n', insecureSkipVerify: 'true\n' }), KEY)).toEqual({
      ...whole,
      system: '1',
      ca: 'PEM',
      insecureSkipVerify: true,
    });
  });

  test('holds a password without the line break that files end with', () =>
    expect(accessIn(secretOf({ ...whole, password: ' a\n' }), KEY)).toMatchObject({ password: ' a' }));

  test.each(['false', '1', 'yes', 'TRUE', ''])('trusts no certificate blindly because it says "%s"', (insecureSkipVerify) =>
    expect(accessIn(secretOf({ ...whole, insecureSkipVerify }), KEY)).toMatchObject({ insecureSkipVerify: false }),
  );

  test.each([
    ['10.0.0.7', 'https://10.0.0.7'],
    ['bmc.test:8443', 'https://bmc.test:8443'],
    ['http://10.0.0.7:8000/', 'http://10.0.0.7:8000'],
    ['https://10.0.0.7/redfish/v1/', 'https://10.0.0.7'],
    ['https://10.0.0.7/redfish', 'https://10.0.0.7'],
    ['https://[fd00::7]', 'https://[fd00::7]'],
  ])('has the address %s for %s', (address, want) =>
    expect(accessIn(secretOf({ ...whole, address }), KEY)).toMatchObject({ address: want }),
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
    const found = accessIn(secretOf({ ...whole, address }), KEY);
    expect(found).toEqual({
      fault: 'NoAccess',
      message: 'the address in Secret machine-api/worker-0-bmc is not one like https://10.0.0.7',
    });
  });

  test.each([
    {
      reason: 'absent',
      read: { kind: 'absent' } as const,
      says: 'Secret machine-api/worker-0-bmc is not there: it must hold address, username and password',
    },
    { reason: 'unreadable', read: { kind: 'unreadable', reason: 'forbidden' } as const, says: 'cannot be read: forbidden' },
    { reason: 'empty', read: secretOf({}), says: 'has no address, no username, no password' },
    { reason: 'without a password', read: secretOf({ ...whole, password: ' \n' }), says: 'has no password' },
  ])('$reason: it is said what to do', ({ read, says }) => {
    const found = accessIn(read, KEY);
    expect(isTrouble(found) && found.message).toContain(says);
  });
});
