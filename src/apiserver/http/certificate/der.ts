/** The few types of ASN.1 that a certificate is made of, in DER (X.690): each value is a tag, the length of its content, and the content. */

const value = (tag: number, content: Uint8Array): Buffer => Buffer.concat([Buffer.from([tag, ...lengthOf(content.length)]), content]);

/** Below 128 in one byte, else behind the number of its bytes. */
function lengthOf(length: number): readonly number[] {
  if (length < 0x80) return [length];
  const bytes = bytesOf(length, 0x100);
  return [0x80 | bytes.length, ...bytes];
}

/** The digits of a number in a base, the first first. */
function bytesOf(number: number, base: number): readonly number[] {
  const digits = [number % base];
  for (let rest = Math.floor(number / base); rest > 0; rest = Math.floor(rest / base)) digits.unshift(rest % base);
  return digits;
}

export const sequence = (...values: readonly Uint8Array[]): Buffer => value(0x30, Buffer.concat(values));
export const set = (...values: readonly Uint8Array[]): Buffer => value(0x31, Buffer.concat(values));
export const boolean = (is: boolean): Buffer => value(0x01, Buffer.from([is ? 0xff : 0]));
export const octets = (content: Uint8Array): Buffer => value(0x04, content);
export const utf8 = (text: string): Buffer => value(0x0c, Buffer.from(text));

/** A whole number that is not negative, by its bytes: a first bit of 1 would be a sign. */
export function integer(bytes: Uint8Array): Buffer {
  const start = bytes.findIndex((byte) => byte !== 0);
  const digits = start < 0 ? Buffer.from([0]) : Buffer.from(bytes.subarray(start));
  return value(0x02, (digits[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.from([0]), digits]) : digits);
}

/** Bits, of which the last `unused` of the last byte do not count. */
export const bits = (content: Uint8Array, unused = 0): Buffer => value(0x03, Buffer.concat([Buffer.from([unused]), content]));

/** @example oid('2.5.4.3') */
export function oid(text: string): Buffer {
  const [first = 0, second = 0, ...rest] = text.split('.').map(Number);
  const arcs = [first * 40 + second, ...rest].flatMap((arc) => {
    const digits = bytesOf(arc, 0x80);
    return digits.map((digit, i) => (i === digits.length - 1 ? digit : digit | 0x80));
  });
  return value(0x06, Buffer.from(arcs));
}

/** A moment, in seconds of UTC: in the short form up to 2049 and in the long form from then on, as RFC 5280 wants it. */
export function time(iso: string): Buffer {
  const digits = iso.replace(/\.\d+|[-:T]/g, '');
  return Number(digits.slice(0, 4)) < 2050 ? value(0x17, Buffer.from(digits.slice(2))) : value(0x18, Buffer.from(digits));
}

/** A value inside another under a number of its own. */
export const tagged = (number: number, ...values: readonly Uint8Array[]): Buffer => value(0xa0 | number, Buffer.concat(values));

/** A value with a number in place of its type. */
export const implicit = (number: number, content: Uint8Array): Buffer => value(0x80 | number, content);
