import { deepFreeze, sameJson } from '../../base/index.ts';
import { admit } from '../admission/admit.ts';
import { invalidValue, type FieldError } from '../field-error.ts';
import type { Kind } from '../kinds/kind.ts';
import { checkSize } from '../limits/check-size.ts';
import { validateMetadataUpdate } from '../metadata/validate-metadata.ts';
import { draftOf, type Stored, type Work, type WorkMeta } from '../object.ts';
import { keyIn, type ApiAnswer, type ObjectTarget, type Server } from '../server.ts';
import { badRequest, conflict, invalid, modified, unclassified } from '../status-errors.ts';
import { placeIn } from './create.ts';
import { holdsContent } from './holds-content.ts';
import type { ParsedWriteOptions } from './options.ts';
import { versionProblem } from './version-text.ts';

/** A change that is ready for validation. */
export interface Update {
  /** The stored object, in the version of the request. */
  readonly old: Stored;
  /** The new object. */
  readonly object: Work;
  /** The apiVersion and kind of the body, where they do not match. */
  readonly mistaken?: FieldError | undefined;
  /** An absent resourceVersion, or another UID, has another meaning in a patch than in a PUT. */
  readonly isPatch: boolean;
}

/** Replaces the stored object: checks versions, keeps immutable fields, validates, commits. */
export function saveUpdate(server: Server, target: ObjectTarget, update: Update, options: ParsedWriteOptions): ApiAnswer {
  const { kind, name, namespace } = target;
  const { old } = update;
  checkIdentity(target, update);
  const wanted = target.subresource === 'status' ? withStatus(kind, old, update.object) : withSpec(kind, old, update.object);
  const object = admit(server, { operation: 'UPDATE', target, old, object: wanted });
  const metadata = validateMetadataUpdate(object, old, kind);
  const errors = kind.validate(object, { old, metadata, subresource: target.subresource, mistaken: update.mistaken });
  if (errors.length > 0) throw invalid(kind, name, errors);
  const warnings = kind.warn(object, old);
  if (sameJson(object, old)) return { code: 200, body: old, warnings };
  const table = server.store.table(kind.table);
  const key = keyIn(namespace, name);
  const shown = deepFreeze(object) as Stored;
  if (options.dryRun) return { code: 200, body: shown, warnings };
  if (isFullyFinalized(object))
    return { code: 200, body: shown, warnings, durable: server.store.commit({ table, key, object: undefined }, shown).durable };
  const stored = kind.toStored(draftOf(shown));
  checkSize(server, stored, old);
  const committed = server.store.commit({ table, key, object: stored });
  return { code: 200, body: kind.read(committed.object), durable: committed.durable, warnings };
}

/** The last finalizer is removed from an object that is marked for deletion. */
export const isFullyFinalized = (object: Work): boolean => {
  const { metadata } = object;
  const isHeld = (metadata.finalizers ?? []).length > 0 || (metadata.deletionGracePeriodSeconds ?? 0) > 0 || holdsContent(object);
  return metadata.deletionTimestamp !== undefined && !isHeld;
};

/** Refuses a body with another name or namespace than the path. */
export function checkName({ name, namespace }: ObjectTarget, object: Work): void {
  const { metadata } = object;
  if (metadata.name === undefined)
    throw badRequest(`the name of the object (${name} based on URL) was undeterminable: name must be provided`);
  if (metadata.name !== name) throw badRequest(`the name of the object (${metadata.name}) does not match the name on the URL (${name})`);
  placeIn(namespace, object);
}

function checkIdentity(target: ObjectTarget, { old, object, isPatch }: Update): void {
  const { kind, name } = target;
  const { metadata } = object;
  checkName(target, object);
  if (!isPatch && metadata.uid !== undefined && metadata.uid !== old.metadata.uid) {
    throw conflict(kind, name, `Precondition failed: UID in precondition: ${metadata.uid}, UID in object meta: ${old.metadata.uid}`);
  }
  checkVersion(kind, old, object);
}

/** Refuses an invalid resourceVersion. */
export function checkForm(resourceVersion: string): void {
  const why = versionProblem(resourceVersion);
  if (why !== undefined) throw unclassified(why);
}

function checkVersion(kind: Kind, old: Stored, { metadata }: Work): void {
  const { resourceVersion = '' } = metadata;
  if (resourceVersion === '' || resourceVersion === '0') {
    if (kind.unconditionalUpdate) return;
    const error = invalidValue('metadata.resourceVersion', 0, 'must be specified for an update');
    throw invalid({ group: kind.group, kind: kind.plural }, old.metadata.name, [error]);
  }
  checkForm(resourceVersion);
  if (resourceVersion !== old.metadata.resourceVersion) throw modified(kind, old.metadata.name);
}

/** A write through the status path changes the status and, of some kinds, metadata. */
function withStatus(kind: Kind, old: Stored, wanted: Work): Work {
  const object = draftOf(old);
  if (kind.fixedByStatus !== 'all') object.metadata = metadataByStatus(old, wanted, kind.fixedByStatus);
  if (wanted.status === undefined) delete object.status;
  else object.status = wanted.status;
  kind.prepareStatus(object, old);
  return object;
}

function metadataByStatus(old: Stored, wanted: Work, fixed: readonly (keyof WorkMeta)[]): WorkMeta {
  keepSystemFields(old, wanted);
  const kept = fixed.map((field) => [field, old.metadata[field]] as const).filter(([, value]) => value !== undefined);
  const rest = Object.entries(wanted.metadata).filter(([field]) => !fixed.includes(field as keyof WorkMeta));
  return Object.fromEntries([...rest, ...kept]);
}

/** A write through the main path changes everything except the status and the server's own fields. */
function withSpec(kind: Kind, old: Stored, object: Work): Work {
  keepSystemFields(old, object);
  if (kind.hasStatus) keepStatus(old, object);
  kind.prepareUpdate(object, old);
  if (kind.hasGeneration && wishesDiffer(kind, old, object)) object.metadata.generation = (old.metadata.generation ?? 0) + 1;
  return object;
}

/** A body may leave these fields out; the validation of metadata refuses changes. */
function keepSystemFields({ metadata: before }: Stored, { metadata }: Work): void {
  metadata.resourceVersion = before.resourceVersion;
  metadata.creationTimestamp = before.creationTimestamp;
  metadata.uid ??= before.uid;
  if (before.deletionTimestamp !== undefined) metadata.deletionTimestamp = before.deletionTimestamp;
  if (before.deletionGracePeriodSeconds !== undefined) metadata.deletionGracePeriodSeconds ??= before.deletionGracePeriodSeconds;
  if (before.generation === undefined) delete metadata.generation;
  else metadata.generation = before.generation;
}

function keepStatus(old: Stored, object: Work): void {
  if (old.status === undefined) delete object.status;
  else object.status = old.status;
}

/** Whether anything differs besides metadata, and status where it has its own path. */
function wishesDiffer(kind: Kind, old: Stored, object: Work): boolean {
  if (kind.annotatesWishes && !sameJson(object.metadata.annotations, old.metadata.annotations)) return true;
  const aside = (field: string): boolean => field === 'metadata' || (field === 'status' && kind.hasStatus);
  for (const field in object) if (!aside(field) && !sameJson(object[field], old[field])) return true;
  for (const field in old) if (!aside(field) && object[field] === undefined && old[field] !== undefined) return true;
  return false;
}
