import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { onTestFinished } from 'vitest';
import { newSecret } from '../../base/index.ts';
import type { AuditLog } from '../audit-log.ts';
import type { ChainedTrail } from '../chain/chained-trail.ts';
import { openPostgresAuditLog } from '../postgres/postgres-audit-log.ts';

/** A database and a key file for one trail; both go with the test. */
export interface PostgresTrail {
  readonly url: string;
  readonly keys: string;
  /** Closed with the test. */
  open(): AuditLog & ChainedTrail;
  /** Does to the database what its owner can do: first of all, remove what protects it. */
  tamper(sql: string): Promise<void>;
  query(sql: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
}

/** Makes a database on the server of the lane. */
export async function aPostgresTrail(server: string): Promise<PostgresTrail> {
  const name = `sickbay_test_${newSecret()
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')}`;
  await run(server, `create database ${name}`);
  onTestFinished(() => run(server, `drop database ${name} with (force)`).then(() => undefined));
  const folder = mkdtempSync(join(tmpdir(), 'sickbay-keys-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const url = Object.assign(new URL(server), { pathname: `/${name}` }).href;
  const keys = join(folder, 'keys');
  writeFileSync(keys, `${newSecret()}\n`);
  return {
    url,
    keys,
    open() {
      const log = openPostgresAuditLog({ url, keys });
      onTestFinished(() => log.close());
      return log;
    },
    query: (sql) => run(url, sql),
    tamper: async (sql) =>
      void (await run(
        url,
        `set search_path = sickbay; alter table event disable trigger all; alter table event drop constraint if exists event_has_a_place; ${sql}`,
      )),
  };
}

async function run(url: string, sql: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const result = (await client.query(sql)) as unknown as pg.QueryResult | readonly pg.QueryResult[];
    return ([result].flat().at(-1) as pg.QueryResult).rows as Readonly<Record<string, unknown>>[];
  } finally {
    await client.end();
  }
}
