/**
 * The token in an Authorization header: a bearer's, or, whoever the user, the password of the Basic form, which is all that
 * kubectl sends over plain HTTP. Undefined where there is no credential, or one of a form that is not known here, which
 * makes as little of a difference as on kube-apiserver; empty where a password cannot be read.
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
