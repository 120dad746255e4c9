import { ServiceAccount } from '../../api/builtin/index.ts';
import type { ObjectKey } from '../../api/meta.ts';
import { after, HOUR, type Clock, type Instant } from '../../base/index.ts';
import type { KubeClient } from '../client/client.ts';
import { bearer, type Identity, type IdentitySource } from '../http/http-config.ts';

/** How long a token is asked for, and when the next one is: long before the end. */
const LIFE_MS = HOUR;
const RENEW_MS = LIFE_MS / 2;

export interface AccountIdentityOptions {
  /** Who may ask for tokens of the account. */
  readonly client: KubeClient;
  readonly account: ObjectKey;
  readonly clock: Clock;
}

/** An identity as another ServiceAccount, by tokens that are asked for as they are needed. */
export function accountIdentity({ client, account, clock }: AccountIdentityOptions): IdentitySource {
  let known: { readonly identity: Identity; readonly renewAt: Instant } | undefined;
  let asking: Promise<Identity> | undefined;
  const ask = async (): Promise<Identity> => {
    const renewAt = after(clock.now(), RENEW_MS);
    const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: LIFE_MS / 1_000 } };
    const answer = await client.subresource(ServiceAccount, account, { name: 'token', body });
    const identity = bearer((answer as { readonly status: { readonly token: string } }).status.token);
    known = { identity, renewAt };
    return identity;
  };
  return (refused) => {
    if (known && !refused && clock.now() < known.renewAt) return known.identity;
    // Requests that come at the same time share one token.
    asking ??= ask().finally(() => (asking = undefined));
    return asking;
  };
}
