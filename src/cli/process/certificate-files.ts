import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import { messageOf, PlatformError, type Clock, type Logger } from '../../base/index.ts';
import { followFile, type FollowFolder } from '../../config/index.ts';
import type { ServerTls } from '../../server/index.ts';

/** Where the certificate and its key are. */
export interface CertificateFiles {
  readonly certFile: string;
  readonly keyFile: string;
}

/** Reads both; rejects when they cannot be used together. */
export async function readCertificate({ certFile, keyFile }: CertificateFiles): Promise<ServerTls> {
  const [cert, key] = await Promise.all([read('server.tlsCertFile', certFile), read('server.tlsKeyFile', keyFile)]);
  try {
    createSecureContext({ cert, key });
  } catch (error) {
    throw invalid(`server.tlsCertFile ${certFile} and server.tlsKeyFile ${keyFile} cannot be used together: ${messageOf(error)}`, error);
  }
  return { cert, key };
}

export interface FollowCertificate {
  readonly files: CertificateFiles;
  /** What is served now. */
  readonly current: ServerTls;
  /** Serves new connections with it. */
  renew(tls: ServerTls): void;
  /** A steady clock. */
  readonly clock: Clock;
  readonly log: Logger;
  readonly signal: AbortSignal;
  /** The system's own when absent. */
  readonly follow?: FollowFolder;
}

/** Serves the certificate in the files whenever it has changed, until the signal aborts. Files that cannot be used change nothing. */
export function followCertificate({ files, renew, clock, log, signal, follow, ...options }: FollowCertificate): Promise<void> {
  let current = options.current;
  let problem: string | undefined;
  const reload = async (): Promise<void> => {
    try {
      const found = await readCertificate(files);
      problem = undefined;
      if (found.cert === current.cert && found.key === current.key) return;
      renew(found);
      current = found;
      log.info('the certificate has changed, and new connections get the new one', { file: files.certFile });
    } catch (error) {
      if (messageOf(error) !== problem) log.error('the certificate in use stays: fix its files', { problem: messageOf(error) });
      problem = messageOf(error);
    }
  };
  return followFile({ path: files.certFile, reload, clock, log, signal, follow });
}

async function read(key: string, file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw invalid(`${key} ${file} cannot be read: ${messageOf(error)}`, error);
  }
}

const invalid = (message: string, cause: unknown): PlatformError => new PlatformError('Invalid', message, { cause, retry: 'never' });
