import { readFile } from 'node:fs/promises';
import { isLoopback, type ListenOptions } from '../../apiserver/index.ts';
import { messageOf, PlatformError } from '../../base/index.ts';

/** An address of this machine, and a port there. */
export interface Address {
  readonly host: string;
  readonly port: number;
}

/** Where the API of a local run was asked to be served, and with which certificate. */
export interface PlaceFlags {
  readonly listen?: Address;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
}

/** What is wrong with what was asked for together; undefined when nothing is. */
export function placeProblem({ listen, tlsCert, tlsKey }: PlaceFlags): string | undefined {
  if ((tlsCert === undefined) !== (tlsKey === undefined)) return '--tls-cert and --tls-key go together';
  if (listen === undefined || tlsCert !== undefined || isLoopback(listen.host)) return undefined;
  return `--listen ${listen.host}:${listen.port} can be reached from elsewhere, so it needs --tls-cert and --tls-key`;
}

/** What the server is told of it. */
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
