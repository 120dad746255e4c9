import type { Clock } from '../../base/index.ts';
import type { Store } from '../store/store.ts';
import { ISSUER } from './account-claims.ts';
import { createAccountTokens, type AccountTokens, type Identified } from './account-tokens.ts';
import { staticTokens, type StaticToken } from './static-tokens.ts';
import { authenticated } from './user.ts';

/** Tells whose a token is. */
export interface Authenticator {
  /** Undefined for a token that proves nothing; `audiences` are those that the asker would accept, this server's when absent. */
  identify(token: string, audiences?: readonly string[]): Identified | undefined;
  /** Absent where no key was given: then no tokens are issued, and none are believed. */
  readonly accounts: AccountTokens | undefined;
}

/** What proves who somebody is. */
export interface Credentials {
  readonly tokens?: readonly StaticToken[];
  /** PEM of the P-256 key that signs tokens of ServiceAccounts; see newSigningKey. */
  readonly signingKey?: string;
}

/** Whom tokens must be meant for to be believed here. */
export const AUDIENCES: readonly string[] = [ISSUER];

export function createAuthenticator(
  { tokens = [], signingKey }: Credentials,
  { store, clock }: { readonly store: Store; readonly clock: Clock },
): Authenticator {
  const known = staticTokens(tokens.map(({ token, user }) => ({ token, user: authenticated(user) })));
  const accounts = signingKey === undefined ? undefined : createAccountTokens({ signingKey, store, clock });
  return {
    accounts,
    identify(token, wanted = AUDIENCES) {
      const user = known(token);
      if (!user) return accounts?.identify(token, wanted);
      // A static token says nothing about audiences: it is meant for this server.
      const audiences = wanted.filter((audience) => AUDIENCES.includes(audience));
      return audiences.length === 0 ? undefined : { user, audiences };
    },
  };
}
