import { deepFreeze, toTime } from '../../base/index.ts';
import type { ApiRequest } from '../../kube/client/transport.ts';
import { admitted } from '../admission/admitted.ts';
import type { FieldError } from '../field-error.ts';
import { typeError } from '../kinds/custom-kind.ts';
import type { Kind } from '../kinds/kind.ts';
import { generateName } from '../metadata/generate-name.ts';
import { validateMetadata } from '../metadata/validate-metadata.ts';
import type { Work } from '../object.ts';
import { keyIn, type Answer, type Server, type Target } from '../server.ts';
import { alreadyExists, badRequest, forbidden, invalid, methodNotAllowed, notFound, unclassified } from '../status-errors.ts';
import { writeOptions, type WriteOptions } from './options.ts';
import { presented } from './present.ts';
import { readBody } from './read-body.ts';

const NAME_ATTEMPTS = 8;

/** POST: makes a new object. */
export function create(server: Server, target: Target, request: ApiRequest): Answer {
  const { kind } = target;
  const options = writeOptions(request.query ?? {}, 'CreateOptions');
  // What a CRD defines can be created through the path of any of its objects.
  if (target.name !== undefined && (kind.strategicMerge || target.subresource !== undefined)) throw methodNotAllowed(kind, 'create');
  const { decoded, warnings } = readBody(kind, request, options);
  const mistaken = typeError(kind, request.body);
  const answer = createObject(server, { ...target, object: decoded.object, mistaken }, options);
  return presented(answer, request, warnings);
}

/** An object that is to be made. */
export interface Creation extends Target {
  readonly object: Work;
  /** That it says that it is something else. */
  readonly mistaken?: FieldError | undefined;
  /** What comes by PUT may be on its way out from the start, which is as odd on a real server. */
  readonly isPut?: boolean;
}

/** Makes a decoded object new: system fields, last touches, judgement, commit. */
export function createObject(server: Server, { object: asked, mistaken, ...target }: Creation, options: WriteOptions): Answer {
  const { kind, namespace } = target;
  const { resourceVersion = '' } = asked.metadata;
  const object = prepared(server, target, asked);
  const metadata = mistaken ? [] : validateMetadata(object, kind);
  refuse(kind, object.metadata.name ?? '', kind.validate(object, { old: undefined, metadata, subresource: undefined, mistaken }));
  const table = server.store.table(kind.table);
  const key = keyIn(namespace, object.metadata.name!);
  if (!target.isPut && !options.dryRun) checkUnversioned(resourceVersion);
  const taken = server.store.latest(table, key);
  if (taken) throw alreadyExists(kind, taken);
  const warnings = kind.warn(object, undefined);
  if (options.dryRun) return { code: 201, body: deepFreeze(tried(object, resourceVersion)), warnings };
  const committed = server.store.commit({ table, key, object: kind.toStored(object) });
  return { code: 201, body: kind.read(committed.object), durable: committed.durable, warnings };
}

function refuse(kind: Kind, name: string, errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalid(kind, name, errors);
}

/** What is new has no version yet; what is no version does not count as one. */
function checkUnversioned(resourceVersion: string): void {
  if (/^\d*[1-9]\d*$/.test(resourceVersion)) throw unclassified('resourceVersion should not be set on objects to be created');
}

/** What is only tried has no version but the one that it came with. */
const tried = (object: Work, resourceVersion: string): Work =>
  resourceVersion === '' ? object : { ...object, metadata: { ...object.metadata, resourceVersion } };

/** Everything that happens to a new object before it is judged. */
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
  return admitted(server, { operation: 'CREATE', target, old: undefined, object });
}

const DELETION = ['deletionTimestamp', 'deletionGracePeriodSeconds'] as const;

/** The path decides the namespace; a body may repeat it, but not contradict. */
export function placeIn(namespace: string | undefined, object: Work): void {
  const { metadata } = object;
  if (namespace === undefined) delete metadata.namespace;
  else if (metadata.namespace === undefined) metadata.namespace = namespace;
  else if (metadata.namespace !== namespace)
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
}

/** Nothing is created in a namespace that does not exist or is going away. */
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

/** What only the server says about an object: its identity, when it began, and which change of its wishes this is. */
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
