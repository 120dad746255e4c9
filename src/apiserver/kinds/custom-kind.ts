import { deepFreeze, isObject, type JsonObject } from '../../base/index.ts';
import { invalidValue, type FieldError } from '../field-error.ts';
import type { Stored, Work } from '../object.ts';
import { applyDefaults } from '../schema/apply-defaults.ts';
import { prune } from '../schema/prune.ts';
import type { SchemaNode } from '../schema/schema-node.ts';
import { validate } from '../schema/validate.ts';
import { validateRules } from '../schema/validate-rules.ts';
import { badRequest } from '../status-errors.ts';
import { finalizerWarnings } from '../metadata/finalizers.ts';
import { decodeEnvelope, typeMetaText } from './decode-envelope.ts';
import type { Decoded, Kind, ValidationContext } from './kind.ts';
import type { CrdSpec, CrdVersion } from './crd.ts';

/** What the objects of one version of a CRD need. */
export interface CustomKindOptions {
  readonly spec: CrdSpec;
  readonly version: CrdVersion;
  readonly terminating: boolean;
  /** Compiled schemas of all versions, by name. */
  readonly schemas: ReadonlyMap<string, SchemaNode>;
}

/** The kind that one version of a CRD defines. */
export function customKind({ spec, version, terminating, schemas }: CustomKindOptions): Kind {
  const { group, names } = spec;
  const apiVersion = `${group}/${version.name}`;
  const node = schemas.get(version.name)!;
  const storage = spec.versions.find((other) => other.storage)!;
  const named = { apiVersion, kind: names.kind, version: version.name };
  return {
    ...named,
    group,
    plural: names.plural,
    singular: names.singular ?? names.kind.toLowerCase(),
    listKind: names.listKind ?? `${names.kind}List`,
    shortNames: names.shortNames ?? [],
    categories: names.categories ?? [],
    namespaced: spec.scope === 'Namespaced',
    table: `${group}/${names.plural}`,
    nameRule: 'subdomain',
    strictMetadata: false,
    fixedByStatus: 'all',
    hasStatus: version.subresources?.status !== undefined,
    hasGeneration: true,
    annotatesWishes: false,
    unconditionalUpdate: false,
    createOnUpdate: false,
    defaultPropagation: 'Background',
    strategicMerge: false,
    terminating,
    custom: version,
    deprecation: version.deprecated ? (version.deprecationWarning ?? `${apiVersion} ${names.kind} is deprecated`) : undefined,
    selectable: new Map((version.selectableFields ?? []).map(({ jsonPath }) => [jsonPath.slice(1), jsonPath.slice(1).split('.')])),
    showsDeleted: false,
    grace: undefined,
    read: reader(apiVersion, node, schemas),
    decode: (body) => decodeCustom(named, node, body),
    toStored: (object) =>
      storage.name === version.name ? object : toVersion(object, `${group}/${storage.name}`, schemas.get(storage.name)!),
    prepareCreate: () => {},
    prepareUpdate: () => {},
    prepareStatus: () => {},
    warn: finalizerWarnings,
    validate: (object, review) => validateObject(node, object, review),
  };
}

/** Stored objects are frozen, so the conversion to a version is computed once. */
function reader(apiVersion: string, node: SchemaNode, schemas: ReadonlyMap<string, SchemaNode>): (stored: Stored) => Stored {
  const known = new WeakMap<Stored, Stored>();
  return (stored) => {
    const seen = known.get(stored);
    if (seen) return seen;
    const storedAs = schemas.get(stored.apiVersion.split('/').at(-1)!) ?? node;
    const filled = applyDefaults(storedAs, prune(storedAs, stored, '', [])) as Stored;
    const shown =
      stored.apiVersion === apiVersion ? filled : (toVersion({ ...filled, metadata: filled.metadata }, apiVersion, node) as Stored);
    known.set(stored, deepFreeze(shown));
    return shown;
  };
}

/** Conversion None: the same fields under another version, as far as that version knows them. */
const toVersion = (object: Work | Stored, apiVersion: string, node: SchemaNode): Work =>
  prune(node, { ...object, apiVersion }, '', []) as Work;

function decodeCustom(kind: Pick<Kind, 'apiVersion' | 'kind' | 'version'>, node: SchemaNode, body: JsonObject): Decoded {
  if (typeMetaText(kind, 'apiVersion', body) !== kind.apiVersion) {
    throw badRequest(
      `the API version in the data (${textOf(body.apiVersion)}) does not match the expected API version (${kind.apiVersion})`,
    );
  }
  const { object, unknown } = decodeEnvelope(kind, body);
  const dropped: string[] = [];
  const known = prune(node, object, '', dropped);
  return { object: { ...(applyDefaults(node, known) as Work), metadata: object.metadata }, unknown: [...unknown, ...dropped] };
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** What is wrong with apiVersion and kind; unlike for built-in kinds this is a validation error. */
export function typeError(kind: Kind, body: unknown): FieldError | undefined {
  if (kind.strategicMerge || !isObject(body)) return undefined;
  if (body.kind !== kind.kind) return invalidValue('kind', body.kind, `must be ${kind.kind}`);
  return body.apiVersion === kind.apiVersion ? undefined : invalidValue('apiVersion', body.apiVersion, `must be ${kind.apiVersion}`);
}

/** Reasons after which rules are not evaluated, since the value could make them fail. */
const BLOCKING: ReadonlySet<string> = new Set([
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
  'FieldValueNotSupported',
]);

const UNCHECKED =
  'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation';

/** A wrong apiVersion or kind does not skip the schema but does skip its rules, as on kube-apiserver. */
function validateObject(
  node: SchemaNode,
  object: Work,
  { old, metadata, subresource, mistaken }: ValidationContext,
): readonly FieldError[] {
  const spot = { value: object, old, path: '', nameless: subresource ?? '<nil>' };
  const errors: FieldError[] = [...metadata];
  if (mistaken && subresource === undefined) errors.push(mistaken);
  else validate(node, spot, errors);
  if (!node.hasRules) return errors;
  if (errors.some((error) => BLOCKING.has(error.reason))) errors.push(invalidValue('<nil>', null, UNCHECKED));
  else validateRules(node, spot, errors);
  return errors;
}
