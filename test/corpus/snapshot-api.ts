import { isObject } from '../../src/base/index.ts';
import type { ApiRequest, ApiResponse, Transport } from '../../src/kube/index.ts';
import { matchesFields, matchesLabels, parseFieldSelector, parseLabelSelector } from '../../src/kube/index.ts';
import { pluralOf } from './plural.ts';
import type { PodLog, Seen, Snapshot } from './recording.ts';

/** An API server that shows a snapshot and takes no write. */
export const snapshotTransport = (snapshot: Snapshot): Transport => ({
  request: (request) => Promise.resolve(answer(snapshot, request)),
  watch: () => Promise.resolve(failure(405, 'MethodNotAllowed', 'a snapshot cannot be watched')),
});

/** What a path names. */
interface Address {
  /** `v1` or `group/version`. */
  readonly version: string;
  readonly namespace: string | undefined;
  readonly plural: string;
  readonly name: string | undefined;
  readonly subresource: string | undefined;
}

function answer(snapshot: Snapshot, request: ApiRequest): ApiResponse {
  if (request.method !== 'GET') return failure(405, 'MethodNotAllowed', 'a snapshot cannot be changed');
  const address = addressOf(request.path);
  const { plural, name, subresource } = address;
  const refused = snapshot.refused ?? [];
  if (refused.includes(subresource ?? plural))
    return failure(403, 'Forbidden', `${plural} is forbidden: User "sickbay" cannot read resource "${plural}"`);
  if (subresource === 'log') return logAnswer(snapshot.logs, name ?? '', request.query ?? {});
  if (!isServed(snapshot, address.version)) return failure(404, 'NotFound', 'the server could not find the requested resource');
  return name === undefined ? listAnswer(snapshot, address, request) : objectAnswer(snapshot, address, request);
}

function addressOf(path: string): Address {
  const [, root, ...rest] = path.split('/');
  const version = root === 'api' ? (rest.shift() ?? '') : `${rest.shift() ?? ''}/${rest.shift() ?? ''}`;
  // A Namespace has the same path as what is in it begins with.
  const namespace = rest[0] === 'namespaces' && rest.length > 2 ? rest.splice(0, 2)[1] : undefined;
  const [plural = '', name, subresource] = rest;
  return { version, namespace, plural, name, subresource };
}

/** Kubernetes' own groups are served everywhere, all others where something of them was seen. */
const BUILT_IN =
  /^(v1|(apps|batch|autoscaling|policy)\/v\d+|(networking|storage|discovery|coordination|scheduling|rbac\.authorization)\.k8s\.io\/v1)$/;

const isServed = ({ objects }: Snapshot, version: string): boolean =>
  BUILT_IN.test(version) || objects.some(({ apiVersion }) => apiVersion === version);

const isAt = ({ apiVersion, kind, metadata }: Seen, { version, namespace, plural }: Address): boolean =>
  apiVersion === version && pluralOf(kind) === plural && (namespace === undefined || metadata.namespace === namespace);

function objectAnswer(snapshot: Snapshot, address: Address, { accept }: ApiRequest): ApiResponse {
  const { name = '', plural } = address;
  const found = snapshot.objects.find((object) => isAt(object, address) && object.metadata.name === name);
  if (!found) return failure(404, 'NotFound', `${plural} "${name}" not found`, { name, kind: plural });
  return { code: 200, body: accept === 'metadata' ? metadataOf(found) : found };
}

function listAnswer(snapshot: Snapshot, address: Address, { accept, query = {} }: ApiRequest): ApiResponse {
  const labels = parseLabelSelector(query['labelSelector'] ?? '');
  const fields = parseFieldSelector(query['fieldSelector'] ?? '');
  const items = snapshot.objects.filter(
    (object) =>
      isAt(object, address) && matchesLabels(labels, object.metadata.labels) && matchesFields(fields, (field) => fieldOf(object, field)),
  );
  const shown = accept === 'metadata' ? items.map(metadataOf) : items;
  return { code: 200, body: { kind: 'List', apiVersion: address.version, metadata: { resourceVersion: '1' }, items: shown } };
}

const metadataOf = ({ metadata }: Seen): object => ({ apiVersion: 'meta.k8s.io/v1', kind: 'PartialObjectMetadata', metadata });

function fieldOf(object: Seen, field: string): string {
  const value = field.split('.').reduce<unknown>((inner, name) => (isObject(inner) ? inner[name] : undefined), object);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function logAnswer(logs: readonly PodLog[], pod: string, query: Readonly<Record<string, string>>): ApiResponse {
  const isPrevious = query['previous'] === 'true';
  const container = query['container'];
  const log = logs.find(
    (one) => one.pod === pod && Boolean(one.previous) === isPrevious && (container === undefined || one.container === container),
  );
  if (!log) return failure(400, 'BadRequest', `${isPrevious ? 'previous terminated ' : ''}container in pod "${pod}" not found`);
  return { code: 200, body: lastOf(log.text, query), mediaType: 'text/plain' };
}

function lastOf(text: string, { tailLines, limitBytes }: Readonly<Record<string, string>>): string {
  const lines = text.split('\n');
  const last = tailLines === undefined ? text : lines.slice(-Number(tailLines) - (text.endsWith('\n') ? 1 : 0)).join('\n');
  return limitBytes === undefined ? last : last.slice(0, Number(limitBytes));
}

const failure = (code: number, reason: string, message: string, details?: object): ApiResponse => ({
  code,
  body: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code, reason, message, ...(details && { details }) },
});
