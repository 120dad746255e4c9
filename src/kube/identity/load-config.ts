import { existsSync, readFileSync } from 'node:fs';
import type { RequestOptions } from 'node:https';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { Cluster, KubeConfig, User } from '@kubernetes/client-node';
import { messageOf, PlatformError, type Clock } from '../../base/index.ts';
import { bearer, type HttpConfig, type Identity, type IdentitySource } from '../http/http-config.ts';
import { pluginIdentity } from './plugin-identity.ts';
import { podConfig } from './pod-config.ts';
import { tokenFile } from './token-file.ts';

export interface LoadOptions {
  readonly clock: Clock;
  /** One or more kubeconfig files, joined as in $KUBECONFIG. Without: $KUBECONFIG, the home folder's, or the Pod's own identity. */
  readonly kubeconfig?: string;
  /** The kubeconfig's current one when absent. */
  readonly context?: string;
}

/** How to reach a cluster, and the namespace that its context names. */
export interface ClusterConfig extends HttpConfig {
  readonly namespace?: string;
}

/**
 * Finds out where the cluster is and who we are, the way kubectl does. The official client library reads the files and runs the
 * plugins; it is loaded here and nowhere else, since it takes 90 MB, and not at all in a pod that has no kubeconfig.
 * @example createClient(httpTransport(await loadConfig({ clock: systemClock })))
 */
export async function loadConfig(options: LoadOptions): Promise<ClusterConfig> {
  const pod = namesKubeconfig(options) ? undefined : podConfig({ clock: options.clock, env: process.env });
  if (pod) return pod;
  const library = await import('@kubernetes/client-node');
  const load = (): KubeConfig => loadKubeConfig(new library.KubeConfig(), () => new library.KubeConfig(), options);
  const kubeConfig = attempt('reading the kubeconfig', load);
  const cluster = kubeConfig.getCurrentCluster();
  if (!cluster || isPlaceholder(cluster))
    throw new PlatformError('Unavailable', 'found no kubeconfig with a current context, and no Pod identity');
  const user = kubeConfig.getCurrentUser();
  const namespace = kubeConfig.getContextObject(kubeConfig.getCurrentContext())?.namespace;
  return {
    ...attempt(`reading the kubeconfig's cluster ${cluster.name}`, () => addressOf(cluster)),
    ...(user ? { identity: attempt(`reading the kubeconfig's user ${user.name}`, () => identityOf(user, load, options.clock)) } : {}),
    ...(namespace === undefined ? {} : { namespace: namespace.trim() }),
  };
}

const namesKubeconfig = ({ kubeconfig, context }: LoadOptions): boolean =>
  [kubeconfig, context, process.env['KUBECONFIG']].some(Boolean) || existsSync(join(homedir(), '.kube', 'config'));

function loadKubeConfig(target: KubeConfig, another: () => KubeConfig, options: LoadOptions): KubeConfig {
  const [first, ...others] = (options.kubeconfig ?? '').split(delimiter).filter((file) => file !== '');
  if (first === undefined) target.loadFromDefault();
  else target.loadFromFile(first);
  for (const file of others) {
    const more = another();
    more.loadFromFile(file);
    target.mergeConfig(more, true);
  }
  if (options.context === undefined) return target;
  if (!target.getContextObject(options.context))
    throw new PlatformError('NotFound', `no context is named ${JSON.stringify(options.context)}`);
  target.setCurrentContext(options.context);
  return target;
}

/** What the library makes up when it finds nothing; an error of connecting to it would not help. */
const isPlaceholder = (cluster: Cluster): boolean => cluster.name === 'cluster' && cluster.server === 'http://localhost:8080';

function addressOf(cluster: Cluster): HttpConfig {
  const ca = fileOrData(cluster.caFile, cluster.caData);
  return {
    server: cluster.server,
    ...(ca === undefined ? {} : { ca }),
    ...(cluster.tlsServerName === undefined ? {} : { serverName: cluster.tlsServerName }),
    ...(cluster.skipTLSVerify ? { insecure: true } : {}),
    ...(cluster.proxyUrl === undefined ? {} : { proxyUrl: cluster.proxyUrl }),
  };
}

function identityOf(user: User, load: () => KubeConfig, clock: Clock): Identity | IdentitySource {
  const file = tokenFileOf(user);
  if (file !== undefined) return tokenFile(file, clock);
  if (user.exec || user.authProvider) return pluginIdentity(plugin(load), clock);
  const cert = fileOrData(user.certFile, user.certData);
  const key = fileOrData(user.keyFile, user.keyData);
  return {
    headers: { ...authorizationOf(user), ...(user.impersonateUser ? { 'impersonate-user': user.impersonateUser } : {}) },
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
  };
}

function authorizationOf(user: User): Readonly<Record<string, string>> {
  if (user.token) return bearer(user.token.trim()).headers ?? {};
  if (!user.username) return {};
  return { authorization: `Basic ${Buffer.from(`${user.username}:${user.password ?? ''}`).toString('base64')}` };
}

/** The library's word for "in this cluster". */
function tokenFileOf(user: User): string | undefined {
  const provider = user.authProvider as { readonly config?: { readonly tokenFile?: string } } | null | undefined;
  return provider?.config?.tokenFile;
}

/** The library remembers a credential until it expires, and for ever when it does not say; a fresh KubeConfig remembers nothing. */
function plugin(load: () => KubeConfig): (refused: boolean) => Promise<Identity> {
  let kubeConfig: KubeConfig | undefined;
  return async (refused) => {
    if (!kubeConfig || refused) kubeConfig = load();
    const answer: RequestOptions = { headers: {} };
    await kubeConfig.applyToHTTPSOptions(answer);
    const headers = Object.entries(answer.headers ?? {}).map(([name, value]) => [name.toLowerCase(), String(value)]);
    return {
      headers: Object.fromEntries(headers) as Record<string, string>,
      ...(answer.cert ? { cert: textOf(answer.cert) } : {}),
      ...(answer.key ? { key: textOf(answer.key) } : {}),
    };
  };
}

const textOf = (pem: unknown): string => String(pem);

const fileOrData = (file: string | undefined | null, data: string | undefined | null): string | undefined => {
  if (file) return readFileSync(file, 'utf8');
  return data ? Buffer.from(data, 'base64').toString() : undefined;
};

function attempt<T>(what: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    if (error instanceof PlatformError) throw error;
    throw new PlatformError('Invalid', `${what}: ${messageOf(error)}`, { cause: error, retry: 'never' });
  }
}
