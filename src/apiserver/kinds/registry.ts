import { isObject } from '../../base/index.ts';
import type { Stored, Work } from '../object.ts';
import type { SchemaLibrary } from '../schema/schema-library.ts';
import type { SchemaNode } from '../schema/schema-node.ts';
import { BUILTINS } from './builtin-table.ts';
import { BUILTIN_BEHAVIOUR } from './builtin-behaviour.ts';
import { builtinKind } from './builtin-kind.ts';
import { rootSchema, type CrdNames, type CrdSpec, type CrdStatus, type CrdVersion } from './crd.ts';
import { crdKind, type NameConflict } from './crd-kind.ts';
import { customKind } from './custom-kind.ts';
import type { Kind } from './kind.ts';

export interface RegistryOptions {
  readonly library: SchemaLibrary;
  now(): string;
  /** The CRDs that exist, to check whether a name is free. */
  crds(): Iterable<Stored>;
}

/** Every kind that is served now: the built-in ones and those of CRDs. */
export class Registry {
  /** `group/version` → plural → kind. */
  readonly #served = new Map<string, Map<string, Kind>>();
  /** `group/Kind` → its versions, for owner references. */
  readonly #byName = new Map<string, Kind[]>();
  readonly crds: Kind;
  readonly #library: SchemaLibrary;
  #changes = 0;

  constructor(options: RegistryOptions) {
    const { library } = options;
    this.#library = library;
    this.crds = crdKind({ library, now: () => options.now(), nameConflict: (object) => nameConflict(object, options.crds()) });
    for (const row of BUILTINS) this.#add(builtinKind(row, BUILTIN_BEHAVIOUR[row.kind]));
    this.#add(this.crds);
  }

  find(group: string, version: string, plural: string): Kind | undefined {
    return this.#served.get(`${group}/${version}`)?.get(plural);
  }

  /** The kind behind an owner reference, in any version that is served. */
  named(apiVersion: string, kind: string): Kind | undefined {
    const group = apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';
    return this.#byName.get(`${group}/${kind}`)?.[0];
  }

  /** A counter of changes to the served kinds, for caches of what is derived from them. */
  get changes(): number {
    return this.#changes;
  }

  /** Every kind in every version that is served. */
  *served(): Iterable<Kind> {
    for (const plurals of this.#served.values()) yield* plurals.values();
  }

  /** One kind per resource, in any of its versions. */
  *resources(): Iterable<Kind> {
    for (const versions of this.#byName.values()) if (versions[0]) yield versions[0];
  }

  /** Replaces the kinds of a CRD's old state by those of its new state. */
  follow(before: Stored | undefined, after: Stored | undefined): void {
    this.#changes++;
    if (before) this.#drop(before.spec as CrdSpec);
    if (after && isEstablished(after)) for (const kind of kindsOf(after, this.#library)) this.#add(kind);
  }

  #add(kind: Kind): void {
    const place = `${kind.group}/${kind.version}`;
    const plurals = this.#served.get(place) ?? new Map<string, Kind>();
    this.#served.set(place, plurals.set(kind.plural, kind));
    const name = `${kind.group}/${kind.kind}`;
    this.#byName.set(name, [...(this.#byName.get(name) ?? []), kind]);
  }

  #drop(spec: CrdSpec): void {
    for (const version of spec.versions) this.#served.get(`${spec.group}/${version.name}`)?.delete(spec.names.plural);
    this.#byName.delete(`${spec.group}/${spec.names.kind}`);
  }
}

const isEstablished = (crd: Stored): boolean =>
  ((crd.status as CrdStatus | undefined)?.conditions ?? []).some(({ type, status }) => type === 'Established' && status === 'True');

function kindsOf(crd: Stored, library: SchemaLibrary): readonly Kind[] {
  const spec = crd.spec as CrdSpec;
  const terminating = crd.metadata.deletionTimestamp !== undefined;
  const prepare = (version: CrdVersion): SchemaNode => library.prepare(version.schema?.openAPIV3Schema ?? {}, () => rootSchema(version));
  const schemas = new Map(spec.versions.map((version) => [version.name, prepare(version)]));
  return spec.versions.filter((version) => version.served).map((version) => customKind({ spec, version, terminating, schemas }));
}

function nameConflict(object: Work, crds: Iterable<Stored>): NameConflict | undefined {
  const spec = object.spec as CrdSpec;
  if (!isObject(spec.names)) return undefined;
  for (const other of crds) {
    const theirs = other.spec as CrdSpec;
    const found = other.metadata.name === object.metadata.name || theirs.group !== spec.group ? undefined : clash(spec.names, theirs.names);
    if (found) return found;
  }
  return undefined;
}

function clash(ours: CrdNames, theirs: CrdNames): NameConflict | undefined {
  const nouns = [theirs.plural, theirs.singular, ...(theirs.shortNames ?? [])];
  const taken = (reason: string, name: string | undefined): NameConflict => ({ reason, message: `"${name}" is already in use` });
  if (theirs.kind === ours.kind) return taken('KindConflict', ours.kind);
  if (theirs.listKind === ours.listKind) return taken('ListKindConflict', ours.listKind);
  if (nouns.includes(ours.singular)) return taken('SingularConflict', ours.singular);
  const short = ours.shortNames?.find((name) => nouns.includes(name));
  return short === undefined ? undefined : taken('ShortNamesConflict', short);
}
