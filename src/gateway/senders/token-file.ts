import { createHash, timingSafeEqual } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { after, messageOf, PlatformError, SECOND, type Clock, type Instant, type Logger } from '../../base/index.ts';
import { bearerToken, NO_TOKEN, type Senders } from './senders.ts';

/** How long what was read is believed: a new token works, and an old one no longer does, a second after the file has changed. */
const READ_EVERY_MS = SECOND;

/** Shorter ones can be guessed. */
const SHORTEST_TOKEN = 16;

const NO_TOKENS = 'holds no token: write one per line, such as the output of "openssl rand -hex 32"';

interface Parts {
  readonly path: string;
  /** A steady clock. */
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * Senders who know one of the tokens in a file, one per line. To start with a file that cannot be used is an error. One that cannot be used
 * later changes nothing, and the log says so: a Secret that is being replaced is absent for a moment. One that can be read and holds no token revokes
 * all: the operator emptied it.
 */
export async function tokenFileSenders({ path, clock, log }: Parts): Promise<Senders> {
  let digests = await readTokens(path);
  if (digests.length === 0) throw invalid(NO_TOKENS, path);
  let readAt: Instant = clock.now();
  let problem: string | undefined;

  const report = (what: string, error: string | undefined): void => {
    if (error !== undefined && error !== problem) log.error(what, { error });
    problem = error;
  };

  const follow = async (): Promise<void> => {
    if (clock.now() < after(readAt, READ_EVERY_MS)) return;
    readAt = clock.now();
    try {
      digests = await readTokens(path);
      report('every signal is refused', digests.length === 0 ? invalid(NO_TOKENS, path).message : undefined);
    } catch (error) {
      report('the tokens of senders stay as they were: fix the file', messageOf(error));
    }
  };

  return {
    async judge(authorization) {
      const token = bearerToken(authorization);
      if (token === undefined) return NO_TOKEN;
      await follow();
      return isAmong(token, digests) ? { kind: 'allowed' } : { kind: 'unknown', why: 'the bearer token is not one of gateway.tokenFile' };
    },
  };
}

/** Digests are of one length, and each of them is compared: the time that it takes says nothing about the tokens. */
function isAmong(token: string, digests: readonly Buffer[]): boolean {
  const wanted = digestOf(token);
  return digests.map((digest) => timingSafeEqual(digest, wanted)).includes(true);
}

const digestOf = (token: string): Buffer => createHash('sha256').update(token).digest();

/** Messages name the line, and never the token. */
async function readTokens(path: string): Promise<readonly Buffer[]> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw invalid(`cannot be read: ${messageOf(error)}`, path);
  });
  const lines = text.split('\n').map((line, index) => ({ token: line.trim(), number: index + 1 }));
  const tokens = lines.filter(({ token }) => token !== '');
  const bad = tokens.find(({ token }) => !/^[\x21-\x7e]+$/.test(token) || token.length < SHORTEST_TOKEN);
  if (bad)
    throw invalid(`line ${bad.number} is no token: wants at least ${SHORTEST_TOKEN} printable ASCII characters without spaces`, path);
  return tokens.map(({ token }) => digestOf(token));
}

const invalid = (why: string, path: string): PlatformError =>
  new PlatformError('Invalid', `gateway.tokenFile ${path} ${why}`, { retry: 'never' });
