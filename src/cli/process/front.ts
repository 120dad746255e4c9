import { isLoopback, messageOf, PlatformError, steadyClock, type Logger } from '../../base/index.ts';
import type { Settings } from '../../controllers/settings.ts';
import { reviewedSenders, tokenFileSenders, type Senders, type TokenReviews } from '../../gateway/index.ts';
import { startHttpServer, type ServerTls } from '../../server/index.ts';
import { followCertificate, readCertificate, type CertificateFiles } from './certificate-files.ts';
import { exposureProblem, linkProblem, servedAt, urlAt, type AddressFlags } from './served-at.ts';

type Served = Pick<Parameters<typeof startHttpServer>[0], 'routes' | 'pages' | 'log'>;

/** The address of Sickbay, checked, with its certificate. */
export interface Front {
  /** Serves until it is closed, and follows the certificate until the signal aborts. */
  listen(served: Served, signal: AbortSignal): Promise<{ readonly url: string; close(): Promise<void> }>;
}

interface FrontParts {
  readonly log: Logger;
  /** Whether a link signs in browsers there. */
  readonly hasLink?: boolean;
}

/** Refuses, before anything runs, an address that must not be served, and a certificate that cannot be. */
export async function openFront(settings: Settings, flags: AddressFlags, { log, hasLink = false }: FrontParts): Promise<Front> {
  const address = servedAt(settings, flags);
  const problem = exposureProblem(address, settings) ?? (hasLink ? linkProblem(address, settings) : undefined);
  if (problem !== undefined) throw new PlatformError('Invalid', problem, { retry: 'never' });
  const files = certificateFiles(settings);
  const tls = files && (await readCertificate(files));
  if (!tls && !isLoopback(address.host))
    log.warn('tokens are sent unencrypted: set server.tlsCertFile and server.tlsKeyFile, or put a proxy that ends TLS in front', {
      ...address,
    });
  return {
    async listen(served, signal) {
      const http = await startHttpServer({ ...address, ...(tls && { tls }), ...served }).catch((error: unknown) => {
        throw cannotListen(address.port, error);
      });
      const follow = { clock: steadyClock, log, signal, renew: (renewed: ServerTls) => http.renew(renewed) };
      const following = files && tls ? followCertificate({ files, current: tls, ...follow }) : undefined;
      return {
        url: urlAt(http, tls !== undefined),
        async close() {
          await http.close();
          await following;
        },
      };
    },
  };
}

/** Who may send signals; everyone who can reach the address when undefined. */
export async function sendersOf({ gateway, namespace }: Settings, reviews: TokenReviews, log: Logger): Promise<Senders | undefined> {
  switch (gateway.authentication) {
    case 'None':
      return undefined;
    case 'TokenFile':
      return tokenFileSenders({ path: gateway.tokenFile ?? '', clock: steadyClock, log });
    case 'TokenReview':
      return reviewedSenders(reviews, namespace);
  }
}

function certificateFiles({ server }: Settings): CertificateFiles | undefined {
  const { tlsCertFile: certFile, tlsKeyFile: keyFile } = server;
  return certFile === undefined || keyFile === undefined ? undefined : { certFile, keyFile };
}

const cannotListen = (port: number, cause: unknown): PlatformError =>
  new PlatformError('Unavailable', `cannot listen on port ${port} (${messageOf(cause)}): choose another, or 0 for any free one`, { cause });
