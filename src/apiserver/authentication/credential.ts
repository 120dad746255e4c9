/**
 * The bearer token in an Authorization header. Undefined without one, or with a credential of another scheme, which is ignored as by kube-apiserver:
 * Basic credentials too, which would let a token stand in a URL.
 */
export function tokenIn(header = ''): string | undefined {
  const [scheme = '', credential = ''] = header.trim().split(' ');
  return scheme.toLowerCase() === 'bearer' && credential !== '' ? credential : undefined;
}
