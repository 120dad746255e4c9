import { Node, wishOf } from '../src/api/builtin/index.ts';
import { lastUndoRecord, LONGEST_UNDO_RECORD, type UndoRecord, type WayBack } from '../src/api/undo-record.ts';
import type { KubeObject } from '../src/api/meta.ts';
import type { Resource } from '../src/api/resource.ts';
import { ANNOTATIONS } from '../src/api/well-known.ts';
import { hasCode, PlatformError, sameJson } from '../src/base/index.ts';
import type { JsonPatchOperation, KubeClient } from '../src/kube/client/client.ts';
import { isPatchThatDoesNotFit } from '../src/kube/client/errors.ts';
import { diff } from './diff.ts';
import { pointer } from './pointer.ts';
import { notMet } from './refusal.ts';
import { nameOf, type Target } from './target.ts';
import type { How } from './workflow.ts';

/** The status of an unhealthy object changes often; each change makes our view stale. */
const MOST_ATTEMPTS = 5;

/** What to do about the object as it is now. */
export type Plan =
  | {
      readonly kind: 'change';
      /** Annotations exist when the operations run: the undo record is written first. */
      readonly operations: readonly JsonPatchOperation[];
      /** What is done, as it reads after the object's name: `scaled from 2 to 4 replicas`. */
      readonly did: string;
      readonly undo: WayBack;
      /** What must exist before the change, so that it can be undone; may run more than once. */
      readonly prepare?: () => Promise<void>;
    }
  /** Nothing is left to do; as it reads after the object's name: `already has 4 replicas`. */
  | { readonly kind: 'already'; readonly why: string }
  | { readonly kind: 'refused'; readonly why: string };

/** One change of one object by one workflow. */
export interface Change<T extends KubeObject> {
  readonly client: KubeClient;
  readonly resource: Resource<T>;
  readonly target: Target;
  readonly workflow: string;
  /** What is done to the target, as in `is not scaled`. */
  readonly done: string;
  readonly how?: How | undefined;
  readonly plan: (object: T) => Plan | Promise<Plan>;
}

/**
 * Reads the object, plans, and patches it under the UID and the resource version that were read, with the undo record in the same patch. Returns what
 * was done. When only metadata, status or the cluster's own taints changed meanwhile it reads again; when anything else did, another actor is changing
 * the object, and it fails.
 */
export async function carryOut<T extends KubeObject>(change: Change<T>): Promise<string> {
  let first: T | undefined;
  for (let attempt = 1; ; attempt++) {
    const object = await read(change);
    first ??= object;
    if (!isSameWish(first, object)) throw collided(change);
    try {
      return await tryOnce(change, object);
    } catch (error) {
      if (!(hasCode(error, 'Conflict') || isPatchThatDoesNotFit(error)) || attempt === MOST_ATTEMPTS) throw error;
    }
  }
}

async function tryOnce<T extends KubeObject>(change: Change<T>, object: T): Promise<string> {
  const { target, workflow, how = {} } = change;
  const what = nameOf(target);
  const plan = objectionTo(object, target) ?? doneBefore(object, change) ?? (await change.plan(object));
  if (plan.kind === 'refused') throw notMet(`${what} is not ${change.done}: ${plan.why}`);
  if (plan.kind === 'already') return `${what} ${plan.why}`;
  const { execution } = target;
  const record = { workflow, ...(execution === undefined ? {} : { execution }), did: plan.did, undo: plan.undo };
  const body = [...preconditions(object), ...undoRecordPatch(object, record), ...plan.operations];
  if (how.dryRun !== true) await plan.prepare?.();
  const after = await change.client.patch(change.resource, target, { type: 'json', body }, { dryRun: how.dryRun === true });
  return how.dryRun === true ? [`${what} would be ${plan.did}`, ...diff(object, after)].join('\n') : `${what} ${plan.did}`;
}

const preconditions = ({ metadata }: KubeObject): readonly JsonPatchOperation[] => [
  { op: 'test', path: '/metadata/uid', value: metadata.uid },
  // Set, not tested: an older view is then a proper Conflict.
  { op: 'replace', path: '/metadata/resourceVersion', value: metadata.resourceVersion },
];

async function read<T extends KubeObject>({ client, resource, target, done }: Change<T>): Promise<T> {
  try {
    return await client.get(resource, target);
  } catch (error) {
    throw hasCode(error, 'NotFound') ? notMet(`${nameOf(target)} is not ${done}: it does not exist`) : error;
  }
}

function objectionTo({ metadata }: KubeObject, { uid }: Target): Plan | undefined {
  if (uid !== undefined && metadata.uid !== uid)
    return { kind: 'refused', why: 'it is not the object that was analysed: it was deleted and recreated' };
  return metadata.deletionTimestamp === undefined ? undefined : { kind: 'refused', why: 'it is being deleted' };
}

/** One execution changes a target once, whatever other actors changed since. */
function doneBefore<T extends KubeObject>(object: T, { target: { execution }, workflow }: Change<T>): Plan | undefined {
  const earlier = lastUndoRecord(object);
  if (execution === undefined || earlier?.execution !== execution || earlier.workflow !== workflow) return undefined;
  return { kind: 'already', why: `was already ${earlier.did} by ${execution}` };
}

const isSameWish = (before: KubeObject, now: KubeObject): boolean => sameJson(wishFor(before), wishFor(now));

/** All but what the cluster itself writes: an unhealthy Node also gets taints. */
function wishFor(object: KubeObject): object {
  const { metadata, ...rest } = object;
  const wish = { ...rest, status: undefined, uid: metadata.uid };
  return object.kind === Node.kind ? { ...wish, spec: wishOf(object as Node) } : wish;
}

const collided = ({ target, done }: Pick<Change<KubeObject>, 'target' | 'done'>): PlatformError =>
  new PlatformError('Conflict', `${nameOf(target)} is not ${done}: another actor changed it at the same time; check it first`, {
    retry: 'never',
  });

/** The undo record, for the same patch as the change: there is never one without the other. */
function undoRecordPatch({ metadata }: KubeObject, record: UndoRecord): readonly JsonPatchOperation[] {
  const value = JSON.stringify(record);
  if (value.length > LONGEST_UNDO_RECORD)
    throw notMet(`the undo record takes ${value.length} characters, more than ${LONGEST_UNDO_RECORD}`);
  return [
    ...(metadata.annotations ? [] : [{ op: 'add', path: '/metadata/annotations', value: {} } as const]),
    { op: 'add', path: pointer('metadata', 'annotations', ANNOTATIONS.undo), value },
  ];
}
