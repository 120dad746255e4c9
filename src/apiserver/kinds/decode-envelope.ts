import type { JsonObject } from '../../base/index.ts';
import { adopt } from './adopt.ts';
import { jsonType } from '../metadata/json-type.ts';
import { storedMetadata } from '../metadata/stored-metadata.ts';
import { badRequest } from '../status-errors.ts';
import { DecodeError, decodeInto } from '../typed/decode.ts';
import { objectMeta } from '../typed/typed-node.ts';
import type { Decoded, Kind } from './kind.ts';

/** The name of a kind in error messages. */
export type KindName = Pick<Kind, 'apiVersion' | 'kind' | 'version'>;

/** Reads apiVersion, kind and metadata, which all kinds have; the rest stays as it was sent. */
export function decodeEnvelope(kind: KindName, body: JsonObject): Decoded {
  const unknown: string[] = [];
  const metadata = decoding(kind, () => decodeInto(objectMeta(), body.metadata ?? {}, unknown));
  const object: Decoded['object'] = { apiVersion: kind.apiVersion, kind: kind.kind, metadata: storedMetadata(metadata) };
  for (const field in body) if (!(field in object) && body[field] !== undefined) object[field] = adopt(body[field]);
  return { object, unknown: unknown.map((path) => `metadata.${path}`) };
}

/** Throws a 400 for a value that does not fit its type. */
export function decoding<T>({ kind, version }: Pick<KindName, 'kind' | 'version'>, decode: () => T): T {
  try {
    return decode();
  } catch (error) {
    if (error instanceof DecodeError)
      throw badRequest(`${kind} in version ${JSON.stringify(version)} cannot be handled as a ${kind}: ${error.message}`);
    throw error;
  }
}

/** apiVersion or kind of a body; empty where it is absent. */
export function typeMetaText({ kind }: Pick<KindName, 'kind'>, field: 'apiVersion' | 'kind', body: JsonObject): string {
  const value = body[field] ?? '';
  if (typeof value === 'string') return value;
  const why = `couldn't get version/kind; json parse error: json: cannot unmarshal ${jsonType(value)} into Go struct field .${field} of type string`;
  throw badRequest(`the object provided is unrecognized (must be of type ${kind}): ${why}`);
}
