import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { PlatformError, SECOND } from '../../base/index.ts';
import type { AuditTables } from '../audit-queries.ts';
import { addressOf, postgresFailure } from './postgres-errors.ts';
import { migrate, SCHEMA_NAME } from './postgres-schema.ts';

/** More queries than this wait for no connection: they are refused, so that they do not pile up while the server is slow. */
const MOST_WAITING = 100;
const MOST_CONNECTIONS = 4;
const CONNECT_MS = 5 * SECOND;
const STATEMENT_MS = 30 * SECOND;

/** PostgreSQL's eight-byte integers, which pg gives as text: no trail has more events than a number holds. */
const INT8 = 20;

const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    // pg gives the parser no better type.
    oid === INT8 ? Number : (pg.types.getTypeParser(oid, format as 'text') as (value: string) => unknown),
};

/** Whether a trail is named by the address of a database. */
export const isDatabaseUrl = (trail: string): boolean => /^postgres(?:ql)?:\/\//.test(trail);

/** A pool of connections to a database, which is brought to the present form before its first use. What fails is tried again with the next use. */
export class PostgresConnection {
  readonly #url: string;
  readonly #pool: pg.Pool;
  readonly #db: Kysely<AuditTables>;
  #ready: Promise<void> | undefined;
  #closed: Promise<void> | undefined;

  constructor(url: string) {
    this.#url = url;
    this.#pool = new pg.Pool({
      connectionString: url,
      max: MOST_CONNECTIONS,
      connectionTimeoutMillis: CONNECT_MS,
      statement_timeout: STATEMENT_MS,
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
      await (this.#ready ??= migrate(this.#db));
      return await work(this.#db.withSchema(SCHEMA_NAME));
    } catch (error) {
      if (!(await this.#isReady())) this.#ready = undefined;
      const { code, message } = postgresFailure(doing, this.#url, error);
      throw new PlatformError(code, message, { cause: error });
    }
  }

  close(): Promise<void> {
    return (this.#closed ??= this.#db.destroy());
  }

  async #isReady(): Promise<boolean> {
    return (await Promise.allSettled([this.#ready]))[0].status === 'fulfilled';
  }
}
