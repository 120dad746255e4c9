import { deepFreeze, toTime } from '../../base/index.ts';
import type { ApiRequest } from '../../kube/client/transport.ts';
import { admit } from '../admission/admit.ts';
import type { FieldError } from '../field-error.ts';
import { typeError } from '../kinds/custom-kind.ts';
import type { Kind } from '../kinds/kind.ts';
import { checkSize } from '../limits/check-size.ts';
import { generateName } from '../metadata/generate-name.ts';
import { validateMetadata } from '../metadata/validate-metadata.ts';
import type { Work } from '../object.ts';
import { keyIn, type ApiAnswer, type Server, type ApiTarget } from '../server.ts';
import { alreadyExists, badRequest, forbidden, invalid, methodNotAllowed, notFound, unclassified } from '../status-errors.ts';
import { writeOptions, type ParsedWriteOptions } from './options.ts';
import { presented } from './present.ts';
import { readObject } from './read-object.ts';

const NAME_ATTEMPTS = 8;

/** POST: creates an object. */
export function handleCreate(server: Server, target: ApiTarget, request: ApiRequest): ApiAnswer {
  const { kind } = target;
  const options = writeOptions(request.query ?? {}, 'CreateOptions');
  // As on kube-apiserver, custom objects can also be created through the path of an object.
  if (target.name !== undefined && (kind.strategicMerge || target.subresource !== undefined)) throw methodNotAllowed(kind, 'create');
  const { decoded, warnings } = readObject(kind, request, options);
  const mistaken = typeError(kind, request.body);
  const answer = createObject(server, { ...target, object: decoded.object, mistaken }, options);
  return presented(answer, request, warnings);
}

/** An object to create. */
export interface Creation extends ApiTarget {
  readonly object: Work;
  /** The apiVersion and kind of the body, where they do not match. */
  readonly mistaken?: FieldError | undefined;
  /** An object that a PUT creates may have a deletionTimestamp from the start, as on kube-apiserver. */
  readonly isPut?: boolean;
}

/** Creates a decoded object: sets system fields, prepares, validates and commits it. */
export function createObject(server: Server, { object: sent, mistaken, ...target }: Creation, options: ParsedWriteOptions): ApiAnswer {
  const { kind, namespace } = target;
  const { resourceVersion = '' } = sent.metadata;
  const object = prepared(server, target, sent);
  const metadata = mistaken ? [] : validateMetadata(object, kind);
  refuse(kind, object.metadata.name ?? '', kind.validate(object, { old: undefined, metadata, subresource: undefined, mistaken }));
  const table = server.store.table(kind.table);
  const key = keyIn(namespace, object.metadata.name!);
  if (!target.isPut && !options.dryRun) checkUnversioned(resourceVersion);
  const taken = server.store.latest(table, key);
  if (taken) throw alreadyExists(kind, taken);
  const about = server.warningOf?.(kind);
  const warnings = [...(about === undefined ? [] : [about]), ...kind.warn(object, undefined)];
  if (options.dryRun) return { code: 201, body: deepFreeze(tried(object, resourceVersion)), warnings };
  const stored = kind.toStored(object);
  checkSize(server, stored);
  const committed = server.store.commit({ table, key, object: stored });
  return { code: 201, body: kind.read(committed.object), durable: committed.durable, warnings };
}

function refuse(kind: Kind, name: string, errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalid(kind, name, errors);
}

/** A new object must not have a resourceVersion; an invalid one is ignored. */
function checkUnversioned(resourceVersion: string): void {
  if (/^\d*[1-9]\d*$/.test(resourceVersion)) throw unclassified('resourceVersion should not be set on objects to be created');
}

/** The result of a dry run keeps the resourceVersion of the request. */
const tried = (object: Work, resourceVersion: string): Work =>
  resourceVersion === '' ? object : { ...object, metadata: { ...object.metadata, resourceVersion } };

/** Prepares a new object for validation. */
function prepared(server: Server, { isPut = false, ...target }: Omit<Creation, 'object'>, object: Work): Work {
  const { kind, namespace } = target;
  placeIn(namespace, object);
  checkNamespace(server, kind, object);
  if (kind.terminating)
    throw forbidden(kind, object.metadata.name ?? '', 'create not allowed while custom resource definition is terminating');
  if (!isPut) for (const field of DELETION) delete object.metadata[field];
  fillSystemFields(server, kind, object);
  if (kind.hasStatus) delete object.status;
  kind.prepareCreate(object);
  return admit(server, { operation: 'CREATE', target, old: undefined, object });
}

const DELETION = ['deletionTimestamp', 'deletionGracePeriodSeconds'] as const;

/** The path determines the namespace; the body may repeat it, but not contradict it. */
export function placeIn(namespace: string | undefined, object: Work): void {
  const { metadata } = object;
  if (namespace === undefined) delete metadata.namespace;
  else if (metadata.namespace === undefined) metadata.namespace = namespace;
  else if (metadata.namespace !== namespace)
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
}

/** No object is created in a namespace that does not exist or is terminating. */
function checkNamespace(server: Server, kind: Kind, object: Work): void {
  const { namespace } = object.metadata;
  if (namespace === undefined) return;
  const found = server.store.latest(server.store.table('/namespaces'), namespace);
  if (!found) throw notFound({ group: '', kind: 'Namespace', plural: 'namespaces' }, namespace);
  if (found.metadata.deletionTimestamp === undefined) return;
  throw forbidden(
    kind,
    object.metadata.name ?? '',
    `unable to create new content in namespace ${namespace} because it is being terminated`,
    [{ reason: 'NamespaceTerminating', message: `namespace ${namespace} is being terminated`, field: 'metadata.namespace' }],
  );
}

/** The fields that only the server sets: UID, creation time and generation. */
function fillSystemFields(server: Server, kind: Kind, object: Work): void {
  const { metadata } = object;
  delete metadata.resourceVersion;
  metadata.uid = server.random.uuid();
  metadata.creationTimestamp = toTime(server.clock.now());
  if (kind.hasGeneration) metadata.generation = 1;
  if (metadata.name === undefined && metadata.generateName !== undefined) metadata.name = freeName(server, kind, object);
}

function freeName(server: Server, kind: Kind, { metadata }: Work): string {
  const table = server.store.table(kind.table);
  let name = generateName(metadata.generateName!, server.random);
  for (let i = 1; i < NAME_ATTEMPTS && server.store.latest(table, keyIn(metadata.namespace, name)); i++) {
    name = generateName(metadata.generateName!, server.random);
  }
  return name;
}
