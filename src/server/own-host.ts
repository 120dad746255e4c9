import { isLoopback } from '../base/index.ts';

/**
 * Whether a request was meant for a server that listens on `listening`. A page in a browser of this machine can reach a server on loopback by a name of
 * its own that leads there; the Host header tells. Only a server on loopback can tell which names are its own.
 */
export function isForUs(listening: string, header: string | undefined): boolean {
  if (!isLoopback(listening) || header === undefined) return true;
  const host = URL.parse(`http://${header}`)?.hostname;
  return host !== undefined && isLoopback(host);
}
