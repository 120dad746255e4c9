import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';

/** The name under which a host's certificate can be believed: the host itself where it covers that, a name that it carries otherwise. */
export function certifiedName(pem: string, host: string): string | undefined {
  const certificate = new X509Certificate(pem);
  const covers = isIP(host) === 0 ? certificate.checkHost(host) : certificate.checkIP(host);
  if (covers !== undefined) return host;
  const names = (certificate.subjectAltName ?? '').split(', ');
  return names.find((name) => name.startsWith('DNS:'))?.slice('DNS:'.length);
}
