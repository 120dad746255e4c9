import { parse } from 'yaml';
import { isObject, PlatformError } from '../base/index.ts';
import { bearer, type HttpConfig, type Identity } from '../kube/http/http-config.ts';

/** Entries that would make Sickbay run a program, or read a file and send its content. */
const NOT_FROM_HERE: Readonly<Record<string, string>> = {
  'certificate-authority': 'a file; put its content into certificate-authority-data',
  exec: 'a program to run for a credential; put a token or a client certificate into the kubeconfig',
  'auth-provider': 'a plugin to ask for a credential; put a token or a client certificate into the kubeconfig',
  tokenFile: 'a file; put its content into token',
  'client-certificate': 'a file; put its content into client-certificate-data',
  'client-key': 'a file; put its content into client-key-data',
};

/**
 * Where the current context of a kubeconfig leads, and our identity there. Its content goes into no message: it holds credentials.
 * Throws `Invalid` with a reason for people.
 */
export function readKubeconfig(text: string): HttpConfig {
  const config = parsed(text);
  const name = config['current-context'];
  if (typeof name !== 'string' || name === '') throw refused('it has no current-context');
  const context = named(config, 'contexts', name);
  const cluster = named(config, 'clusters', context['cluster']);
  const user = named(config, 'users', context['user']);
  const serverName = optionalText(cluster, 'tls-server-name');
  const proxyUrl = optionalText(cluster, 'proxy-url');
  const ca = pem(cluster, 'certificate-authority-data');
  return {
    server: serverOf(cluster),
    ...(ca !== undefined && { ca }),
    ...(serverName !== undefined && { serverName }),
    ...(cluster['insecure-skip-tls-verify'] === true && { insecure: true }),
    ...(proxyUrl !== undefined && { proxyUrl: urlOf(proxyUrl, 'proxy-url').href }),
    identity: identityOf(user),
  };
}

type Fields = Readonly<Record<string, unknown>>;

const SECTIONS = { contexts: 'context', clusters: 'cluster', users: 'user' } as const;

function parsed(text: string): Fields {
  try {
    // Errors and warnings of the parser quote the text, which contains credentials.
    const config: unknown = parse(text, { prettyErrors: false, logLevel: 'error' });
    if (isObject(config)) return config;
  } catch {
    throw refused('it is not YAML');
  }
  throw refused('it is not a mapping');
}

function named(config: Fields, section: keyof typeof SECTIONS, name: unknown): Fields {
  const list: unknown = config[section];
  const entries: readonly unknown[] = Array.isArray(list) ? list : [];
  const entry = entries.find((candidate) => isObject(candidate) && candidate['name'] === name);
  const fields = isObject(entry) ? entry[SECTIONS[section]] : undefined;
  if (!isObject(fields)) throw refused(`its current context names no entry of ${section}`);
  for (const [field, why] of Object.entries(NOT_FROM_HERE))
    if (fields[field] !== undefined && fields[field] !== null) throw refused(`${SECTIONS[section]}.${field} names ${why}`);
  return fields;
}

const serverOf = (cluster: Fields): string => {
  const server = optionalText(cluster, 'server');
  if (server === undefined) throw refused('its cluster has no server');
  return urlOf(server, 'server').href;
};

function urlOf(text: string, field: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol)) throw refused(`cluster.${field} is not an http or https URL`);
  return url;
}

function identityOf(user: Fields): Identity {
  const cert = pem(user, 'client-certificate-data');
  const key = pem(user, 'client-key-data');
  if ((cert === undefined) !== (key === undefined)) throw refused('its client certificate and its key must come together');
  const as = optionalText(user, 'as');
  return {
    headers: { ...authorizationOf(user), ...(as !== undefined && { 'impersonate-user': as }) },
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
  };
}

function authorizationOf(user: Fields): Identity['headers'] {
  const token = optionalText(user, 'token');
  if (token !== undefined) return bearer(token.trim()).headers;
  const username = optionalText(user, 'username');
  if (username === undefined) return {};
  return { authorization: `Basic ${Buffer.from(`${username}:${optionalText(user, 'password') ?? ''}`).toString('base64')}` };
}

function pem(fields: Fields, field: string): string | undefined {
  const data = optionalText(fields, field);
  if (data === undefined) return undefined;
  const text = Buffer.from(data, 'base64').toString();
  if (!text.includes('-----BEGIN ')) throw refused(`${field} holds no PEM`);
  return text;
}

function optionalText(fields: Fields, field: string): string | undefined {
  const value = fields[field];
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value !== 'string') throw refused(`${field} is not a text`);
  return value;
}

const refused = (why: string): PlatformError => new PlatformError('Invalid', why, { retry: 'never' });
