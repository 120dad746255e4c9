import { keyOf, keyText, type KubeObject, type ObjectKey } from '../../api/meta.ts';
import { resourceName, type Resource } from '../../api/resource.ts';
import { assertNever, hasCode, PlatformError, type Logger } from '../../base/index.ts';
import type { JsonPatchOperation, KubeClient } from '../../kube/client/client.ts';
import { isPatchThatDoesNotFit } from '../../kube/client/errors.ts';
import type { EventRecorder } from '../../kube/objects/events.ts';
import type { Effect } from './controller.ts';

type EffectOf<Kind extends Effect['kind']> = Extract<Effect, { readonly kind: Kind }>;

/** Does something beyond the API. The same `key` may come again: the second time must change nothing. */
export type CallHandler = (
  call: { readonly key: string; readonly input: unknown; readonly subject: KubeObject },
  signal: AbortSignal,
) => Promise<void>;

/** What effects are performed with. */
export interface Performer {
  readonly client: KubeClient;
  readonly events: EventRecorder;
  readonly calls: Readonly<Record<string, CallHandler>>;
  readonly log: Logger;
  readonly signal: AbortSignal;
  /** False once another process may be acting in our place. */
  mayAct(): boolean;
}

/** What was observed is no longer so. Not a failure: the pass ends, and the next one looks again. */
export class StaleView extends PlatformError {
  constructor(what: string, cause: unknown) {
    super('Conflict', `${what}: what was observed is no longer so`, { cause });
  }
}

/** Must no longer act: the process is stopping or has lost its lease. */
export class Stopped extends PlatformError {
  constructor(what: string) {
    super('Unavailable', `${what}: no longer acting`);
  }
}

/** Performs one effect. Throws StaleView when the world is not the one that was decided on. */
export function perform(effect: Effect, subject: KubeObject, by: Performer): Promise<void> {
  demandLeave(by, effect.kind);
  switch (effect.kind) {
    case 'Create':
      return create(effect, by);
    case 'Patch':
      return patch(effect, by);
    case 'PatchStatus':
      return writeStatus(effect, by);
    case 'Delete':
      return remove(effect, by);
    case 'Event':
      return tell(effect, subject, by);
    case 'Call':
      return call(effect, subject, by);
    default:
      return assertNever(effect);
  }
}

/**
 * Replaces a status under the version it was decided on. Setting the resourceVersion inside a JSON patch makes the server answer
 * Conflict when it is not the current one; a merge patch would keep members that the new status no longer has.
 */
export async function writeStatus(write: Omit<EffectOf<'PatchStatus'>, 'kind'>, by: Performer): Promise<void> {
  demandLeave(by, 'status');
  const body: readonly JsonPatchOperation[] = [versionIs(write.resourceVersion), { op: 'add', path: '/status', value: write.status }];
  const what = `writing the status of ${nameOf(write.resource, write.key)}`;
  await unlessStale(what, () => by.client.patchStatus(write.resource, write.key, { type: 'json', body }, { signal: by.signal }));
}

async function create(effect: EffectOf<'Create'>, by: Performer): Promise<void> {
  if (!effect.object.metadata.name) throw withoutName(effect.resource);
  try {
    await by.client.create(effect.resource, effect.object, { signal: by.signal });
  } catch (error) {
    if (!hasCode(error, 'AlreadyExists')) throw error;
    by.log.debug('exists already', { object: nameOf(effect.resource, keyOf(effect.object)) });
  }
}

/**
 * The server enforces a UID only as a `test`: set by a merge patch it is silently dropped on the status of custom resources.
 * The resourceVersion is set, not tested, for the sake of a proper Conflict.
 */
async function patch(effect: EffectOf<'Patch'>, by: Performer): Promise<void> {
  const body: readonly JsonPatchOperation[] = [
    { op: 'test', path: '/metadata/uid', value: effect.uid },
    ...(effect.resourceVersion === undefined ? [] : [versionIs(effect.resourceVersion)]),
    ...effect.operations,
  ];
  const what = `patching ${nameOf(effect.resource, effect.key)}`;
  const write = effect.subresource === 'status' ? by.client.patchStatus.bind(by.client) : by.client.patch.bind(by.client);
  await unlessStale(what, () => write(effect.resource, effect.key, { type: 'json', body }, { signal: by.signal }));
}

async function remove(effect: EffectOf<'Delete'>, by: Performer): Promise<void> {
  const { uid, resourceVersion } = effect;
  const preconditions = { uid, ...(resourceVersion !== undefined && { resourceVersion }) };
  const options = { preconditions, propagationPolicy: 'Background', signal: by.signal } as const;
  try {
    await by.client.delete(effect.resource, effect.key, options);
  } catch (error) {
    if (hasCode(error, 'NotFound')) return;
    throw isStale(error) ? new StaleView(`deleting ${nameOf(effect.resource, effect.key)}`, error) : error;
  }
}

const tell = ({ type, reason, message }: EffectOf<'Event'>, subject: KubeObject, by: Performer): Promise<void> =>
  by.events.record(subject, { type, reason, message }, by.signal);

async function call(effect: EffectOf<'Call'>, subject: KubeObject, by: Performer): Promise<void> {
  const handler = Object.hasOwn(by.calls, effect.run) ? by.calls[effect.run] : undefined;
  if (!handler) throw new PlatformError('Internal', `calling ${effect.run}: no such handler`, { retry: 'never' });
  await handler({ key: effect.key, input: effect.input, subject }, by.signal);
}

function demandLeave(by: Performer, what: string): void {
  if (by.signal.aborted || !by.mayAct()) throw new Stopped(what);
}

async function unlessStale(what: string, write: () => Promise<unknown>): Promise<void> {
  try {
    await write();
  } catch (error) {
    throw isStale(error) ? new StaleView(what, error) : error;
  }
}

/** An object that is gone is as stale a view as one that changed. */
const isStale = (error: unknown): boolean => hasCode(error, 'Conflict') || hasCode(error, 'NotFound') || isPatchThatDoesNotFit(error);

const versionIs = (resourceVersion: string): JsonPatchOperation => ({
  op: 'replace',
  path: '/metadata/resourceVersion',
  value: resourceVersion,
});

const nameOf = (resource: Resource, key: ObjectKey): string => `${resourceName(resource)} ${keyText(key)}`;

const withoutName = (resource: Resource): PlatformError =>
  new PlatformError('Internal', `creating a ${resource.kind}: it has no name of its own, so it could be created twice`, { retry: 'never' });
