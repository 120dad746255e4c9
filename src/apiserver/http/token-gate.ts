import type { Transport } from '../../kube/client/transport.ts';
import { tokenIn } from '../authentication/credential.ts';
import { staticTokens } from '../authentication/static-tokens.ts';
import { ADMIN } from '../authentication/user.ts';
import type { ApiGate } from '../gate.ts';
import { unauthorized } from '../status-errors.ts';

/** A gate without rights: the holder of the token may do everything, other clients nothing. */
export function tokenGate(api: Transport, token: string): ApiGate {
  const userOf = staticTokens([{ token, user: ADMIN }]);
  return {
    identify(headers) {
      const user = userOf(tokenIn(headers['authorization']?.[0]) ?? '');
      if (!user) throw unauthorized();
      return user;
    },
    admit: () => api,
  };
}
