import type { JsonObject } from '../../base/index.ts';
import type { FieldError } from '../field-error.ts';
import type { NameRule } from '../metadata/names.ts';
import type { ResourceId, Stored, Work, WorkMeta } from '../object.ts';
import type { CrdVersion } from './crd.ts';

/** One resource in one version: how its objects are read, validated and stored. */
export interface Kind extends ResourceId {
  readonly version: string;
  /** `group/version`, or `version` for the core group. */
  readonly apiVersion: string;
  readonly singular: string;
  readonly listKind: string;
  readonly shortNames: readonly string[];
  /** Categories, such as `all`. */
  readonly categories: readonly string[];
  readonly namespaced: boolean;
  /** The table that all versions of the resource share: `group/plural`. */
  readonly table: string;
  readonly nameRule: NameRule;
  /** Whether the kind's own validation covers metadata, also on updates; all others get the generic validation. */
  readonly strictMetadata: boolean;
  /** Whether a write of the status keeps metadata as it is. */
  readonly fixedByStatus: 'all' | readonly (keyof WorkMeta)[];
  /** Whether status is written through its own path only. */
  readonly hasStatus: boolean;
  readonly hasGeneration: boolean;
  /** Whether a change of annotations increases the generation too. */
  readonly annotatesWishes: boolean;
  /** A PUT without a resourceVersion overwrites whatever is there. */
  readonly unconditionalUpdate: boolean;
  /** A PUT to a name that is free creates. */
  readonly createOnUpdate: boolean;
  /** The propagation policy when a deletion names none; undefined where deletions cannot name one. */
  readonly defaultPropagation: 'Background' | 'Orphan' | undefined;
  readonly strategicMerge: boolean;
  /** Set while the CRD is terminating: no object is created any more. */
  readonly terminating: boolean;
  /** This version of the CRD; undefined for built-in kinds. */
  readonly custom: CrdVersion | undefined;
  /** The warning for clients that use this version. */
  readonly deprecation: string | undefined;
  /** Fields that selectors may name, each with its path in the object. */
  readonly selectable: ReadonlyMap<string, readonly string[]>;
  /** Whether a completed deletion answers with the object as it was instead of a Status. */
  readonly showsDeleted: boolean;
  /** The grace period of a deletion, for the kubelet; undefined for kinds that are deleted at once. */
  readonly grace: ((object: Stored, requested: number | undefined) => number) | undefined;

  /** The stored object as this version shows it. */
  read(stored: Stored): Stored;
  /** Reads a body into an object of this version, with defaults; reports the fields that it dropped. */
  decode(body: JsonObject): Decoded;
  /** The stored form. */
  toStored(object: Work): Work;
  /** Changes to a new object before it is validated. */
  prepareCreate(object: Work): void;
  /** Changes to an updated object before it is validated. */
  prepareUpdate(object: Work, old: Stored): void;
  /** The same for what is written through the status path. */
  prepareStatus(object: Work, old: Stored): void;
  /** Warnings about a valid object. */
  warn(object: Work, old: Stored | undefined): readonly string[];
  /** What is wrong with an object, including its metadata. */
  validate(object: Work, review: ValidationContext): readonly FieldError[];
}

/** What is known about a write when its object is validated. */
export interface ValidationContext {
  /** The stored object; undefined for a new object. */
  readonly old: Stored | undefined;
  /** What is wrong with the metadata; it may prevent the evaluation of rules. */
  readonly metadata: readonly FieldError[];
  readonly subresource: string | undefined;
  /** The apiVersion and kind of the body, where they do not match. */
  readonly mistaken: FieldError | undefined;
}

/** A body as the server understood it. */
export interface Decoded {
  readonly object: Work;
  /** Paths that the kind does not know. */
  readonly unknown: readonly string[];
}
