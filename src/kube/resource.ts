import type { KubeObject } from './meta.ts';

/**
 * How a kind is addressed on the wire. The type parameter is a phantom: it ties reads to the kind's TypeScript type.
 * Our own kinds carry more (`KindDefinition`); the built-in ones in `builtin/` are just this.
 */
export interface Resource<T extends KubeObject = KubeObject> {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
  /** Never set; carries T for the type checker. */
  readonly __object?: T;
}

/** The object type behind a Resource. */
export type ObjectOf<R> = R extends Resource<infer T> ? T : never;

/** `group/version`, or `version` for the core group. */
export const apiVersionOf = (resource: Pick<Resource, 'group' | 'version'>): string =>
  resource.group === '' ? resource.version : `${resource.group}/${resource.version}`;

/** `plural.group`, or `plural` for the core group: a kind's name in errors, metrics and caches. */
export const resourceName = (resource: Pick<Resource, 'group' | 'plural'>): string =>
  resource.group === '' ? resource.plural : `${resource.plural}.${resource.group}`;
