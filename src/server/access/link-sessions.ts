import { createHash, timingSafeEqual } from 'node:crypto';
import { after, HOUR, newSecret, type Clock, type Instant } from '../../base/index.ts';
import { demandSameOrigin } from './same-origin.ts';
import type { Caller, CallerHints, Callers } from './caller.ts';

/** How long a session lasts. */
const SESSION_MS = 7 * 24 * HOUR;

/** More sessions than browsers on a machine; the oldest ends first. */
const MOST_SESSIONS = 32;

/** Digests of the cookies of open sessions, with when each ends, the oldest first. */
export type OpenSessions = ReadonlyMap<string, Instant>;

export interface LinkSessionsOptions {
  readonly clock: Clock;
  /** Whom the sessions act as. */
  readonly caller: Caller;
  /** Sessions that an earlier process opened. */
  readonly open?: OpenSessions;
  /** Called with all sessions whenever one was opened. */
  readonly onOpened?: (open: OpenSessions) => void;
}

/**
 * Sessions of browsers on this machine. A link with a one-time code starts one: it sets a cookie that pages cannot read and that browsers
 * send to this server only. Only digests are kept.
 */
export class LinkSessions implements Callers {
  readonly #clock: Clock;
  readonly #caller: Caller;
  readonly #sessions: Map<string, Instant>;
  readonly #onOpened: NonNullable<LinkSessionsOptions['onOpened']>;
  #code: string;
  /** Called with a new code once one was used. */
  onUsed: (() => void) | undefined;

  constructor({ clock, caller, open = new Map(), onOpened = () => undefined }: LinkSessionsOptions) {
    this.#clock = clock;
    this.#caller = caller;
    this.#sessions = new Map(open);
    this.#onOpened = onOpened;
    this.#code = newSecret();
  }

  /** The path of the link that works now; it works once. */
  get path(): string {
    return `/auth/link?code=${this.#code}`;
  }

  /** The cookie of a new session; undefined when the code is wrong or was used. */
  open(code: string, { port, isEncrypted = false }: { readonly port: number; readonly isEncrypted?: boolean }): string | undefined {
    if (!isEqual(code, this.#code)) return undefined;
    this.#code = newSecret();
    const secret = newSecret();
    this.#sessions.set(digestOf(secret), after(this.#clock.now(), SESSION_MS));
    const [oldest] = this.#sessions.keys();
    if (this.#sessions.size > MOST_SESSIONS && oldest !== undefined) this.#sessions.delete(oldest);
    this.#onOpened(this.#sessions);
    this.onUsed?.();
    return `${cookieName(port)}=${secret}; Path=/; Max-Age=${SESSION_MS / 1000}; HttpOnly; SameSite=Strict${isEncrypted ? '; Secure' : ''}`;
  }

  callerOf({ headers }: CallerHints): Caller | undefined {
    const { cookie } = headers;
    const secrets = typeof cookie === 'string' ? secretsIn(cookie) : [];
    if (!secrets.some((secret) => this.#isOpen(digestOf(secret)))) return undefined;
    demandSameOrigin({ headers });
    return this.#caller;
  }

  #isOpen(digest: string): boolean {
    const until = this.#sessions.get(digest);
    if (until === undefined) return false;
    if (this.#clock.now() < until) return true;
    this.#sessions.delete(digest);
    return false;
  }
}

const NAME = 'sickbay-session';

/** Browsers send cookies to every port of a host: two runs on one machine must not overwrite each other's. */
const cookieName = (port: number): string => `${NAME}-${port}`;

const secretsIn = (header: string): readonly string[] =>
  header.split(';').flatMap((part) => {
    const [name = '', value = ''] = part.trim().split('=');
    return name.startsWith(NAME) ? [value] : [];
  });

const digestOf = (secret: string): string => createHash('sha256').update(secret).digest('base64url');

const isEqual = (a: string, b: string): boolean => timingSafeEqual(Buffer.from(digestOf(a)), Buffer.from(digestOf(b)));
