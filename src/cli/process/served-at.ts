import { isLoopback, reachedAt } from '../../base/index.ts';
import type { Settings } from '../../controllers/settings.ts';
import { addressAndPort } from '../commands/option-values.ts';
import type { Address } from './listen-address.ts';

/** What the command line says about the address of Sickbay. */
export interface AddressFlags {
  /** Replaces the port of the settings. */
  readonly port?: number | undefined;
  /** Replaces the address of the settings. */
  readonly listen?: Address | undefined;
}

/** Where alerts, the API, health and metrics are served. */
export function servedAt({ server: { listenAddr } }: Pick<Settings, 'server'>, { port, listen }: AddressFlags): Address {
  const address = listen ?? addressAndPort(listenAddr.startsWith(':') ? `0.0.0.0${listenAddr}` : listenAddr);
  return port === undefined ? address : { ...address, port };
}

/** Why Sickbay must not listen there; undefined when it may. Who can reach the address could have any workflow run that the catalogue has. */
export function exposureProblem({ host, port }: Address, { gateway }: Pick<Settings, 'gateway'>): string | undefined {
  if (gateway.authentication !== 'None' || isLoopback(host)) return undefined;
  return (
    `${urlHost(host)}:${port} is not a loopback address, so senders of signals must have a token: set gateway.authentication to TokenReview ` +
    'in the config file, or to TokenFile and gateway.tokenFile to a file of tokens (docs/alertmanager.md)'
  );
}

/** Why the link of a local run, which signs in an administrator, must not be served there; undefined when it may. */
export function linkProblem({ host, port }: Address, { server }: Pick<Settings, 'server'>): string | undefined {
  if (isLoopback(host) || server.tlsCertFile !== undefined) return undefined;
  return (
    `${urlHost(host)}:${port} is not a loopback address, and without TLS the link that signs in the administrator, and its session, would be sent unencrypted: ` +
    'set server.tlsCertFile and server.tlsKeyFile in the config file, or serve on 127.0.0.1'
  );
}

/** Why the demo, which sends alerts as Alertmanager without a token would, cannot run; undefined when it can. */
export const demoProblem = ({ gateway, server }: Pick<Settings, 'gateway' | 'server'>): string | undefined =>
  gateway.authentication === 'None' && server.tlsCertFile === undefined
    ? undefined
    : '--demo sends alerts without a token and without TLS: leave gateway.authentication and server.tlsCertFile out of its config file';

const urlHost = (host: string): string => (host.includes(':') ? `[${host}]` : host);

/** The URL for clients on this machine. */
export const urlAt = ({ host, port }: Address, tls: boolean): string => `${tls ? 'https' : 'http'}://${urlHost(reachedAt(host))}:${port}`;
