import type { TSchema } from 'typebox';
import { deepFreeze } from '../base/index.ts';
import type { Draft, KubeObject, ObjectMeta } from './meta.ts';
import type { Phases } from './phases.ts';
import { apiVersionOf, type Resource } from './resource.ts';
import type { Shape } from './schema/index.ts';

/** One column of `kubectl get`. Priority 1 and above shows with `-o wide` only. */
export interface Column {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date';
  readonly path: string;
  readonly priority?: number;
  readonly description?: string;
}

/** One served version of a kind. */
export interface KindVersion {
  readonly name: string;
  readonly spec: TSchema;
  readonly status?: TSchema;
  readonly columns: readonly Column[];
  /** What clients of an outdated version are told. */
  readonly deprecationWarning?: string;
}

/** All that is known of one of our kinds. It is its own Resource, so clients and caches take it as it is. */
export interface KindDefinition<T extends KubeObject = KubeObject> extends Resource<T> {
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  /** One or two sentences: what an object of this kind is for. */
  readonly description: string;
  /** The first one is stored, and the one that we read and write. */
  readonly versions: readonly [KindVersion, ...KindVersion[]];
  /** Paths that field selectors may name besides metadata. */
  readonly selectableFields: readonly string[];
  readonly phases?: Phases;
  /** Further sections of the reference page, in Markdown. */
  readonly notes?: string;
  /** A valid object that shows nearly every field. */
  readonly sample: Sample<T>;
}

export type Sample<T extends KubeObject> = Draft<T> & { readonly metadata: SampleMeta };
type SampleMeta = Partial<ObjectMeta> & { readonly name: string };

/** An object of a kind with these schemas. */
export interface Typed<Spec extends TSchema, Status extends TSchema> extends KubeObject {
  readonly spec: Shape<Spec>;
  readonly status?: Shape<Status>;
}

interface KindInput<Spec extends TSchema, Status extends TSchema> {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly shortNames: readonly string[];
  readonly categories?: readonly string[];
  readonly description: string;
  readonly spec: Spec;
  /** Kinds without one have no status subresource. */
  readonly status?: Status;
  readonly columns: readonly Column[];
  readonly deprecationWarning?: string;
  /** Older versions that are served too, without conversion: their schemas must accept the same objects. */
  readonly olderVersions?: readonly KindVersion[];
  readonly selectableFields?: readonly string[];
  readonly phases?: Phases;
  readonly notes?: string;
  readonly sample: { readonly metadata: SampleMeta; readonly spec: Shape<Spec>; readonly status?: Shape<Status> };
}

/**
 * Turns the description of a kind into its definition.
 * @example export const ActionType = defineKind({ … }); export type ActionType = ObjectOf<typeof ActionType>;
 */
export function defineKind<Spec extends TSchema, Status extends TSchema>(
  input: KindInput<Spec, Status>,
): KindDefinition<Typed<Spec, Status>> {
  const { version, spec, status, columns, olderVersions = [], selectableFields = [], categories = [], sample, ...rest } = input;
  const main: KindVersion = { name: version, spec, columns, ...(status && { status }) };
  return deepFreeze({
    ...rest,
    version,
    singular: input.kind.toLowerCase(),
    namespaced: true,
    categories,
    versions: [main, ...olderVersions],
    selectableFields,
    sample: { apiVersion: apiVersionOf(input), kind: input.kind, ...sample },
  });
}

/** The age column that every kind ends its main columns with. */
export const AGE: Column = { name: 'Age', type: 'date', path: '.metadata.creationTimestamp' };

/** Why the object is ready or not, for `-o wide`. */
export const readyReason = (name = 'Reason'): Column => ({
  name,
  type: 'string',
  path: ".status.conditions[?(@.type=='Ready')].reason",
  priority: 1,
});
