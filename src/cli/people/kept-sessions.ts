import { messageOf, parseTime, toTime, type Instant, type Logger } from '../../base/index.ts';
import type { OpenSessions } from '../../server/index.ts';
import type { StateFolder } from '../process/state-folder.ts';

/** The sessions of an earlier run, and where those of this one are kept. */
export interface KeptSessions {
  readonly open: OpenSessions;
  onOpened(open: OpenSessions): void;
}

const FILE = 'sessions.json';

/**
 * Sessions of browsers that outlive a run: a page that is open goes on after a restart. The file holds digests, of which no cookie can be made.
 * One that cannot be read only means that each browser needs a new link.
 */
export async function keptSessions(folder: StateFolder, log: Logger): Promise<KeptSessions> {
  const text = await folder.secret(FILE, () => '{}');
  return {
    open: sessionsIn(text),
    onOpened(open) {
      const times = Object.fromEntries([...open].map(([digest, until]) => [digest, toTime(until)]));
      folder.write(FILE, JSON.stringify(times)).catch((error: unknown) => {
        log.warn('sessions of the console end with this run', { file: FILE, reason: messageOf(error) });
      });
    },
  };
}

/** Whatever else stands in the file is left out. */
export function sessionsIn(text: string): OpenSessions {
  const known = parsed(text);
  const sessions = new Map<string, Instant>();
  for (const [digest, time] of Object.entries(known)) {
    const until = typeof time === 'string' ? parseTime(time) : undefined;
    if (until !== undefined) sessions.set(digest, until);
  }
  return sessions;
}

function parsed(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}
