import type { Container, EnvVar, NamedSource } from '../../api/builtin/index.ts';

/** The ConfigMaps and Secrets of the pod's namespace. */
export interface Sources {
  readonly namespace: string;
  /** The values; undefined where there is no object of that name. */
  read(kind: 'configmap' | 'secret', name: string): Readonly<Record<string, string>> | undefined;
}

/** The variables of a container, or why the kubelet cannot make them, in its own words. */
export type Environment = { readonly variables: ReadonlyMap<string, string> } | { readonly problem: string };

/** The characters that the variables of a container may have together, and its words: a node refuses a program with more, and so does this one. */
const MOST_CHARACTERS = 2 ** 20;

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

/** Adds what `env` lists; returns what is missing, or which variable has no room. */
function addVariables({ env = [] }: Container, sources: Sources, variables: Map<string, string>): string | undefined {
  let room = MOST_CHARACTERS - lengthOf(variables.values());
  for (const variable of env) {
    const found = valueOf(variable, sources);
    if (found && 'problem' in found) return found.problem;
    const value = found && expand(found.value, variables, room);
    if (found && value === undefined) return tooLong(`variable ${variable.name}`);
    if (value === undefined) continue;
    variables.set(variable.name, value);
    room -= value.length;
  }
  return undefined;
}

const lengthOf = (texts: Iterable<string>): number => [...texts].reduce((sum, { length }) => sum + length, 0);

const tooLong = (what: string): string => `argument list too long: with ${what} there are more than ${MOST_CHARACTERS} characters`;

/** The command and arguments of a container with its variables in them, or why they cannot be made. */
export function commandOf(container: Container, sources: Sources): { readonly words: readonly string[] } | { readonly problem: string } {
  const environment = environmentOf(container, sources);
  return 'problem' in environment ? environment : wordsOf(container, environment.variables);
}

function wordsOf({ command = [], args = [] }: Container, variables: ReadonlyMap<string, string>) {
  const words: string[] = [];
  let room = MOST_CHARACTERS;
  for (const text of [...command, ...args]) {
    const word = expand(text, variables, room);
    if (word === undefined) return { problem: tooLong('the command and its arguments') };
    words.push(word);
    room -= word.length;
  }
  return { words };
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

const REFERENCE = /\$(\$|\(([A-Za-z_][A-Za-z0-9_.-]*)\))/g;

/** `$(NAME)` becomes the value of a variable that is known; `$$(NAME)` stays as it is, less one `$`. Undefined where the result has no room: it is measured before it is made. */
export function expand(text: string, variables: ReadonlyMap<string, string>, room = MOST_CHARACTERS): string | undefined {
  const meant = (found: string, inner: string | undefined, name = ''): string => (inner === '$' ? '$' : (variables.get(name) ?? found));
  let length = text.length;
  for (const [found, inner, name] of text.matchAll(REFERENCE)) length += meant(found, inner, name).length - found.length;
  return length > room ? undefined : text.replace(REFERENCE, meant);
}
