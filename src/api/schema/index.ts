/**
 * The words in which kinds are written: thin builders over TypeBox whose results are both a TypeScript type (`Shape<typeof schema>`)
 * and, byte for byte, a structural OpenAPI v3 schema as CustomResourceDefinitions want it.
 *
 * Every builder takes the field's description first: it feeds `kubectl explain`, the CRD and the reference page.
 * - `scalars.ts`     text, enumOf, time, duration, int32 …
 * - `containers.ts`  object, partial, optional, list, map, any
 * - `kubernetes.ts`  conditions, references, label selectors
 * - `rules.ts`       CEL rules: immutable, onceSet, frozenSince
 */
export * from './containers.ts';
export * from './kubernetes.ts';
export * from './rules.ts';
export * from './scalars.ts';
export * from './shape.ts';
