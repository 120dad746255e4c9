import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';

/** The name under which a certificate can be believed: the host itself where it covers that, another of its names otherwise. */
export function certifiedName(pem: string, host: string): string | undefined {
  const certificate = new X509Certificate(pem);
  const covers = isIP(host) === 0 ? certificate.checkHost(host) : certificate.checkIP(host);
  if (covers !== undefined) return host;
  const names = (certificate.subjectAltName ?? '').split(', ');
  const under = (prefix: string): string | undefined => names.find((name) => name.startsWith(prefix))?.slice(prefix.length);
  return under('DNS:') ?? under('IP Address:');
}
