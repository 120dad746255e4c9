import type { JsonObject } from '../../base/index.ts';
import type { Stored, Work } from '../object.ts';
import { badRequest } from '../status-errors.ts';
import type { BuiltinRow } from './builtin-table.ts';
import { storedMetadata } from '../metadata/stored-metadata.ts';
import { decodeInto, emptyStatus } from '../typed/decode.ts';
import { typeOfKind } from '../typed/typed-node.ts';
import { decoding, typeMetaText } from './decode-envelope.ts';
import type { Decoded, Kind } from './kind.ts';

/** What a built-in kind does beyond the behaviour of all. */
export interface BuiltinBehaviour extends Partial<Pick<Kind, 'prepareCreate' | 'prepareUpdate' | 'prepareStatus' | 'validate' | 'grace'>> {
  /** Defaults of the kind that its types do not contain. */
  complete?(object: Work): void;
}

/** A built-in kind, from its row of the table. */
export function builtinKind(given: BuiltinRow, { complete, ...behaviour }: BuiltinBehaviour = {}): Kind {
  const row = { ...USUAL, ...given };
  const { group, version, kind, plural } = row;
  const named = { apiVersion: group === '' ? version : `${group}/${version}`, group, kind, version };
  return {
    ...named,
    plural,
    singular: kind.toLowerCase(),
    listKind: `${kind}List`,
    shortNames: row.shortNames,
    categories: row.categories,
    namespaced: row.namespaced,
    table: `${group}/${plural}`,
    nameRule: row.names,
    strictMetadata: row.strictMetadata,
    fixedByStatus: row.fixedByStatus,
    hasStatus: row.status,
    hasGeneration: row.generation,
    annotatesWishes: row.annotatesWishes,
    unconditionalUpdate: row.unconditionalUpdate,
    createOnUpdate: row.createOnUpdate,
    defaultPropagation: PROPAGATION[row.dependents],
    strategicMerge: true,
    terminating: false,
    custom: undefined,
    deprecation: undefined,
    selectable: new Map(row.fields.map((field) => [field, field.split('.')])),
    showsDeleted: row.showsDeleted,
    grace: undefined,
    read: (stored: Stored): Stored => stored,
    decode: (body: JsonObject): Decoded => {
      const decoded = decodeBuiltin(named, body);
      complete?.(decoded.object);
      return decoded;
    },
    toStored: (object: Work): Work => object,
    prepareUpdate: () => {},
    prepareStatus: () => {},
    warn: () => [],
    validate: (_object, { metadata }) => metadata,
    ...behaviour,
    prepareCreate: (object: Work): void => {
      behaviour.prepareCreate?.(object);
      if (row.status) object.status ??= emptyStatus(typeOfKind(named));
    },
  };
}

const PROPAGATION = { deleted: 'Background', orphaned: 'Orphan', ignored: undefined } as const;

/** Optional members of a row. */
const USUAL = {
  shortNames: [],
  categories: [],
  namespaced: false,
  status: false,
  generation: false,
  names: 'subdomain',
  strictMetadata: true,
  fixedByStatus: [],
  unconditionalUpdate: true,
  createOnUpdate: false,
  dependents: 'deleted',
  showsDeleted: false,
  annotatesWishes: false,
  fields: [],
} as const satisfies Partial<BuiltinRow>;

/** apiVersion and kind may be absent from the body of a built-in kind, but not be wrong. */
function decodeBuiltin(kind: Pick<Kind, 'apiVersion' | 'group' | 'kind' | 'version'>, body: JsonObject): Decoded {
  const apiVersion = typeMetaText(kind, 'apiVersion', body) || kind.apiVersion;
  const name = typeMetaText(kind, 'kind', body) || kind.kind;
  if (apiVersion !== kind.apiVersion) {
    const version = apiVersion.split('/').at(-1);
    const why = `no kind ${JSON.stringify(name)} is registered for version ${JSON.stringify(apiVersion)}`;
    throw badRequest(`${name} in version ${JSON.stringify(version)} cannot be handled as a ${kind.kind}: ${why}`);
  }
  if (name !== kind.kind) {
    throw badRequest(`${name} in version ${JSON.stringify(kind.version)} cannot be handled as a ${kind.kind}: unknown conversion`);
  }
  const unknown: string[] = [];
  const read = decoding(kind, () => decodeInto(typeOfKind(kind), body, unknown));
  return { object: { ...read, apiVersion: kind.apiVersion, kind: kind.kind, metadata: storedMetadata(read.metadata) }, unknown };
}
