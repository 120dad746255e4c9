import { isObject, type JsonObject } from '../../base/index.ts';
import type { ApiRequest } from '../../kube/client/transport.ts';
import { typeMetaText } from '../kinds/decode-envelope.ts';
import type { Decoded, Kind } from '../kinds/kind.ts';
import { jsonType } from '../metadata/json-type.ts';
import { badRequest } from '../status-errors.ts';
import { fieldFaults } from './field-faults.ts';
import type { ParsedWriteOptions } from './options.ts';

/** A body that was read, and what to warn about. */
export interface Body {
  readonly decoded: Decoded;
  readonly warnings: readonly string[];
}

/** Reads the body of a create or update; throws 400 when it is no object of the kind. */
export function readObject(kind: Kind, { body, repeats }: ApiRequest, options: ParsedWriteOptions): Body {
  const object = objectOf(kind, body);
  const decoded = kind.decode(object);
  const { warnings, refusal } = fieldFaults(options, { repeats, unknown: decoded.unknown });
  if (refusal !== undefined) throw badRequest(`${kind.kind} in version "${kind.version}" cannot be handled as a ${kind.kind}: ${refusal}`);
  return { decoded, warnings };
}

function objectOf(kind: Kind, body: unknown): JsonObject {
  const unrecognised = `the object provided is unrecognized (must be of type ${kind.kind})`;
  if (body === null && kind.strategicMerge) return {};
  if (!isObject(body)) {
    throw badRequest(
      `${unrecognised}: couldn't get version/kind; json parse error: json: cannot unmarshal ${jsonType(body ?? null)} into Go value`,
    );
  }
  if (!kind.strategicMerge && typeMetaText(kind, 'kind', body) === '') {
    const text = JSON.stringify(body);
    const start = text.length > 22 ? `${text.slice(0, 22)} ...` : text;
    throw badRequest(`${unrecognised}: Object 'Kind' is missing in '${text}' (${start})`);
  }
  return body;
}
