import type { ApiRequest, Transport } from '../kube/client/transport.ts';
import { tokenIn } from './authentication/credential.ts';
import { impersonationIn, type Headers } from './authentication/impersonation.ts';
import { ANONYMOUS, type User } from './authentication/user.ts';
import { forbiddenRequest } from './authorization/forbidden-request.ts';
import { requestAttributes } from './authorization/request-attributes.ts';
import type { Authority } from './server.ts';
import { unauthorized } from './status-errors.ts';

/** Authenticates and authorizes requests that come over a network. Both steps throw the ApiError to answer with. */
export interface ApiGate {
  /** The user who sends the request: 401 for an invalid credential, 403 for an impersonation that is not allowed. */
  identify(headers: Headers): User;
  /** The API on behalf of this user, for this one request: 403 without the right to it. Does not read the body. */
  admit(user: User, request: ApiRequest): Transport;
}

/** The gate of an API that enforces rights; `as` is the API on behalf of a user. */
export const createGate = ({ authenticator, authorizer }: Authority, as: (user: User) => Transport): ApiGate => {
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
