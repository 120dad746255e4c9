import { readFileSync } from 'node:fs';
import { Agent, request as send, type Dispatcher } from 'undici';
import { messageOf, PlatformError, SECOND, type Clock } from '../base/index.ts';
import { tokenFile } from '../kube/identity/token-file.ts';
import { certificateFault, noConnection } from './connection-error.ts';
import { textOf } from './read-text.ts';
import { LARGEST_ANSWER, type Source, type SourceAnswer, type SourceRequest } from './source.ts';

export interface HttpSourceOptions {
  /** Where it is; a path in it is put before every request's own. */
  readonly url: string;
  /** PEM of the authorities that may have signed its certificate; the machine's own when absent. */
  readonly caFile?: string | undefined;
  /** Holds the bearer token; requests are anonymous when absent. */
  readonly tokenFile?: string | undefined;
  readonly clock: Clock;
}

/** A server over HTTP(S), with connections that are kept alive. */
export interface HttpSource extends Source {
  close(): Promise<void>;
}

const CONNECTIONS = 8;
const KEEP_ALIVE_MS = 30 * SECOND;

/** Sends requests to a server over HTTP(S). Redirects are not followed: the token is for the configured server only. */
export function httpSource(options: HttpSourceOptions): HttpSource {
  const base = options.url.replace(/\/+$/, '');
  const identity = options.tokenFile === undefined ? undefined : tokenFile(options.tokenFile, options.clock);
  let dispatcher: Dispatcher | undefined;
  let isRefused = false;
  return {
    async get(asked, signal) {
      // Opened when it is needed: a file that is not there yet makes one answer fail, not the process.
      const used = (dispatcher ??= open(options.caFile));
      const headers = { accept: 'application/json', 'user-agent': 'sickbay', ...identity?.(isRefused).headers };
      try {
        const { statusCode, body } = await send(base + addressOf(asked), { dispatcher: used, headers, signal });
        isRefused = statusCode === 401;
        return { code: statusCode, text: await textOf(body, LARGEST_ANSWER) } satisfies SourceAnswer;
      } catch (error) {
        if (signal.aborted || error instanceof PlatformError) throw error;
        // The next request reads the file again, so that a new authority in it is used.
        if (certificateFault(error) !== undefined && dispatcher === used) {
          dispatcher = undefined;
          await used.destroy();
        }
        throw noConnection(base, error);
      }
    },
    async close() {
      await dispatcher?.destroy();
      dispatcher = undefined;
    },
  };
}

const open = (caFile: string | undefined): Dispatcher =>
  new Agent({ connections: CONNECTIONS, keepAliveTimeout: KEEP_ALIVE_MS, connect: caFile === undefined ? {} : { ca: read(caFile) } });

function read(caFile: string): string {
  try {
    return readFileSync(caFile, 'utf8');
  } catch (error) {
    throw new PlatformError('Unavailable', `reading the authorities in ${caFile}: ${messageOf(error)}`, { cause: error });
  }
}

function addressOf({ path, query }: SourceRequest): string {
  const text = query.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&');
  return text === '' ? path : `${path}?${text}`;
}
