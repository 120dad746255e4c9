import { readFile } from 'node:fs/promises';
import type { ListenOptions } from '../../apiserver/index.ts';
import { isLoopback, messageOf, PlatformError } from '../../base/index.ts';

/** An address of this machine, and a port there. */
export interface Address {
  readonly host: string;
  readonly port: number;
}

/** Where the API of a local run is served, and with which certificate. */
export interface PlaceFlags {
  readonly listen?: Address;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
}

/** Why the options do not fit together; undefined when they do. */
export function placeProblem({ listen, tlsCert, tlsKey }: PlaceFlags): string | undefined {
  if ((tlsCert === undefined) !== (tlsKey === undefined)) return '--tls-cert and --tls-key go together';
  if (listen === undefined || tlsCert !== undefined || isLoopback(listen.host)) return undefined;
  return `--listen ${listen.host}:${listen.port} is not a loopback address, so it needs --tls-cert and --tls-key`;
}

/** The same as options of the server. */
export async function apiPlace({ listen, tlsCert, tlsKey }: PlaceFlags): Promise<ListenOptions> {
  if (tlsCert === undefined || tlsKey === undefined) return { ...listen };
  const [cert, key] = await Promise.all([read('--tls-cert', tlsCert), read('--tls-key', tlsKey)]);
  return { ...listen, tls: { cert, key } };
}

async function read(flag: string, file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new PlatformError('Invalid', `${flag}: ${messageOf(error)}`, { cause: error });
  }
}
