import type { ApiGate, User } from '../../apiserver/index.ts';
import { ApiError } from '../../kube/client/errors.ts';
import type { ApiResponse, Transport } from '../../kube/client/transport.ts';

/** The API of this process as one of its ServiceAccounts, with only that account's rights. */
export const asAccount = (gate: ApiGate, { namespace, name }: { readonly namespace: string; readonly name: string }): Transport =>
  asUser(gate, {
    username: `system:serviceaccount:${namespace}:${name}`,
    groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'],
  });

/** The API of this process as one of its users, with only that user's rights. */
export const asUser = (gate: ApiGate, user: User): Transport => ({
  request: (request, signal) => admitted(() => gate.admit(user, request).request(request, signal)),
  watch: (request, signal) => admitted(() => gate.admit(user, request).watch(request, signal)),
});

/** A refusal by authentication or authorization is an ordinary answer. */
async function admitted<T>(ask: () => Promise<T>): Promise<T | ApiResponse> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { code: error.status.code ?? 500, body: error.status };
  }
}
