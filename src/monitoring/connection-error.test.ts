import { describe, expect, test } from 'vitest';
import { certificateFault, noConnection } from './connection-error.ts';

const failing = (code: string): Error => Object.assign(new Error('it failed'), { code });
const URL = 'https://alertmanager.monitoring:9093';

describe('where no connection comes about', () => {
  test('the address is named, and it may be tried again', () => {
    const error = noConnection(URL, failing('ECONNREFUSED'));
    expect([error.message, error.code, error.retry]).toEqual([`asking ${URL}: it failed`, 'Unavailable', 'backoff']);
  });

  test.each([
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'external.tlsCaFile'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'external.tlsCaFile'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'external.tlsCaFile'],
    ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'external.tlsCaFile'],
    ['CERT_SIGNATURE_FAILURE', 'external.tlsCaFile'],
    ['CERT_UNTRUSTED', 'external.tlsCaFile'],
    ['INVALID_CA', 'external.tlsCaFile'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'use one of its names'],
    ['CERT_HAS_EXPIRED', 'renew it'],
    ['CERT_NOT_YET_VALID', 'renew it'],
  ])('%s is a fault of the certificate: it is said what to do, and not tried again at once', (code, advice) => {
    const error = noConnection(URL, failing(code));
    expect(error.message).toMatch(/^asking https:\/\/alertmanager\.monitoring:9093: it failed: /);
    expect(error.message).toContain(advice);
    expect(error.retry).toBe('never');
  });

  test.each([failing('ECONNRESET'), new Error('CERT_UNTRUSTED'), Object.assign(new Error('x'), { code: 7 }), 'SELF_SIGNED', undefined])(
    '%s is none',
    (error) => expect(certificateFault(error)).toBeUndefined(),
  );
});
