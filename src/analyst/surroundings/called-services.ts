import type { PodSpec } from '../../api/builtin/index.ts';

const MOST_NAMES = 6;

/** Names of Services of the same namespace in the environment, command and arguments of a pod: `http://payments:8080`, `payments:5432`, `PAYMENTS_SERVICE_HOST`. */
export function calledServices({ containers, initContainers = [] }: PodSpec): readonly string[] {
  const texts = [...initContainers, ...containers].flatMap(({ env = [], command = [], args = [] }) => [
    ...env.flatMap(({ value }) => value ?? []),
    ...command,
    ...args,
  ]);
  return [...new Set(texts.flatMap(servicesIn))].slice(0, MOST_NAMES);
}

const IN_URL = /\b[a-z][a-z0-9+.-]*:\/\/(?:[^\s/@]*@)?([a-z][a-z0-9-]*)(?=[:/\s"']|$)/g;
const WITH_PORT = /(?:^|[\s=,"'(@])([a-z][a-z0-9-]*):\d{2,5}(?=[\s/,"')]|$)/g;
const BY_VARIABLE = /\b([A-Z][A-Z0-9_]*)_SERVICE_(?:HOST|PORT)\b/g;
const HERE: ReadonlySet<string> = new Set(['localhost']);

function servicesIn(text: string): readonly string[] {
  const named = [...text.matchAll(IN_URL), ...text.matchAll(WITH_PORT)].map(([, name = '']) => name);
  const byVariable = [...text.matchAll(BY_VARIABLE)].map(([, name = '']) => name.toLowerCase().replaceAll('_', '-'));
  return [...named, ...byVariable].filter((name) => !HERE.has(name) && name !== 'kubernetes');
}
