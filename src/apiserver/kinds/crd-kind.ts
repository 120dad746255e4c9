import { isObject, sameJson } from '../../base/index.ts';
import { invalidValue, type FieldError } from '../field-error.ts';
import type { Stored, Work } from '../object.ts';
import type { SchemaLibrary } from '../schema/schema-library.ts';
import { builtinKind } from './builtin-kind.ts';
import type { CrdSpec, CrdStatus } from './crd.ts';
import type { Kind } from './kind.ts';
import { validateCrd } from './validate-crd.ts';

/** What the validation of a CRD consults: other CRDs, and the time. */
export interface CrdWorld {
  /** Why the names are taken by another CRD of the group; undefined when they are free. */
  nameConflict(object: Work): NameConflict | undefined;
  now(): string;
  readonly library: SchemaLibrary;
}

/** Why a CRD's names are not accepted, for its condition. */
export interface NameConflict {
  readonly reason: string;
  readonly message: string;
}

/** CustomResourceDefinition itself. */
export function crdKind(world: CrdWorld): Kind {
  const row = {
    group: 'apiextensions.k8s.io',
    version: 'v1',
    kind: 'CustomResourceDefinition',
    plural: 'customresourcedefinitions',
    shortNames: ['crd', 'crds'],
    categories: ['api-extensions'],
    status: true,
    generation: true,
    strictMetadata: false,
    fixedByStatus: 'all' as const,
  };
  return builtinKind(row, {
    prepareCreate: (object) => {
      fillSpec(object);
      object.status = statusOf(object, undefined, world);
    },
    prepareUpdate: (object, old) => {
      fillSpec(object);
      if (!sameJson(object.spec, old.spec)) object.status = statusOf(object, old.status as CrdStatus | undefined, world);
    },
    validate: (object, { old, metadata }) => [...metadata, ...validateCrd(object, world.library), ...changeErrors(object, old)],
  });
}

function fillSpec(object: Work): void {
  const { spec } = object;
  if (!isObject(spec) || !isObject(spec.names)) return;
  const kind = typeof spec.names.kind === 'string' ? spec.names.kind : '';
  object.spec = {
    ...spec,
    names: { ...spec.names, singular: spec.names.singular ?? kind.toLowerCase(), listKind: spec.names.listKind ?? `${kind}List` },
    conversion: spec.conversion ?? { strategy: 'None' },
  };
}

/** Names are checked and the kind is established at once; a real server takes a moment. */
function statusOf(object: Work, old: CrdStatus | undefined, world: CrdWorld): CrdStatus {
  const spec = object.spec as CrdSpec;
  const taken = isObject(spec) ? world.nameConflict(object) : undefined;
  const storedVersions = [...new Set([...(old?.storedVersions ?? []), ...storageVersions(spec)])];
  const [accepted, established] = taken
    ? [condition('NamesAccepted', 'False', taken), condition('Established', 'False', NOT_ACCEPTED)]
    : [condition('NamesAccepted', 'True', NO_CONFLICTS), condition('Established', 'True', ACCEPTED)];
  const kept = [accepted, established].map((now) => {
    const before = old?.conditions?.find(({ type }) => type === now.type);
    return before?.status === now.status ? before : { ...now, lastTransitionTime: world.now() };
  });
  return { conditions: kept, acceptedNames: taken ? { plural: '', kind: '' } : spec.names, storedVersions };
}

const NO_CONFLICTS: NameConflict = { reason: 'NoConflicts', message: 'no conflicts found' };
const NOT_ACCEPTED: NameConflict = { reason: 'NotAccepted', message: 'not all names are accepted' };
const ACCEPTED: NameConflict = { reason: 'InitialNamesAccepted', message: 'the initial names have been accepted' };

const condition = (type: string, status: 'True' | 'False', why: NameConflict): { readonly type: string; readonly status: string } => ({
  type,
  status,
  ...why,
});

const storageVersions = ({ versions }: CrdSpec): readonly string[] =>
  (Array.isArray(versions) ? (versions as CrdSpec['versions']) : []).filter((version) => version.storage).map((version) => version.name);

const FIXED: readonly (readonly [string, (spec: CrdSpec) => unknown])[] = [
  ['spec.group', (spec) => spec.group],
  ['spec.scope', (spec) => spec.scope],
  ['spec.names.kind', (spec) => spec.names.kind],
  ['spec.names.plural', (spec) => spec.names.plural],
];

function changeErrors(object: Work, old: Stored | undefined): readonly FieldError[] {
  if (!old) return [];
  const [spec, before] = [object.spec as CrdSpec, old.spec as CrdSpec];
  const fixed = FIXED.filter(([, of]) => of(spec) !== of(before)).map(([field, of]) => invalidValue(field, of(spec), 'field is immutable'));
  const stored = (old.status as CrdStatus | undefined)?.storedVersions ?? [];
  const missing = stored.flatMap((name, i) =>
    spec.versions.some((version) => version.name === name) ? [] : [invalidValue(`status.storedVersions[${i}]`, name, gone(name))],
  );
  return [...fixed, ...missing];
}

const gone = (name: string): string =>
  `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`;
