import type { ApiRequest, Transport } from '../kube/client/transport.ts';
import { tokenIn } from './authentication/credential.ts';
import { impersonationIn, type Headers } from './authentication/impersonation.ts';
import { ANONYMOUS, type User } from './authentication/user.ts';
import { forbiddenRequest } from './authorization/forbidden-request.ts';
import { requestAttributes } from './authorization/request-attributes.ts';
import type { Authority } from './server.ts';
import { unauthorized } from './status-errors.ts';

/** Stands between those who ask over a network and the API. Both steps throw the ApiError to answer with. */
export interface Gate {
  /** Who asks: 401 for a credential that proves nothing, 403 for those who may not be taken for whom they want to be. */
  identify(headers: Headers): User;
  /** The API as this user, for this one request: 403 if they have no right to it. Looks at no body. */
  admit(user: User, request: ApiRequest): Transport;
}

/** The gate of an API whose rights are enforced; `as` is the API on behalf of somebody. */
export const createGate = ({ authenticator, authorizer }: Authority, as: (user: User) => Transport): Gate => {
  const demand = (user: User, attributes: ReturnType<typeof requestAttributes>): void => {
    const verdict = authorizer.authorize(user, attributes);
    if (!verdict.allowed) throw forbiddenRequest(user, attributes, verdict.reason);
  };
  return {
    identify(headers) {
      const token = tokenIn(headers['authorization']?.[0]);
      const user = token === undefined ? ANONYMOUS : authenticator.identify(token)?.user;
      if (!user) throw unauthorized();
      const other = impersonationIn(headers);
      other?.needs.forEach((need) => demand(user, need));
      return other?.user ?? user;
    },
    admit(user, request) {
      demand(user, requestAttributes(request));
      return as(user);
    },
  };
};
