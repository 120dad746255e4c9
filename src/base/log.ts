/** What a log line carries besides its message. Never a Secret, a token or a whole object. */
export type Fields = Readonly<Record<string, unknown>>;

/** Structured logs. Rooms take one in their deps; only the edge knows where lines go. */
export interface Logger {
  debug(message: string, fields?: Fields): void;
  info(message: string, fields?: Fields): void;
  warn(message: string, fields?: Fields): void;
  error(message: string, fields?: Fields): void;
  /** The same log with fields on every line. */
  with(fields: Fields): Logger;
}

/** Says nothing. */
export const silent: Logger = { debug() {}, info() {}, warn() {}, error() {}, with: () => silent };
