import type { JsonObject } from '../../base/index.ts';
import { badRequest, unsupportedMediaType } from '../status-errors.ts';
import { messageType, type MessageField, type MessageType } from './message-types.ts';
import { SPECIAL_VALUES } from './special-values.ts';
import { signed, wireFields, WireError } from './wire.ts';

/** The prefix of every body. */
const MAGIC = Buffer.from('k8s\0');

/** Reads a body of protobuf as the object that it would be in JSON; throws what the server answers with when it cannot. */
export function readProtobuf(body: Buffer): JsonObject {
  if (!body.subarray(0, MAGIC.length).equals(MAGIC)) throw badRequest('the body of the request is not protobuf of Kubernetes');
  try {
    return readEnvelope(body.subarray(MAGIC.length));
  } catch (error) {
    if (error instanceof WireError) throw badRequest(`the body of the request is not protobuf: ${error.message}`);
    throw error;
  }
}

/** runtime.Unknown: the kind of the object, and the object. */
function readEnvelope(envelope: Buffer): JsonObject {
  const parts = partsOf(envelope);
  const names = partsOf(parts.get(1) ?? Buffer.alloc(0));
  const [apiVersion, kind] = [names.get(1)?.toString() ?? '', names.get(2)?.toString() ?? ''];
  const type = typeOf(apiVersion, kind);
  if (!type) throw unsupportedMediaType(['application/json', 'application/yaml']);
  return { apiVersion, kind, ...readMessage(type, parts.get(2) ?? Buffer.alloc(0)) };
}

const partsOf = (message: Buffer): ReadonlyMap<number, Buffer> =>
  new Map([...wireFields(message)].flatMap(({ number, value }) => (typeof value === 'bigint' ? [] : [[number, value] as const])));

/** `apps/v1` → `apps/v1.Deployment`, `rbac.authorization.k8s.io/v1` → `rbac/v1.Role`; options are the same everywhere. */
function typeOf(apiVersion: string, kind: string): MessageType | undefined {
  const [group = '', version] = apiVersion.split('/');
  const place = version === undefined ? `core/${group}` : `${group.split('.')[0] ?? ''}/${version}`;
  return messageType(`${place}.${kind}`) ?? messageType(`meta/v1.${kind}`);
}

function readMessage(type: MessageType, message: Buffer): JsonObject {
  const object: Record<string, unknown> = {};
  for (const { number, value } of wireFields(message)) {
    const field = type.get(number);
    if (field) put(object, field, value);
  }
  return object;
}

function put(object: Record<string, unknown>, field: MessageField, value: bigint | Buffer): void {
  const { name, many } = field;
  if (many === 'map') object[name] = { ...(object[name] as object | undefined), ...entryOf(field, value) };
  else if (many === 'list') object[name] = [...((object[name] as readonly unknown[] | undefined) ?? []), ...itemsOf(field, value)];
  else if (name === '') Object.assign(object, readValue(field.type, value));
  else {
    const read = readValue(field.type, value);
    if (read !== undefined && (field.keepsZero || !isZero(read))) object[name] = read;
  }
}

const isZero = (value: unknown): boolean => value === '' || value === 0 || value === false;

/** An entry is a message with a key and a value. */
function entryOf({ type }: MessageField, entry: bigint | Buffer): JsonObject {
  const parts = partsOf(bytes(entry));
  return { [parts.get(1)?.toString() ?? '']: readValue(type, parts.get(2) ?? Buffer.alloc(0)) };
}

/** Numbers may come packed together. */
function itemsOf({ type }: MessageField, value: bigint | Buffer): readonly unknown[] {
  if (type !== 'int' || typeof value === 'bigint') return [readValue(type, value)];
  const numbers: unknown[] = [];
  let number = 0n;
  let shift = 0n;
  for (const byte of value) {
    number |= BigInt(byte & 0x7f) << shift;
    shift += 7n;
    if (byte >= 0x80) continue;
    numbers.push(signed(number));
    number = shift = 0n;
  }
  return numbers;
}

function readValue(type: string, value: bigint | Buffer): unknown {
  switch (type) {
    case 'int':
      return signed(number(value));
    case 'bool':
      return number(value) !== 0n;
    case 'string':
      return bytes(value).toString();
    case 'bytes':
      return bytes(value).toString('base64');
    default: {
      const special = SPECIAL_VALUES[type];
      return special ? special(bytes(value)) : readMessage(messageType(type) ?? new Map<number, MessageField>(), bytes(value));
    }
  }
}

function bytes(value: bigint | Buffer): Buffer {
  if (typeof value === 'bigint') throw new WireError('a number stands where bytes belong');
  return value;
}

function number(value: bigint | Buffer): bigint {
  if (typeof value !== 'bigint') throw new WireError('bytes stand where a number belongs');
  return value;
}
