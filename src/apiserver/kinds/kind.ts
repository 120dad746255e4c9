import type { JsonObject } from '../../base/index.ts';
import type { FieldError } from '../field-error.ts';
import type { NameRule } from '../metadata/names.ts';
import type { ResourceId, Stored, Work, WorkMeta } from '../object.ts';
import type { CrdVersion } from './crd.ts';

/** One resource in one version: how its objects are read, judged and kept. */
export interface Kind extends ResourceId {
  readonly version: string;
  /** `group/version`, or `version` for the core group. */
  readonly apiVersion: string;
  readonly singular: string;
  readonly listKind: string;
  readonly shortNames: readonly string[];
  /** Groups of kinds that people name together, such as `all`. */
  readonly categories: readonly string[];
  readonly namespaced: boolean;
  /** The table that all versions of the resource share: `group/plural`. */
  readonly table: string;
  readonly nameRule: NameRule;
  /** The kind's own validation judges metadata, also of what is only changed; all else gets what every server asks for. */
  readonly strictMetadata: boolean;
  /** Metadata that a write of the status leaves alone. */
  readonly fixedByStatus: 'all' | readonly (keyof WorkMeta)[];
  /** Status is written through its own path only. */
  readonly hasStatus: boolean;
  readonly hasGeneration: boolean;
  /** Another annotation is another generation too. */
  readonly annotatesWishes: boolean;
  /** A PUT without a resourceVersion overwrites whatever is there. */
  readonly unconditionalUpdate: boolean;
  /** A PUT to a name that is free creates. */
  readonly createOnUpdate: boolean;
  /** What happens to dependents when a deletion does not say; undefined where deletions have nothing to say about them. */
  readonly defaultPropagation: 'Background' | 'Orphan' | undefined;
  readonly strategicMerge: boolean;
  /** Set while the resource is going away: nothing is created any more. */
  readonly terminating: boolean;
  /** What the CRD says of this version; undefined for built-in kinds. */
  readonly custom: CrdVersion | undefined;
  /** Told to everybody who uses this version. */
  readonly deprecation: string | undefined;
  /** Fields that selectors may name, each with its way through the object. */
  readonly selectable: ReadonlyMap<string, readonly string[]>;
  /** What a deletion answers with once the object is gone: the object as it was, instead of the word that it is. */
  readonly showsDeleted: boolean;
  /** How long a deletion waits for whoever runs the object; undefined for kinds that go at once. */
  readonly grace: ((object: Stored, asked: number | undefined) => number) | undefined;

  /** The stored object as this version shows it. */
  read(stored: Stored): Stored;
  /** Reads a body into an object of this version, with defaults; names what it had to drop. */
  decode(body: JsonObject): Decoded;
  /** The form that is kept. */
  toStored(object: Work): Work;
  /** Last touches before a new object is judged. */
  prepareCreate(object: Work): void;
  /** Last touches before a changed object is judged. */
  prepareUpdate(object: Work, old: Stored): void;
  /** The same for what is written through the status path. */
  prepareStatus(object: Work, old: Stored): void;
  /** What is right, but not wise. */
  warn(object: Work, old: Stored | undefined): readonly string[];
  /** What is wrong with an object, what is wrong with its metadata included. */
  validate(object: Work, review: Review): readonly FieldError[];
}

/** What is known about a write when its object is judged. */
export interface Review {
  /** What is there; undefined for a new object. */
  readonly old: Stored | undefined;
  /** What is wrong with the metadata; it may keep rules from running. */
  readonly metadata: readonly FieldError[];
  readonly subresource: string | undefined;
  /** What it says that it is, where that is something else. */
  readonly mistaken: FieldError | undefined;
}

/** A body as the server understood it. */
export interface Decoded {
  readonly object: Work;
  /** Paths that the kind does not know. */
  readonly unknown: readonly string[];
}
