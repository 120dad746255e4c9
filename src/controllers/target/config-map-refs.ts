import type { Container, CronJob, Deployment, PodSpec } from '../../api/builtin/index.ts';
import type { KubeObject } from '../../api/meta.ts';

type Place = (object: KubeObject) => PodSpec | undefined;

const template: Place = (object) => (object as Partial<Deployment>).spec?.template?.spec;

/** Where each kind has what its pods are made from. */
const PLACES: ReadonlyMap<string, Place> = new Map([
  ['Pod', (object) => (object as { readonly spec?: PodSpec }).spec],
  ['Deployment', template],
  ['StatefulSet', template],
  ['DaemonSet', template],
  ['ReplicaSet', template],
  ['Job', template],
  ['CronJob', (object) => (object as Partial<CronJob>).spec?.jobTemplate?.spec?.template?.spec],
]);

/**
 * The names of the ConfigMaps that the pods of an object are given, each once and sorted: mounted, projected, or in the environment of any
 * container. Those of Secrets are not among them.
 */
export function configMapRefs(object: KubeObject): readonly string[] {
  const spec = PLACES.get(object.kind)?.(object);
  if (!spec) return [];
  const { containers = [], initContainers = [], ephemeralContainers = [] } = spec as Partial<PodSpec>;
  const names = [...mounted(spec), ...[...containers, ...initContainers, ...ephemeralContainers].flatMap(inEnvironment)];
  return [...new Set(names.flatMap((name) => (name ? [name] : [])))].toSorted();
}

const mounted = ({ volumes = [] }: PodSpec): readonly (string | undefined)[] =>
  volumes.flatMap(({ configMap, projected }) => [configMap?.name, ...(projected?.sources ?? []).map((source) => source.configMap?.name)]);

const inEnvironment = ({ env = [], envFrom = [] }: Container): readonly (string | undefined)[] => [
  ...envFrom.map(({ configMapRef }) => configMapRef?.name),
  ...env.map(({ valueFrom }) => valueFrom?.configMapKeyRef?.name),
];
