import { messageOf, PlatformError } from '../base/index.ts';

/** Setting that names the trusted certificate authorities. */
const AUTHORITIES = 'the file that external.tlsCaFile names';

/** What is wrong with a certificate, by what OpenSSL and Node call it, and what to do about it. */
const CERTIFICATE_FAULTS: readonly (readonly [code: RegExp, advice: string | ((authorities: string) => string)])[] = [
  [
    /SELF_SIGNED|ISSUER_CERT|LEAF_SIGNATURE|CERT_SIGNATURE_FAILURE|CERT_UNTRUSTED|INVALID_CA/,
    (authorities) => `its certificate is not signed by a trusted authority: put the PEM of its authority into ${authorities}`,
  ],
  [/ALTNAME/, 'its certificate is for another host name: use one of its names in the address'],
  [/CERT_HAS_EXPIRED|CERT_NOT_YET_VALID/, 'its certificate is not valid at this time: renew it'],
];

/** The connection failed: names the address and, where it is known, what to do. A certificate fault is not retried at once. */
export function noConnection(url: string, error: unknown): PlatformError {
  const fault = certificateFault(error);
  const message = `asking ${url}: ${messageOf(error)}${fault === undefined ? '' : `: ${fault}`}`;
  return new PlatformError('Unavailable', message, { retry: fault === undefined ? 'backoff' : 'never', cause: error });
}

/** Advice on what is wrong with the certificate that was shown; undefined where that is not the reason. */
export function certificateFault(error: unknown, authorities = AUTHORITIES): string | undefined {
  const { code } = (error instanceof Error ? error : {}) as { readonly code?: unknown };
  const advice = typeof code === 'string' ? CERTIFICATE_FAULTS.find(([codes]) => codes.test(code))?.[1] : undefined;
  return typeof advice === 'function' ? advice(authorities) : advice;
}
