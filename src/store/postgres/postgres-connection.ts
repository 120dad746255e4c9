import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { PlatformError, SECOND } from '../../base/index.ts';
import { StorageError } from '../../base/sqlite/index.ts';
import type { AuditTables } from '../audit-queries.ts';
import { addressOf, postgresFailure } from './postgres-errors.ts';
import { demandTrail, prepareTrail, SCHEMA_NAME, trailGone } from './postgres-schema.ts';

/** More queries than this wait for no connection: they are refused, so that they do not pile up while the server is slow. */
const MOST_WAITING = 100;
const MOST_CONNECTIONS = 4;
const CONNECT_MS = 5 * SECOND;
const STATEMENT_MS = 30 * SECOND;
/** A replica that hangs within a transaction holds the lock of all others: the server ends its transaction. */
const IDLE_IN_TRANSACTION_MS = 10 * SECOND;

/** PostgreSQL's eight-byte integers, which pg gives as text. */
const INT8 = 20;

/** No trail has more events than a number holds exactly: a greater one was made up, and rounded it would pass for another. */
function exactNumber(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value))
    throw new StorageError('Terminal', `an event has the number ${text}, which no event gets: a person changed the database; ${KEEP}`);
  return value;
}

const KEEP = 'keep it as evidence, and compare with a backup or an export';

const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    // pg gives the parser no better type.
    oid === INT8 ? exactNumber : (pg.types.getTypeParser(oid, format as 'text') as (value: string) => unknown),
};

/** Whether a trail is named by the address of a database. */
export const isDatabaseUrl = (trail: string): boolean => /^postgres(?:ql)?:\/\//.test(trail);

/** The SQLSTATE of a table or a schema that is not there. */
const isMissing = (error: unknown): boolean => ['42P01', '3F000'].includes(String((error as { readonly code?: unknown }).code));

/**
 * A pool of connections to a database. One that writes is brought to the present form before its first use; one that is only read is never
 * changed. What fails is tried again with the next use.
 */
export class PostgresConnection {
  readonly #url: string;
  readonly #mode: 'write' | 'read';
  readonly #pool: pg.Pool;
  readonly #db: Kysely<AuditTables>;
  #ready: Promise<void> | undefined;
  /** The trail was there: where it is gone, no empty one takes its place without being asked for. */
  #wasThere = false;
  #closed: Promise<void> | undefined;

  constructor(url: string, mode: 'write' | 'read') {
    this.#url = url;
    this.#mode = mode;
    this.#pool = new pg.Pool({
      connectionString: url,
      max: MOST_CONNECTIONS,
      connectionTimeoutMillis: CONNECT_MS,
      statement_timeout: STATEMENT_MS,
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
      query_timeout: STATEMENT_MS + CONNECT_MS,
      keepAlive: true,
      application_name: 'sickbay',
      types,
    });
    // An idle connection that breaks: the next use shows whether the server is gone.
    this.#pool.on('error', () => undefined);
    // One that breaks while it is in use: its query rejects, and without a listener the process would end.
    this.#pool.on('connect', (client) => client.on('error', () => undefined));
    this.#db = new Kysely<AuditTables>({ dialect: new PostgresDialect({ pool: this.#pool }) });
  }

  get address(): string {
    return addressOf(this.#url);
  }

  /** Rejects with what is wrong and what to do. */
  async use<T>(doing: 'writing to' | 'reading', work: (db: Kysely<AuditTables>) => Promise<T>): Promise<T> {
    if (this.#closed) throw new PlatformError('Unavailable', `using ${this.address}: it was closed`, { retry: 'never' });
    if (this.#pool.waitingCount >= MOST_WAITING)
      throw new PlatformError(
        'Unavailable',
        `${doing} ${this.address}: ${MOST_WAITING} queries wait for a connection already; the server is too slow`,
      );
    try {
      await (this.#ready ??= this.#prepare());
      return await work(this.#db.withSchema(SCHEMA_NAME));
    } catch (error) {
      if (isMissing(error) || !(await this.#isReady())) this.#ready = undefined;
      const { code, message } = postgresFailure(doing, this.#url, error);
      throw new PlatformError(code, message, { cause: error });
    }
  }

  close(): Promise<void> {
    return (this.#closed ??= this.#db.destroy());
  }

  async #prepare(): Promise<void> {
    if (this.#mode === 'read') return demandTrail(this.#db);
    await prepareTrail(this.#db, this.#wasThere ? trailGone : undefined);
    this.#wasThere = true;
  }

  async #isReady(): Promise<boolean> {
    return (await Promise.allSettled([this.#ready]))[0].status === 'fulfilled';
  }
}
