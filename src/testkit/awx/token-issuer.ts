import { after, SECOND, toTime } from '../../base/index.ts';
import type { Neighbour, Simulation } from '../../simulation/index.ts';

/** How issued tokens begin, as real ones do: none of them may be seen anywhere. */
export const TOKEN_START = 'eyJhbGciOiJSUzI1NiJ9';

/** Answers for the part of the API server that gives tokens of ServiceAccounts, which the core in memory does not have. */
export const tokenGiver =
  ({ time }: Simulation): Neighbour =>
  ({ method, path, body }) => {
    const [, account] = /\/serviceaccounts\/([^/]+)\/token$/.exec(path) ?? [];
    if (method !== 'POST' || account === undefined) return undefined;
    const { spec } = body as { readonly spec: { readonly expirationSeconds: number } };
    const expirationTimestamp = toTime(after(time.now(), spec.expirationSeconds * SECOND));
    return {
      code: 201,
      body: {
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'TokenRequest',
        spec,
        status: { token: `${TOKEN_START}.${Buffer.from(account).toString('base64url')}.c2lnbmF0dXJl`, expirationTimestamp },
      },
    };
  };
