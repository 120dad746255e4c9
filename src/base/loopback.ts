import { isIPv4 } from 'node:net';

/** Whether an address, or the host of a URL, leads to this machine alone. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || host === '[::1]' || (isIPv4(host) && host.startsWith('127.'));

/** The address at which this machine reaches a server: one that listens on all addresses is reached on loopback. */
export const reachedAt = (host: string): string => ON_LOOPBACK[host] ?? host;

const ON_LOOPBACK: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };
