import { distance } from 'fastest-levenshtein';
import { KNOWN_RESOURCES, Namespace } from '../../api/builtin/index.ts';
import type { KubeObject, ObjectKey } from '../../api/meta.ts';
import { resourceName, type Resource } from '../../api/resource.ts';
import { hasCode, messageOf, PlatformError } from '../../base/index.ts';
import { ask, askList, isOfUnknownKind, type KubeClient } from '../../kube/index.ts';

/** An object as a person names it: `deploy/checkout`. */
export interface NamedObject {
  readonly resource: Resource;
  readonly key: ObjectKey;
}

/** The short names that kubectl knows, by kind. */
const SHORT_NAMES: Readonly<Record<string, string>> = {
  deploy: 'Deployment',
  sts: 'StatefulSet',
  ds: 'DaemonSet',
  rs: 'ReplicaSet',
  cj: 'CronJob',
  po: 'Pod',
  svc: 'Service',
  ing: 'Ingress',
  pvc: 'PersistentVolumeClaim',
  pdb: 'PodDisruptionBudget',
  hpa: 'HorizontalPodAutoscaler',
  cert: 'Certificate',
  cm: 'ConfigMap',
  no: 'Node',
  ns: 'Namespace',
};

/**
 * Parses KIND/NAME, or KIND and NAME, as kubectl does: singular, plural or short, in any case, with or without the API group.
 * @example parseNamedObject(['deploy/checkout'], 'shop') // Deployment shop/checkout
 */
export function parseNamedObject(words: readonly string[], namespace: string): NamedObject {
  const parts = words.length === 1 ? (words[0] ?? '').split('/') : words;
  const [kind = '', name = ''] = parts;
  if (parts.length !== 2 || kind === '' || name === '')
    throw bad(`${JSON.stringify(words.join(' '))} is not KIND/NAME, as in deployment/checkout`);
  const resource = resourceNamed(kind);
  if (!resource) throw bad(`unknown kind ${JSON.stringify(kind)}: diagnose knows ${KNOWN_RESOURCES.map((known) => known.kind).join(', ')}`);
  return { resource, key: { namespace: resource.namespaced ? namespace : '', name } };
}

/** `deployments.apps` and `deployments.v1.apps` name the group too. */
function resourceNamed(text: string): Resource | undefined {
  const [word = '', ...rest] = text.toLowerCase().split('.');
  const kind = Object.hasOwn(SHORT_NAMES, word) ? SHORT_NAMES[word] : undefined;
  return KNOWN_RESOURCES.find((resource) => {
    const { group, version } = resource;
    const isNamed = resource.kind === kind || resource.kind.toLowerCase() === word || resource.plural === word;
    return isNamed && ['', group, `${version}.${group}`].includes(rest.join('.'));
  });
}

const bad = (message: string): PlatformError => new PlatformError('BadRequest', message, { retry: 'never' });

/** Reads it; an error says what there is instead, or why it cannot be read. */
export async function fetchNamed(client: KubeClient, { resource, key }: NamedObject): Promise<KubeObject> {
  const name = `${resource.kind} ${key.namespace === '' ? '' : `${key.namespace}/`}${key.name}`;
  try {
    return await client.get(resource, key);
  } catch (error) {
    if (isOfUnknownKind(error)) throw failed('NotFound', `the cluster does not serve ${resourceName(resource)}`, error);
    if (hasCode(error, 'NotFound')) throw failed('NotFound', `there is no ${name}${await instead(client, { resource, key })}`, error);
    throw failed('Unavailable', `reading ${name}: ${messageOf(error)}`, error);
  }
}

const failed = (code: 'NotFound' | 'Unavailable', message: string, cause: unknown): PlatformError =>
  new PlatformError(code, message, { retry: 'never', cause });

/** A longer list does not help to find one. */
const MOST_NAMES = 8;

/** The closest names that exist; that the namespace does not, where that can be read. */
async function instead(client: KubeClient, { resource, key: { namespace, name } }: NamedObject): Promise<string> {
  const place = namespace === '' ? 'in the cluster' : `in the namespace ${namespace}`;
  if (namespace !== '') {
    const found = await ask(() => client.get(Namespace, { namespace: '', name: namespace }, { metadataOnly: true }));
    if (found.kind === 'absent') return `: there is no namespace ${namespace}; -n names another`;
  }
  const listed = await askList(client, resource, { namespace, metadataOnly: true });
  if (listed.kind === 'unreadable') return `, and others cannot be listed: ${listed.reason}`;
  const names = listed.value.map(({ metadata }) => metadata.name).toSorted((a, b) => distance(a, name) - distance(b, name));
  if (names.length === 0) return `, nor any other ${resource.kind} ${place}`;
  const more = names.length > MOST_NAMES ? `, and ${names.length - MOST_NAMES} more` : '';
  return `; ${place} there is ${names.slice(0, MOST_NAMES).join(', ')}${more}`;
}
