import { Pod } from '../api/builtin/index.ts';
import type { KubeObject, ObjectKey, Status } from '../api/meta.ts';
import { keyText } from '../api/meta.ts';
import { resourceName, type Resource } from '../api/resource.ts';
import { PlatformError } from '../base/index.ts';
import type { KubeClient } from '../kube/client/client.ts';
import { ApiError } from '../kube/client/errors.ts';

/** One call as it reached the fake. */
export interface FakeCall {
  readonly verb:
    'get' | 'list' | 'create' | 'update' | 'updateStatus' | 'patch' | 'patchStatus' | 'delete' | 'subresource' | 'log' | 'watch';
  /** `plural.group namespace/name`. */
  readonly target: string;
  readonly body?: unknown;
  readonly options?: unknown;
}

/** A client that writes down what it is asked and answers from `answer`; whatever that throws is the answer. */
export function fakeClient(answer: (call: FakeCall) => unknown = () => ({})): { client: KubeClient; calls: FakeCall[] } {
  const calls: FakeCall[] = [];
  const on = async <T>(
    verb: FakeCall['verb'],
    resource: Resource,
    key: ObjectKey,
    rest: Pick<FakeCall, 'body' | 'options'>,
  ): Promise<T> => {
    const call = { verb, target: `${resourceName(resource)} ${keyText(key)}`.trim(), ...rest };
    calls.push(call);
    return (await answer(call)) as T;
  };
  const of = (object: { readonly metadata: { readonly name?: string; readonly namespace?: string } }): ObjectKey => ({
    namespace: object.metadata.namespace ?? '',
    name: object.metadata.name ?? '',
  });
  const client: KubeClient = {
    get: (resource, key, options) => on('get', resource, key, { options }),
    list: (resource, options) => on('list', resource, { namespace: '', name: '' }, { options }),
    create: (resource, object, options) => on('create', resource, of(object), { body: object, options }),
    update: (resource, object, options) => on('update', resource, of(object), { body: object, options }),
    updateStatus: (resource, object, options) => on('updateStatus', resource, of(object), { body: object, options }),
    patch: (resource, key, patch, options) => on('patch', resource, key, { body: patch, options }),
    patchStatus: (resource, key, patch, options) => on('patchStatus', resource, key, { body: patch, options }),
    delete: (resource, key, options) => on('delete', resource, key, { options }),
    subresource: (resource, key, write, options) => on('subresource', resource, key, { body: write, options }),
    log: (key, options) => on('log', Pod, key, { options }),
    watch: (resource, options) => on('watch', resource, { namespace: '', name: '' }, { options }),
  };
  return { client, calls };
}

/** The server's no, as kube-apiserver words it. */
export function refusal(code: number, reason: string, more: Partial<Status> = {}): ApiError {
  return new ApiError({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code, reason, message: reason, ...more });
}

/** The client cannot know whether the server acted. */
export const lostReply = (): PlatformError => new PlatformError('Unavailable', 'the connection broke');

/** An object with its metadata filled in. */
export function anObject<T extends KubeObject = KubeObject>(
  kind: string,
  more: { readonly metadata?: object; readonly [member: string]: unknown } = {},
): T {
  const { metadata, ...rest } = more;
  return {
    apiVersion: 'test.sickbay.dev/v1',
    kind,
    metadata: {
      name: 'one',
      namespace: 'default',
      uid: `uid-of-${kind.toLowerCase()}`,
      resourceVersion: '7',
      creationTimestamp: '2026-11-15T03:00:00Z',
      ...metadata,
    },
    ...rest,
  } as unknown as T;
}
