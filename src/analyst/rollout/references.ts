import type { Container, PodSpec } from '../../api/builtin/index.ts';

/** A ConfigMap or Secret that pods need before they start, or one key of it. */
export interface Reference {
  readonly kind: 'ConfigMap' | 'Secret';
  readonly name: string;
  readonly key?: string;
}

/** What a volume source names; with `items` it needs those keys. */
interface Source {
  readonly name?: string | undefined;
  readonly optional?: boolean | undefined;
  readonly items?: readonly { readonly key: string }[] | undefined;
}

/** ConfigMaps and Secrets that the pods cannot start without. Optional ones are left out. */
export function referencesOf({ containers, initContainers = [], volumes = [] }: PodSpec): readonly Reference[] {
  return [...initContainers, ...containers]
    .flatMap(inEnvironment)
    .concat(
      volumes.flatMap(({ configMap, secret, projected }) => [
        ...named('ConfigMap', configMap),
        ...named('Secret', secret && { ...secret, name: secret.secretName }),
        ...(projected?.sources ?? []).flatMap((source) => [...named('ConfigMap', source.configMap), ...named('Secret', source.secret)]),
      ]),
    );
}

const inEnvironment = ({ env = [], envFrom = [] }: Container): readonly Reference[] => [
  ...env.flatMap(({ valueFrom }) => [
    ...named('ConfigMap', keyed(valueFrom?.configMapKeyRef)),
    ...named('Secret', keyed(valueFrom?.secretKeyRef)),
  ]),
  ...envFrom.flatMap(({ configMapRef, secretRef }) => [...named('ConfigMap', configMapRef), ...named('Secret', secretRef)]),
];

const keyed = (source: (Source & { readonly key: string }) | undefined): Source | undefined =>
  source && { ...source, items: [{ key: source.key }] };

function named(kind: Reference['kind'], source: Source | undefined): readonly Reference[] {
  const { name = '', optional = false, items } = source ?? {};
  if (name === '' || optional) return [];
  return items ? items.map(({ key }) => ({ kind, name, key })) : [{ kind, name }];
}

/** What the kubelet reports as missing: an object, a key of it, or a key of an object that it does not name. */
type Missing = Pick<Reference, 'kind' | 'key'> & { readonly name?: string };

/** Ordered: the first that matches a message of the kubelet says what is missing. */
const MESSAGES: readonly RegExp[] = [
  /\b(?<kind>configmap|secret) "(?<name>[^"]+)" not found/i,
  /couldn't find key (?<key>\S+) in (?<kind>ConfigMap|Secret) (?:[^\s/]+\/)?(?<name>\S+)/i,
  /references non-existent (?<kind>config|secret) key: (?<key>\S+)/,
];

/** What a message of the kubelet names as missing; undefined where it is about something else. */
export function missingIn(message: string): Missing | undefined {
  const groups = MESSAGES.map((pattern) => pattern.exec(message)?.groups).find((found) => found !== undefined);
  if (!groups) return undefined;
  const { kind = '', name, key } = groups;
  return { kind: kindOf(kind), ...(name !== undefined && { name }), ...(key !== undefined && { key }) };
}

const kindOf = (text: string): Reference['kind'] => (/^secret$/i.test(text) ? 'Secret' : 'ConfigMap');

/** Whether a pod that has the reference needs what is missing. */
export const needs = (reference: Reference, missing: Missing): boolean =>
  reference.kind === missing.kind &&
  (missing.name === undefined || reference.name === missing.name) &&
  (missing.key === undefined || reference.key === missing.key);

/** @example missingText({ kind: 'ConfigMap', name: 'flags', key: 'LIMIT' }) === 'key LIMIT of ConfigMap flags' */
export const missingText = ({ kind, name, key }: Missing): string =>
  [key !== undefined && `key ${key} of`, kind, name].filter((part) => part !== false && part !== undefined).join(' ');
