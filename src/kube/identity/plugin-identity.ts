import { messageOf, PlatformError, SECOND, sameJson, type Clock, type Instant } from '../../base/index.ts';
import type { Identity, IdentitySource } from '../http/http-config.ts';

/** Asking is cheap while the library has a credential that has not expired. */
const ASK_EVERY_MS = 30 * SECOND;
/** After a refusal it is asked sooner, but not by every request that meets one. */
const ASK_AGAIN_MS = 5 * SECOND;

/**
 * An identity that a plugin returns for a time. Requests share one call, and continue with the last answer if the next call fails.
 * `ask` is told when the last answer was refused, and must then not repeat it from memory.
 */
export function pluginIdentity(ask: (refused: boolean) => Promise<Identity>, clock: Clock): IdentitySource {
  let identity: Identity | undefined;
  let askedAt: Instant | undefined;
  let asking: Promise<Identity> | undefined;
  const renew = async (refused: boolean): Promise<Identity> => {
    try {
      const answer = await ask(refused);
      if (!identity || !sameJson(answer, identity)) identity = answer;
      return identity;
    } catch (error) {
      if (identity) return identity;
      throw new PlatformError('Unavailable', `asking the credential plugin: ${messageOf(error)}`, { cause: error });
    } finally {
      asking = undefined;
    }
  };
  return (refused) => {
    const age = askedAt === undefined ? Number.POSITIVE_INFINITY : clock.now() - askedAt;
    if (identity && age < (refused ? ASK_AGAIN_MS : ASK_EVERY_MS)) return identity;
    if (asking) return asking;
    askedAt = clock.now();
    asking = renew(refused);
    return asking;
  };
}
