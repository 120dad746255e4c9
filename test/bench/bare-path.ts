import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { deepFreeze } from '../../src/base/index.ts';

/**
 * The least that an API write can be: parse, set the version, keep the object and its event, answer. No validation, no
 * schema, no concurrency control. The denominator of what our server does.
 */
export class BarePath {
  readonly #objects = new Map<string, unknown>();
  readonly #events: unknown[] = [];
  #version = 0;

  write(key: string, body: string): string {
    const object = JSON.parse(body) as { metadata: Record<string, unknown> };
    object.metadata['resourceVersion'] = String(++this.#version);
    deepFreeze(object);
    this.#objects.set(key, object);
    this.#events.push(object);
    if (this.#events.length > 10_000) this.#events.length = 0;
    return JSON.stringify(object);
  }
}

/** SQLite in a folder of its own, removed on close: one row updated and one event row added per write. */
export class SqlitePath {
  readonly #dir: string;
  readonly #db: DatabaseSync;
  readonly #update;
  readonly #event;
  #version = 0;

  constructor(synchronous: 'NORMAL' | 'FULL', dir = mkdtempSync(join(tmpdir(), 'sickbay-bench-'))) {
    this.#dir = dir;
    this.#db = new DatabaseSync(join(dir, 'bench.db'));
    this.#db.exec(`pragma journal_mode = wal; pragma synchronous = ${synchronous};
      create table object (key text primary key, version integer, body text);
      create table event (version integer primary key, body text);`);
    this.#update = this.#db.prepare(
      'insert into object values (?, ?, ?) on conflict (key) do update set version = excluded.version, body = excluded.body',
    );
    this.#event = this.#db.prepare('insert into event values (?, ?)');
  }

  /** All writes in one transaction. */
  commit(writes: readonly { readonly key: string; readonly body: string }[]): void {
    this.#db.exec('begin immediate');
    for (const { key, body } of writes) {
      this.#version++;
      this.#update.run(key, this.#version, body);
      this.#event.run(this.#version, body);
    }
    this.#db.exec('commit');
  }

  close(): void {
    this.#db.close();
    rmSync(this.#dir, { recursive: true });
  }
}
