/** One field of an encoded message: its number, and an integer or bytes. */
export interface WireField {
  readonly number: number;
  readonly value: bigint | Buffer;
}

/** Invalid or truncated protobuf. */
export class WireError extends Error {}

const VARINT = 0;
const FIXED64 = 1;
const BYTES = 2;
const FIXED32 = 5;

/** The fields of a message, in their order. */
export function* wireFields(message: Buffer): Iterable<WireField> {
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = message[at++];
      if (byte === undefined) throw new WireError('a number is cut off');
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    throw new WireError('a number has no end');
  };
  const take = (length: number): Buffer => {
    if (length > message.length - at) throw new WireError('a field is cut off');
    return message.subarray(at, (at += length));
  };
  while (at < message.length) {
    const key = Number(varint());
    const number = key >>> 3;
    switch (key & 7) {
      case VARINT:
        yield { number, value: varint() };
        break;
      case BYTES:
        yield { number, value: take(Number(varint())) };
        break;
      case FIXED64:
        yield { number, value: take(8) };
        break;
      case FIXED32:
        yield { number, value: take(4) };
        break;
      default:
        throw new WireError(`field ${number} is of no known form`);
    }
  }
}

/** A signed integer: negative ones are encoded with 64 bits. */
export const signed = (value: bigint): number => Number(BigInt.asIntN(64, value));
