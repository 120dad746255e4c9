import { keyOf, type Draft, type KubeObject } from '../../api/meta.ts';
import { RemediationRequest } from '../../api/remediation-request/remediation-request.ts';
import type { Resource } from '../../api/resource.ts';
import { after, hasCode } from '../../base/index.ts';
import { isPatchThatDoesNotFit } from '../../kube/client/errors.ts';
import { controllerOf } from '../../kube/objects/owner-references.ts';
import { ends, type Fate } from './scripted-results.ts';
import { followKind, type Place } from './watch-kind.ts';

/** One kind of child, and how it comes to its ends. */
export interface StandIn<T extends KubeObject, End> {
  readonly resource: Resource<T>;
  readonly fate: (request: string, child: string) => Fate<End>;
  /** How one ends that was made again after mischief. */
  readonly otherwise: NoInfer<End>;
  readonly end: (object: T, end: End) => Promise<void>;
}

/** Plays the controller of one kind: every child of a request meets its fate once. Objects without an owner are not changed. */
export function playStandIn<T extends KubeObject, End>(place: Place, standIn: StandIn<T, End>, signal: AbortSignal): Promise<void> {
  const met = new Set<string>();
  const named = new Set<string>();
  const meet = (object: T): void => {
    const owner = controllerOf(object);
    const { uid, name } = object.metadata;
    if (owner?.kind !== RemediationRequest.kind || met.has(uid)) return;
    met.add(uid);
    const fate = standIn.fate(owner.name, name);
    // The same object is not deleted repeatedly.
    const isSpared = named.has(name) && (fate.does === 'vanish' || fate.does === 'makeWay');
    named.add(name);
    void meetFate(place, standIn, { object, fate: isSpared ? ends(standIn.otherwise) : fate, signal });
  };
  return followKind(place, standIn.resource, meet, signal);
}

interface Meeting<T, End> {
  readonly object: T;
  readonly fate: Fate<End>;
  readonly signal: AbortSignal;
}

async function meetFate<T extends KubeObject, End>(
  place: Place,
  standIn: StandIn<T, End>,
  { object, fate, signal }: Meeting<T, End>,
): Promise<void> {
  if (fate.does === 'stall') return;
  try {
    if (fate.afterMs > 0) await place.clock.waitUntil(after(place.clock.now(), fate.afterMs), signal);
    if (fate.does === 'end') return await standIn.end(object, fate.end);
    await remove(place, standIn.resource, object);
    if (fate.does === 'makeWay') await takeName(place, standIn.resource, object);
  } catch (error) {
    if (!signal.aborted && !isOvertaken(error)) throw error;
  }
}

/** Writes how far a child got, unless it is gone or another has its name. */
export async function report(place: Place, resource: Resource, object: KubeObject, status: object): Promise<void> {
  const body = [
    { op: 'test', path: '/metadata/uid', value: object.metadata.uid },
    { op: 'add', path: '/status', value: status },
  ] as const;
  await unlessOvertaken(() => place.client.patchStatus(resource, keyOf(object), { type: 'json', body }));
}

/** Deletes exactly this object, as a person would. */
export const remove = (place: Place, resource: Resource, object: KubeObject): Promise<void> =>
  unlessOvertaken(() => place.client.delete(resource, keyOf(object), { preconditions: { uid: object.metadata.uid } }));

/** Gives the name of a child to an object without an owner. */
export async function takeName(place: Place, resource: Resource, child: KubeObject): Promise<void> {
  const { metadata, status: _, ...rest } = child as KubeObject & { readonly status?: unknown };
  const foreign = { ...rest, metadata: { name: metadata.name, namespace: metadata.namespace ?? '' } } as Draft;
  await unlessOvertaken(() => place.client.create(resource, foreign));
}

/** A change that another client made first is no failure. */
export async function unlessOvertaken(write: () => Promise<unknown>): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (!isOvertaken(error)) throw error;
  }
}

const isOvertaken = (error: unknown): boolean =>
  isPatchThatDoesNotFit(error) || (['NotFound', 'Conflict', 'AlreadyExists'] as const).some((code) => hasCode(error, code));
