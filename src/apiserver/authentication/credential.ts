/**
 * The token in an Authorization header: a bearer's, or, whoever the user, the password of the Basic form, which is all that
 * kubectl sends over plain HTTP. Undefined where there is no credential; empty where there is one that cannot be read.
 */
export function tokenIn(header: string | undefined): string | undefined {
  if (header === undefined || header === '') return undefined;
  const [, scheme = '', credential = ''] = /^(bearer|basic) +(\S+) *$/i.exec(header) ?? [];
  if (scheme.toLowerCase() !== 'basic') return credential;
  const [, password = ''] = Buffer.from(credential, 'base64').toString().split(/:(.*)/s);
  return password;
}
