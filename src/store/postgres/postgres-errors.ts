import { messageOf } from '../../base/index.ts';
import { StorageError, type Failure } from '../../base/sqlite/index.ts';

const AFTERWARDS = 'Sickbay retries by itself';

interface Meaning {
  readonly code: Failure['code'];
  readonly advice: string;
}

/** By PostgreSQL's SQLSTATE, and by the codes of the system and of TLS. */
const MEANINGS: Readonly<Record<string, Meaning>> = {
  '28P01': { code: 'Unavailable', advice: `check user and password; ${AFTERWARDS}` },
  '28000': { code: 'Unavailable', advice: `check the user, and what pg_hba.conf allows; ${AFTERWARDS}` },
  '3D000': { code: 'Unavailable', advice: `create the database; ${AFTERWARDS}` },
  '42501': {
    code: 'Unavailable',
    advice: `give the user the right to create the schema sickbay, or create it for the user; ${AFTERWARDS}`,
  },
  '25006': { code: 'Unavailable', advice: `name the primary, not a replica; ${AFTERWARDS}` },
  '42P01': { code: 'Unavailable', advice: `a table of the trail was dropped or renamed: restore it from a backup; ${AFTERWARDS}` },
  '3F000': { code: 'Unavailable', advice: `the schema of the trail was dropped: restore it from a backup; ${AFTERWARDS}` },
  '25P03': { code: 'Unavailable', advice: `Sickbay stood still within a transaction: look for a lack of CPU; ${AFTERWARDS}` },
  '53100': { code: 'Unavailable', advice: `free space on the disk of the server; ${AFTERWARDS}` },
  '53300': { code: 'Unavailable', advice: `raise max_connections, or end other connections; ${AFTERWARDS}` },
  '57P01': { code: 'Unavailable', advice: AFTERWARDS },
  '57P03': { code: 'Unavailable', advice: AFTERWARDS },
  '57014': { code: 'Unavailable', advice: `look for locks and for a server that is too slow; ${AFTERWARDS}` },
  ECONNREFUSED: { code: 'Unavailable', advice: `start the server, or correct host and port; ${AFTERWARDS}` },
  ENOTFOUND: { code: 'Unavailable', advice: `correct the name of the host; ${AFTERWARDS}` },
  CERT_HAS_EXPIRED: { code: 'Unavailable', advice: `renew the certificate of the server; ${AFTERWARDS}` },
  SELF_SIGNED_CERT_IN_CHAIN: { code: 'Unavailable', advice: `name the CA with sslrootcert in the URL; ${AFTERWARDS}` },
  DEPTH_ZERO_SELF_SIGNED_CERT: { code: 'Unavailable', advice: `name the CA with sslrootcert in the URL; ${AFTERWARDS}` },
};

const OTHER: Meaning = { code: 'Unavailable', advice: AFTERWARDS };

/** What is wrong with the database, and what to do about it. Its address is shown without the password. */
export function postgresFailure(doing: string, url: string, error: unknown): Failure {
  const place = `${doing} ${addressOf(url)}`;
  if (error instanceof StorageError) return { ...error.failure, message: `${place}: ${error.message}` };
  const { code, advice } = MEANINGS[String((error as { readonly code?: unknown }).code)] ?? OTHER;
  return { code, message: `${place}: ${textOf(error)}; ${advice}` };
}

/** Where every address of a host refuses, Node says nothing but that. */
function textOf(error: unknown): string {
  const [first] = error instanceof AggregateError ? (error.errors as readonly unknown[]) : [];
  return messageOf(first ?? error);
}

/** Host, port and database. Nothing of what may be the rest of a password that was not escaped. */
export function addressOf(url: string): string {
  const { hostname, port, pathname } = new URL(url);
  if (pathname.includes('@')) return 'postgres://…';
  return `postgres://${hostname}${port === '' ? '' : `:${port}`}${pathname}`;
}
