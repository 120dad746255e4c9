import { kinds } from '../../api/kinds.ts';
import { keyOf, keyText, type Draft, type KubeObject, type ObjectKey } from '../../api/meta.ts';
import { apiVersionOf, resourceName, type Resource } from '../../api/resource.ts';
import { hasCode, isObject, PlatformError, toTime, type Clock, type JsonObject } from '../../base/index.ts';
import { ApiError, isOfUnknownKind } from '../../kube/client/errors.ts';
import type { KubeClient, ListOptions, ObjectList, Patch } from '../../kube/client/client.ts';
import { matchesFields, matchesLabels, parseFieldSelector, parseLabelSelector } from '../../kube/selectors/index.ts';

/** A cluster as a rehearsal sees it: what is there, and what the rehearsal itself would have written. */
export interface RehearsalClient extends KubeClient {
  /** Keeps an object as if it had been written; one of the same name is replaced. */
  keep<T extends KubeObject>(resource: Resource<T>, object: Draft<T>): T;
  /** What the rehearsal kept under that name. */
  kept<T extends KubeObject>(resource: Resource<T>, key: ObjectKey): T | undefined;
  /** Whether the cluster serves a kind of ours; undefined when that cannot be read. */
  serves(resource: Resource): Promise<boolean | undefined>;
}

/**
 * Reads a cluster and never writes to it: the objects of Sickbay's own kinds in its namespace are read once and then kept in memory, where creations and
 * status patches go. Kinds of Sickbay that the cluster does not serve have no objects. A write of anything else is refused, and no write is sent.
 */
export function rehearsalClient(server: KubeClient, place: { readonly namespace: string; readonly clock: Clock }): RehearsalClient {
  const own = new OwnObjects(server, place);
  return {
    ...refusing,
    get: async (resource, key, options) => {
      if (!isOurs(resource)) return server.get(resource, key, options);
      const found = await own.find(resource, key);
      if (!found) throw notFound(resource, key);
      return found as never;
    },
    list: async (resource, options = {}) =>
      isOurs(resource) ? (listOf(await own.all(resource), options) as never) : server.list(resource, options),
    create: async (resource, draft) => {
      if (!isOurs(resource)) return refuse(`creating a ${resource.kind}`);
      if (await own.find(resource, keyOf(draft))) throw exists(resource, draft.metadata.name ?? '');
      return own.add(resource, draft) as never;
    },
    patchStatus: async (resource, key, patch) => {
      const found = isOurs(resource) ? await own.find(resource, key) : undefined;
      if (!found) return refuse(`patching the status of ${resource.kind} ${keyText(key)}`);
      return own.store(resource, merged(found, patch)) as never;
    },
    log: (pod, options) => server.log(pod, options),
    keep: (resource, object) => own.add(resource, object as Draft) as never,
    kept: (resource, key) => own.kept(resource, key) as never,
    serves: (resource) => own.serves(resource),
  };
}

interface Known {
  readonly isServed: boolean;
  readonly objects: readonly KubeObject[];
}

/** The objects of our own kinds: those of the cluster, and those that the rehearsal wrote, which hide those of their name. */
class OwnObjects {
  readonly #server: KubeClient;
  readonly #namespace: string;
  readonly #clock: Clock;
  readonly #read = new Map<Resource, Promise<Known>>();
  readonly #kept = new Map<string, { readonly resource: Resource; readonly object: KubeObject }>();
  #writes = 0;

  constructor(server: KubeClient, { namespace, clock }: { readonly namespace: string; readonly clock: Clock }) {
    this.#server = server;
    this.#namespace = namespace;
    this.#clock = clock;
  }

  async all(resource: Resource): Promise<readonly KubeObject[]> {
    const { objects } = await this.#known(resource);
    const kept = [...this.#kept.values()].filter((one) => one.resource === resource).map(({ object }) => object);
    return [...objects.filter(({ metadata }) => !this.#kept.has(idOf(resource, metadata))), ...kept];
  }

  async find(resource: Resource, key: ObjectKey): Promise<KubeObject | undefined> {
    return this.kept(resource, key) ?? (await this.#known(resource)).objects.find(({ metadata }) => isNamed(metadata, key));
  }

  kept(resource: Resource, key: ObjectKey): KubeObject | undefined {
    return this.#kept.get(idOf(resource, key))?.object;
  }

  store(resource: Resource, object: KubeObject): KubeObject {
    const stored = { ...object, metadata: { ...object.metadata, resourceVersion: `rehearsal-${++this.#writes}` } };
    this.#kept.set(idOf(resource, stored.metadata), { resource, object: stored });
    return stored;
  }

  /** What a server sets is kept where the draft has it already. */
  add(resource: Resource, draft: Draft): KubeObject {
    const uid = `rehearsal-${this.#writes + 1}`;
    const metadata = { uid, generation: 1, creationTimestamp: toTime(this.#clock.now()), ...draft.metadata };
    return this.store(resource, { ...draft, apiVersion: apiVersionOf(resource), kind: resource.kind, metadata } as KubeObject);
  }

  serves(resource: Resource): Promise<boolean | undefined> {
    return this.#known(resource).then(
      ({ isServed }) => isServed,
      () => undefined,
    );
  }

  #known(resource: Resource): Promise<Known> {
    const reading = this.#read.get(resource) ?? readOnce(this.#server, resource, this.#namespace);
    this.#read.set(resource, reading);
    return reading;
  }
}

const isOurs = (resource: Resource): boolean => kinds.some((kind) => kind === resource);

const idOf = (resource: Resource, { namespace = '', name }: { readonly namespace?: string; readonly name: string }): string =>
  `${resourceName(resource)} ${namespace}/${name}`;

const isNamed = (metadata: KubeObject['metadata'], { namespace, name }: ObjectKey): boolean =>
  metadata.name === name && (metadata.namespace ?? '') === namespace;

/** Where Sickbay is not installed, its kinds are not served, and so there is none of them. */
async function readOnce(server: KubeClient, resource: Resource, namespace: string): Promise<Known> {
  try {
    return { isServed: true, objects: (await server.list(resource, { namespace })).items };
  } catch (error) {
    if (!hasCode(error, 'NotFound') || !isOfUnknownKind(error)) throw error;
    return { isServed: false, objects: [] };
  }
}

function listOf(
  objects: readonly KubeObject[],
  { namespace, labelSelector = '', fieldSelector = '' }: ListOptions,
): ObjectList<KubeObject> {
  const labels = parseLabelSelector(labelSelector);
  const fields = parseFieldSelector(fieldSelector);
  const items = objects.filter(
    (object) =>
      (namespace === undefined || namespace === '' || object.metadata.namespace === namespace) &&
      matchesLabels(labels, object.metadata.labels) &&
      matchesFields(fields, (field) => fieldOf(object, field)),
  );
  return { items, resourceVersion: 'rehearsal' };
}

function fieldOf(object: KubeObject, path: string): string {
  const value = path.split('.').reduce<unknown>((inner, name) => (isObject(inner) ? inner[name] : undefined), object);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** Only what the gateway writes: a merge of plain objects. */
function merged(object: KubeObject, patch: Patch): KubeObject {
  if (patch.type !== 'merge') return refuse('a patch other than a merge patch');
  return merge(object, patch.body) as unknown as KubeObject;
}

function merge(into: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const base: JsonObject = isObject(into) ? into : {};
  const changed = Object.entries(patch).map(([name, value]) => [name, value === null ? undefined : merge(base[name], value)] as const);
  const all = Object.fromEntries([...Object.entries(base), ...changed]);
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

function refuse(what: string): never {
  throw new PlatformError('Unsupported', `${what}: a rehearsal writes nothing`, { retry: 'never' });
}

const refusing = {
  update: async (resource: Resource) => refuse(`updating a ${resource.kind}`),
  updateStatus: async (resource: Resource) => refuse(`updating the status of a ${resource.kind}`),
  patch: async (resource: Resource) => refuse(`patching a ${resource.kind}`),
  delete: async (resource: Resource) => refuse(`deleting a ${resource.kind}`),
  subresource: async (resource: Resource) => refuse(`writing a subresource of a ${resource.kind}`),
  watch: async (resource: Resource) => refuse(`watching ${resource.plural}`),
} as const;

const notFound = (resource: Resource, { name }: ObjectKey): ApiError =>
  failure(404, 'NotFound', `${resourceName(resource)} ${JSON.stringify(name)} not found`, name);

const exists = (resource: Resource, name: string): ApiError =>
  failure(409, 'AlreadyExists', `${resourceName(resource)} ${JSON.stringify(name)} already exists`, name);

const failure = (code: number, reason: string, message: string, name: string): ApiError =>
  new ApiError({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code, reason, message, details: { name } });
