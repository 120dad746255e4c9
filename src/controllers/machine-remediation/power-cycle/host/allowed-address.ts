import { BlockList, isIP } from 'node:net';

const ANY = '*';

/**
 * Whether the host of an address is in the allow-list: IP addresses by address or network, names by name or by `*.` and a domain. Names are
 * not resolved: who answers for a name may be another party than the one that was allowed.
 */
export function isAllowedAddress(address: string, allowed: string): boolean {
  const host = new URL(address).hostname.replace(/^\[(.*)\]$/, '$1');
  return entriesOf(allowed).some((entry) => entry === ANY || (isIP(host) === 0 ? isName(host, entry) : isInNetwork(host, entry)));
}

const entriesOf = (allowed: string): readonly string[] =>
  allowed
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((entry) => entry !== '');

const isName = (host: string, entry: string): boolean => (entry.startsWith('*.') ? host.endsWith(entry.slice(1)) : host === entry);

function isInNetwork(ip: string, entry: string): boolean {
  const [network = '', length] = entry.split('/');
  const family = isIP(network);
  if (family === 0 || family !== isIP(ip)) return false;
  const bits = family === 4 ? 32 : 128;
  const prefix = length === undefined ? bits : /^\d{1,3}$/.test(length) ? Number(length) : Infinity;
  if (prefix > bits) return false;
  const kind = family === 4 ? 'ipv4' : 'ipv6';
  const list = new BlockList();
  list.addSubnet(network, prefix, kind);
  return list.check(ip, kind);
}
