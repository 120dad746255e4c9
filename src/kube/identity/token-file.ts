import { readFileSync } from 'node:fs';
import { messageOf, MINUTE, PlatformError, type Clock, type Instant } from '../../base/index.ts';
import { bearer, type Identity } from '../http/http-config.ts';

/** The kubelet replaces a token long before it expires, so once a minute is often enough; a refusal is a reason to look at once. */
const READ_EVERY_MS = MINUTE;

/** An identity whose token is kept in a file by someone else. While the file cannot be read the last token goes on. */
export function tokenFile(path: string, clock: Clock): (refused: boolean) => Identity {
  let token: string | undefined;
  let identity: Identity | undefined;
  let readAt: Instant | undefined;
  return (refused) => {
    if (identity && !refused && readAt !== undefined && clock.now() - readAt < READ_EVERY_MS) return identity;
    readAt = clock.now();
    const found = readToken(path, identity !== undefined) ?? token ?? '';
    if (!identity || found !== token) identity = bearer(found);
    token = found;
    return identity;
  };
}

function readToken(path: string, hasOlder: boolean): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    if (hasOlder) return undefined;
    throw new PlatformError('Unavailable', `reading the token in ${path}: ${messageOf(error)}`, { cause: error });
  }
}
