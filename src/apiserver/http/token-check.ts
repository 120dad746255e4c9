import { createHash, timingSafeEqual } from 'node:crypto';

/**
 * Tells whether an Authorization header carries the token, as a bearer's or, whoever the user, as a password (see kubeconfigText).
 * How long that takes tells nothing about the token.
 */
export function tokenCheck(token: string): (header: string | undefined) => boolean {
  const expected = digestOf(token);
  return (header = '') => timingSafeEqual(digestOf(tokenIn(header)), expected);
}

/** Empty where there is none; no server has an empty token. */
function tokenIn(header: string): string {
  const [, scheme = '', credential = ''] = /^(bearer|basic) +(\S+) *$/i.exec(header) ?? [];
  if (scheme.toLowerCase() !== 'basic') return credential;
  const [, password = ''] = Buffer.from(credential, 'base64').toString().split(/:(.*)/s);
  return password;
}

/** Digests are of one length, which the comparison needs and the token need not be. */
const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();
