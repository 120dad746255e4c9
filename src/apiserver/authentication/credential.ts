/**
 * The token in an Authorization header: a bearer token, or the password of the Basic scheme with any user name, which is all that
 * kubectl sends over plain HTTP. Undefined without a credential, or with one of an unknown scheme, which is ignored as by
 * kube-apiserver; empty where the password cannot be read.
 */
export function tokenIn(header = ''): string | undefined {
  const [scheme = '', credential = ''] = header.trim().split(' ');
  switch (scheme.toLowerCase()) {
    case 'bearer':
      return credential === '' ? undefined : credential;
    case 'basic':
      return /:(.*)/s.exec(Buffer.from(credential, 'base64').toString())?.[1] ?? '';
    default:
      return undefined;
  }
}
