import { seededRandom } from '../../base/index.ts';
import { ApiError } from '../../kube/client/errors.ts';
import type { ApiRequest, ApiResponse, PatchContentType } from '../../kube/client/transport.ts';
import { ManualClock } from '../../testkit/manual-clock.ts';
import { ADMIN, createMemoryApi, newSigningKey, type MemoryApi, type Rights, type Storage, type User } from '../index.ts';
import { harnessOf, type Harness } from './harness.ts';

export const ADMIN_TOKEN = 'the-admin-token';

/** An embedded server with a manual clock and enforced rights, without a socket. */
export interface GuardedApi {
  readonly api: MemoryApi;
  readonly clock: ManualClock;
  /** Calls as this process itself. */
  readonly system: Harness;
  /** Calls through the gate as a user. */
  as(user: User | string): AsSomebody;
  /** Calls through the gate with these headers. */
  with(headers: Readonly<Record<string, string>>, request: ApiRequest): Promise<ApiResponse>;
}

export interface AsSomebody {
  call(method: ApiRequest['method'], path: string, body?: unknown): Promise<ApiResponse>;
  merge(path: string, body: unknown, contentType?: PatchContentType): Promise<ApiResponse>;
}

/** A user whose only group is that of all authenticated users, besides those given. */
export const aUser = (username: string, groups: readonly string[] = []): User => ({
  username,
  groups: [...groups, 'system:authenticated'],
});

export function aGuardedApi(rights: Partial<Rights> = {}, storage?: Storage): GuardedApi {
  const clock = new ManualClock();
  const given = { tokens: [{ token: ADMIN_TOKEN, user: ADMIN }], signingKey: newSigningKey(), ...rights };
  const api = createMemoryApi({ clock, random: seededRandom(11), rights: given, ...(storage && { storage }) });
  const pass = async (who: () => User, request: ApiRequest): Promise<ApiResponse> => {
    try {
      return await api.gate.admit(who(), request).request(request);
    } catch (error) {
      if (error instanceof ApiError) return { code: error.httpCode, body: error.status };
      throw error;
    }
  };
  return {
    api,
    clock,
    system: harnessOf(api, clock),
    as(user) {
      const who = typeof user === 'string' ? aUser(user) : user;
      return {
        call: (method, path, body) => pass(() => who, { method, path, ...(body !== undefined && { body }) }),
        merge: (path, body, contentType = 'application/merge-patch+json') => pass(() => who, { method: 'PATCH', path, body, contentType }),
      };
    },
    with: (headers, request) =>
      pass(() => api.gate.identify(Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]))), request),
  };
}
