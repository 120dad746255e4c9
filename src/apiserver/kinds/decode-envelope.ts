import type { JsonObject } from '../../base/index.ts';
import { adopt } from '../adopt.ts';
import { readMetadata } from '../metadata/read-metadata.ts';
import type { Work } from '../object.ts';
import { badRequest } from '../status-errors.ts';
import type { Kind } from './kind.ts';

/** Reads apiVersion, kind and metadata, which all kinds have; the rest is taken over as it came. */
export function decodeEnvelope(
  kind: Pick<Kind, 'apiVersion' | 'kind' | 'version'>,
  body: JsonObject,
): { readonly object: Work; readonly unknown: readonly string[] } {
  const read = readMetadata(body.metadata);
  if (read.kind === 'unreadable') {
    throw badRequest(`${kind.kind} in version ${JSON.stringify(kind.version)} cannot be handled as a ${kind.kind}: ${read.reason}`);
  }
  const object: Work = { apiVersion: kind.apiVersion, kind: kind.kind, metadata: adopt(read.metadata) };
  for (const field in body) if (!(field in object) && body[field] !== undefined) object[field] = adopt(body[field]);
  return { object, unknown: read.unknown.map((field) => `metadata.${field}`) };
}
