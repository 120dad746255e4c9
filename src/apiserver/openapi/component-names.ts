import { lazy } from '../../base/index.ts';
import { builtinSchemas } from '../kinds/builtin-schemas.ts';

interface Named {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

const REFERENCE = '#/components/schemas/';

/** A reference to a component. */
export const refer = (component: string): { readonly $ref: string } => ({ $ref: `${REFERENCE}${component}` });

const byKind = lazy(() => {
  const names = new Map<string, string>();
  for (const [name, schema] of Object.entries(builtinSchemas()))
    for (const kind of schema['x-kubernetes-group-version-kind'] ?? []) names.set(keyOf(kind), name);
  return names;
});

const keyOf = ({ group, version, kind }: Named): string => `${group}/${version}/${kind}`;

/**
 * The name of a kind's schema: built-in kinds have fixed names, others are named after their group.
 * @example componentName({ group: 'example.com', version: 'v1', kind: 'Widget' }) === 'com.example.v1.Widget'
 */
export const componentName = (kind: Named): string =>
  byKind().get(keyOf(kind)) ?? [...kind.group.split('.').toReversed(), kind.version, kind.kind].filter((part) => part !== '').join('.');

/** The name of the schema of a kind's list. */
export const listName = (kind: Named): string => `${componentName(kind)}List`;

/** The names of all components that a piece of OpenAPI refers to. */
export function referencesIn(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  const { $ref } = value as { readonly $ref?: unknown };
  const here = typeof $ref === 'string' && $ref.startsWith(REFERENCE) ? [$ref.slice(REFERENCE.length)] : [];
  return [...here, ...Object.values(value).flatMap(referencesIn)];
}
