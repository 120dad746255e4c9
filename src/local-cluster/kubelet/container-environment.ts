import type { Container, EnvVar, NamedSource } from '../../api/builtin/index.ts';

/** The ConfigMaps and Secrets of the pod's namespace. */
export interface Sources {
  readonly namespace: string;
  /** The values; undefined where there is no object of that name. */
  read(kind: 'configmap' | 'secret', name: string): Readonly<Record<string, string>> | undefined;
}

/** The variables of a container, or why the kubelet cannot make them, in its own words. */
export type Environment = { readonly variables: ReadonlyMap<string, string> } | { readonly problem: string };

/** Whether what the container does may depend on objects beside its pod. */
export const isConfigured = ({ env = [], envFrom = [] }: Container): boolean =>
  envFrom.length > 0 || env.some(({ valueFrom }) => valueFrom?.configMapKeyRef ?? valueFrom?.secretKeyRef);

/** Reads the environment as the kubelet does: later variables win, and a missing object or key is a problem unless it is optional. */
export function environmentOf(container: Container, sources: Sources): Environment {
  const variables = new Map<string, string>();
  const problem = addObjects(container, sources, variables) ?? addVariables(container, sources, variables);
  return problem === undefined ? { variables } : { problem };
}

/** Adds what `envFrom` names; returns what is missing. */
function addObjects({ envFrom = [] }: Container, sources: Sources, variables: Map<string, string>): string | undefined {
  for (const { prefix = '', configMapRef, secretRef } of envFrom) {
    const found = configMapRef ? wholeOf('configmap', configMapRef, sources) : wholeOf('secret', secretRef ?? {}, sources);
    if (typeof found === 'string') return found;
    for (const [name, value] of Object.entries(found)) variables.set(prefix + name, value);
  }
  return undefined;
}

/** Adds what `env` lists; returns what is missing. */
function addVariables({ env = [] }: Container, sources: Sources, variables: Map<string, string>): string | undefined {
  for (const variable of env) {
    const found = valueOf(variable, sources);
    if (found && 'problem' in found) return found.problem;
    if (found) variables.set(variable.name, expand(found.value, variables));
  }
  return undefined;
}

const missing = (kind: string, name: string): string => `${kind} ${JSON.stringify(name)} not found`;

function wholeOf(
  kind: 'configmap' | 'secret',
  { name = '', optional = false }: NamedSource,
  sources: Sources,
): Readonly<Record<string, string>> | string {
  return sources.read(kind, name) ?? (optional ? {} : missing(kind, name));
}

function valueOf({ value, valueFrom }: EnvVar, sources: Sources): { readonly value: string } | { readonly problem: string } | undefined {
  if (valueFrom?.configMapKeyRef) return keyOf('configmap', valueFrom.configMapKeyRef, sources);
  if (valueFrom?.secretKeyRef) return keyOf('secret', valueFrom.secretKeyRef, sources);
  return valueFrom ? undefined : { value: value ?? '' };
}

function keyOf(kind: 'configmap' | 'secret', reference: NamedSource & { readonly key: string }, sources: Sources) {
  const { name = '', key, optional = false } = reference;
  const source = sources.read(kind, name);
  const value = source?.[key];
  if (value !== undefined) return { value };
  if (optional) return undefined;
  if (!source) return { problem: missing(kind, name) };
  return { problem: `couldn't find key ${key} in ${kind === 'secret' ? 'Secret' : 'ConfigMap'} ${sources.namespace}/${name}` };
}

/** `$(NAME)` becomes the value of a variable that is known; `$$(NAME)` stays as it is, less one `$`. */
export const expand = (text: string, variables: ReadonlyMap<string, string>): string =>
  text.replace(/\$(\$|\(([A-Za-z_][A-Za-z0-9_.-]*)\))/g, (found, inner: string, name: string | undefined) =>
    inner === '$' ? '$' : (variables.get(name ?? '') ?? found),
  );
