import { DatabaseSync } from 'node:sqlite';

/** Changes a database from outside. It is closed at once: one that is forgotten moves what it wrote into the file whenever it is cleared away. */
export function alter(path: string, sql: string): void {
  const database = new DatabaseSync(path);
  database.exec(sql);
  database.close();
}
