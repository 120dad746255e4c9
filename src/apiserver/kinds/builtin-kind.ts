import type { JsonObject } from '../../base/index.ts';
import type { Stored, Work } from '../object.ts';
import { badRequest } from '../status-errors.ts';
import type { BuiltinRow } from './builtin-table.ts';
import { decodeEnvelope } from './decode-envelope.ts';
import type { Decoded, Kind } from './kind.ts';

/** What a built-in kind does beyond what all of them do. */
export type BuiltinTouches = Partial<Pick<Kind, 'prepareCreate' | 'prepareUpdate' | 'validate' | 'grace' | 'decode'>>;

/** A kind that every server has, made from its row. */
export function builtinKind(row: BuiltinRow, touches: BuiltinTouches = {}): Kind {
  const apiVersion = row.group === '' ? row.version : `${row.group}/${row.version}`;
  const named = { apiVersion, kind: row.kind, version: row.version };
  return {
    ...named,
    group: row.group,
    plural: row.plural,
    singular: row.kind.toLowerCase(),
    listKind: `${row.kind}List`,
    shortNames: row.shortNames ?? [],
    namespaced: row.namespaced ?? false,
    table: `${row.group}/${row.plural}`,
    nameRule: row.names ?? 'subdomain',
    hasStatus: row.status ?? false,
    hasGeneration: row.generation ?? false,
    unconditionalUpdate: row.unconditionalUpdate ?? true,
    createOnUpdate: row.createOnUpdate ?? false,
    defaultPropagation: row.orphansByDefault ? 'Orphan' : 'Background',
    strategicMerge: true,
    terminating: false,
    selectable: new Map((row.fields ?? []).map((field) => [field, field.split('.')])),
    grace: undefined,
    read: (stored: Stored): Stored => stored,
    decode: (body: JsonObject): Decoded => decodeBuiltin(named, body),
    toStored: (object: Work): Work => object,
    prepareCreate: () => {},
    prepareUpdate: () => {},
    validate: (_object, _old, metadata) => metadata,
    ...touches,
  };
}

/** apiVersion and kind may be left out of a built-in's body, but not be wrong. */
export function decodeBuiltin(kind: Pick<Kind, 'apiVersion' | 'kind' | 'version'>, body: JsonObject): Decoded {
  const { apiVersion = kind.apiVersion, kind: name = kind.kind } = body;
  if (apiVersion !== kind.apiVersion) {
    const version = String(apiVersion).split('/').at(-1);
    const why = `no kind ${JSON.stringify(name)} is registered for version ${JSON.stringify(apiVersion)}`;
    throw badRequest(`${String(name)} in version ${JSON.stringify(version)} cannot be handled as a ${kind.kind}: ${why}`);
  }
  if (name !== kind.kind) {
    throw badRequest(`${String(name)} in version ${JSON.stringify(kind.version)} cannot be handled as a ${kind.kind}: unknown conversion`);
  }
  return decodeEnvelope(kind, body);
}
