import { given, PlatformError } from '../../base/index.ts';
import { isDatabaseUrl } from '../../store/index.ts';
import type { AuditFiles } from './audit-trail.ts';

/** The options of the audit trail. */
export interface AuditFlags {
  readonly audit?: string;
  readonly auditKey?: string;
  readonly auditCheckpoints?: string;
}

const invalid = (message: string): PlatformError => new PlatformError('Invalid', message, { retry: 'never' });

/** Where the audit trail is and what belongs to it; undefined when it is to be in memory. */
export function auditFilesOf(
  { audit, auditKey: keys, auditCheckpoints: checkpoints }: AuditFlags,
  databaseUrl: string | undefined,
): AuditFiles | undefined {
  const path = trailOf(audit, databaseUrl);
  if (path === undefined) {
    if (keys === undefined && checkpoints === undefined) return undefined;
    throw invalid('--audit-key and --audit-checkpoints belong to a trail that is kept: they need --audit or DATABASE_URL');
  }
  if (isDatabaseUrl(path) && keys === undefined)
    throw invalid(
      'a trail in PostgreSQL needs --audit-key: a file with a key, the same for every replica: (umask 077; openssl rand -hex 32 > FILE)',
    );
  return { path, ...given({ keys, checkpoints }) };
}

/** The trail that is named, by an option or argument first; a database may be named by DATABASE_URL, where no one else sees its password. */
export function trailOf(named: string | undefined, databaseUrl: string | undefined): string | undefined {
  if (named !== undefined && !/^[a-z]+:\/\//i.test(named)) return named;
  const [url, source] = named === undefined ? [databaseUrl, 'DATABASE_URL'] : [named, '--audit'];
  if (url === undefined || url === '') return undefined;
  demandAddress(url, source, named !== undefined);
  return url;
}

function demandAddress(url: string, source: string, canBeSeen: boolean): void {
  if (!isDatabaseUrl(url) || !URL.canParse(url)) throw invalid(`${source}: it takes an address such as postgres://user@host:5432/database`);
  const address = new URL(url);
  if (holdsAt(address))
    throw invalid(`${source}: it has an @ after its host: write / ? # @ : in user, password and options as %2F %3F %23 %40 %3A`);
  if (canBeSeen && hasPassword(address))
    throw invalid(
      'a password on the command line can be seen by other users: give the address as DATABASE_URL, or the password as PGPASSWORD',
    );
}

/** Where a password holds a / ? or # that is not escaped, what follows it is taken for the name of the database, and would be shown. */
const holdsAt = ({ pathname, search, hash }: URL): boolean => `${pathname}${search}${hash}`.includes('@');

const hasPassword = ({ password, searchParams }: URL): boolean =>
  password !== '' || [...searchParams.keys()].some((name) => name.toLowerCase().endsWith('password'));
