import type { Fields, Logger } from '../../base/index.ts';

/** A log that tests can read: one entry per line, its level first. */
export function notedLog(): { readonly log: Logger; readonly lines: (readonly [string, string, Fields | undefined])[] } {
  const lines: (readonly [string, string, Fields | undefined])[] = [];
  const at = (level: string) => (message: string, fields?: Fields) => void lines.push([level, message, fields]);
  const log: Logger = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error'), with: () => log };
  return { log, lines };
}
