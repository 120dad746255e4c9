import { SECOND, type Clock, type Instant } from '../../base/index.ts';
import type { Stored } from '../object.ts';
import { keyIn } from '../server.ts';
import type { VersionedStore } from '../store/store.ts';
import { readAccountClaims, writeAccountClaims, type AccountClaims, type BoundObject, type BoundKind } from './account-claims.ts';
import { createSigner } from './jwt.ts';
import { VerifiedTokens } from './verified-tokens.ts';
import { accountGroups, accountUsername, authenticated, type User } from './user.ts';

/** The user of a token, and which of the wanted audiences it is valid for. */
export interface Identified {
  readonly user: User;
  readonly audiences: readonly string[];
}

/** Issues and recognises tokens of ServiceAccounts. */
export interface AccountTokens {
  issue(claims: AccountClaims): string;
  /** Undefined for a token of another issuer or other audiences, for an expired one, and when the account or the bound object is deleted. */
  identify(token: string, audiences: readonly string[]): Identified | undefined;
}

export interface AccountTokensOptions {
  readonly signingKey: string;
  readonly store: VersionedStore;
  readonly clock: Clock;
}

/** The tokens of one key, for the accounts in a store. */
export function createAccountTokens({ signingKey, store, clock }: AccountTokensOptions): AccountTokens {
  const signer = createSigner(signingKey);
  const proven = new VerifiedTokens((token) => {
    const raw = signer.read(token);
    const claims = raw && readAccountClaims(raw);
    return claims && { claims, user: authenticated(userOf(claims)) };
  });
  return {
    issue: (claims) => signer.sign(writeAccountClaims(claims)),
    identify(token, wanted) {
      const proof = proven.read(token);
      if (!proof) return undefined;
      const { claims, user } = proof;
      const audiences = wanted.filter((audience) => claims.audiences.includes(audience));
      if (audiences.length === 0 || !isCurrent(claims, clock.now()) || !isAlive(store, claims)) return undefined;
      return { user, audiences };
    },
  };
}

/** The same clock issues and checks, so no clock skew is allowed for. */
const isCurrent = ({ notBefore, expiresAt }: AccountClaims, now: Instant): boolean => now >= notBefore * SECOND && now < expiresAt * SECOND;

/** A token is invalid once its account or its bound object is deleted, even if another with the same name was created since. */
const isAlive = (store: VersionedStore, claims: AccountClaims): boolean =>
  isThere(store.table('/serviceaccounts').get(keyIn(claims.namespace, claims.account.name)), claims.account.uid) &&
  (!claims.bound || isThere(boundObject(store, claims.namespace, claims.bound), claims.bound.uid));

const isThere = (found: Stored | undefined, uid: string): boolean => found?.metadata.uid === uid;

const TABLES: Readonly<Record<BoundKind, string>> = { Pod: '/pods', Secret: '/secrets', Node: '/nodes' };

/** The object that a token is or is to be bound to; undefined when it does not exist. */
export const boundObject = (
  store: VersionedStore,
  namespace: string,
  { kind, name }: Pick<BoundObject, 'kind' | 'name'>,
): Stored | undefined => store.table(TABLES[kind]).get(keyIn(kind === 'Node' ? undefined : namespace, name));

function userOf(claims: AccountClaims): User {
  const { namespace, account } = claims;
  return {
    username: accountUsername({ namespace, name: account.name }),
    uid: account.uid,
    groups: accountGroups(namespace),
    extra: extraOf(claims),
  };
}

const EXTRA = 'authentication.kubernetes.io';

function extraOf({ id, bound, node }: AccountClaims): Readonly<Record<string, readonly string[]>> {
  const shownNode = bound?.kind === 'Node' ? bound : node;
  return {
    [`${EXTRA}/credential-id`]: [`JTI=${id}`],
    ...(shownNode && { [`${EXTRA}/node-name`]: [shownNode.name], [`${EXTRA}/node-uid`]: [shownNode.uid] }),
    ...(bound?.kind === 'Pod' && { [`${EXTRA}/pod-name`]: [bound.name], [`${EXTRA}/pod-uid`]: [bound.uid] }),
  };
}
