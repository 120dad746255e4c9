import { messageOf, type Fields, type Instant, type Logger } from '../base/index.ts';

/** The step log: what a person reads to understand a run. Lines are formatted only when they are read. */
export interface Journal {
  note(who: string, what: () => string): void;
  /** Nothing that is noted from now on belongs to the run. */
  close(): void;
  lines(): readonly string[];
}

interface Entry {
  readonly at: Instant;
  readonly who: string;
  readonly what: () => string;
}

/** Times in the log count from the start of the run. */
export function createJournal(now: () => Instant): Journal {
  const start = now();
  const entries: Entry[] = [];
  let isOpen = true;
  return {
    note(who, what) {
      if (isOpen) entries.push({ at: now(), who, what });
    },
    close: () => void (isOpen = false),
    lines: () => entries.map((entry) => `${elapsed(entry.at - start)}  ${entry.who.padEnd(6)}  ${entry.what()}`),
  };
}

/** `m:ss.mmm`, padded so that the columns line up. */
function elapsed(ms: number): string {
  const minutes = String(Math.floor(ms / 60_000)).padStart(3);
  const seconds = String(Math.floor((ms % 60_000) / 1_000)).padStart(2, '0');
  return `${minutes}:${seconds}.${String(Math.floor(ms % 1_000)).padStart(3, '0')}`;
}

/** A process's own log, as lines of the journal. */
export function journalLogger(journal: Journal, who: string, bound: Fields = {}): Logger {
  const at =
    (level: string) =>
    (message: string, fields: Fields = {}): void =>
      journal.note(who, () => `${level}: ${message}${fieldsText({ ...bound, ...fields })}`);
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    with: (fields) => journalLogger(journal, who, { ...bound, ...fields }),
  };
}

const fieldsText = (fields: Fields): string =>
  Object.entries(fields)
    .map(([name, value]) => ` ${name}=${value instanceof Error ? messageOf(value) : String(value)}`)
    .join('');
