import type { Clock } from '../../base/index.ts';
import type { VersionedStore } from '../store/store.ts';
import { ISSUER } from './account-claims.ts';
import { createAccountTokens, type AccountTokens, type Identified } from './account-tokens.ts';
import { staticTokens, type StaticToken } from './static-tokens.ts';
import { authenticated } from './user.ts';

/** Finds the user of a token. */
export interface Authenticator {
  /** Undefined for an invalid token; `audiences` are those that the caller accepts, this server's when absent. */
  identify(token: string, audiences?: readonly string[]): Identified | undefined;
  /** Absent without a signing key: then no tokens are issued, and none are accepted. */
  readonly accounts: AccountTokens | undefined;
}

/** What credentials are checked against. */
export interface Credentials {
  readonly tokens?: readonly StaticToken[];
  /** PEM of the P-256 key that signs tokens of ServiceAccounts; see newSigningKey. */
  readonly signingKey?: string;
}

/** The audiences of tokens that are accepted here. */
export const AUDIENCES: readonly string[] = [ISSUER];

export function createAuthenticator(
  { tokens = [], signingKey }: Credentials,
  { store, clock }: { readonly store: VersionedStore; readonly clock: Clock },
): Authenticator {
  const known = staticTokens(tokens.map(({ token, user }) => ({ token, user: authenticated(user) })));
  const accounts = signingKey === undefined ? undefined : createAccountTokens({ signingKey, store, clock });
  return {
    accounts,
    identify(token, wanted = AUDIENCES) {
      const user = known(token);
      if (!user) return accounts?.identify(token, wanted);
      // A static token has no audience: it is valid for this server.
      const audiences = wanted.filter((audience) => AUDIENCES.includes(audience));
      return audiences.length === 0 ? undefined : { user, audiences };
    },
  };
}
