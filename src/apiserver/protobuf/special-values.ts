import { formatDuration, instant, toMicroTime, toTime } from '../../base/index.ts';
import { signed, wireFields, WireError } from './wire.ts';

/** Reads a value that looks different in JSON; undefined where there is none. */
type Read = (message: Buffer) => unknown;

/** Types that do not look in JSON as they travel. */
export const SPECIAL_VALUES: Readonly<Record<string, Read>> = {
  Time: (message) => timeIn(numbersIn(message)),
  Duration: (message) => formatDuration((numbersIn(message)[1] ?? 0) / 1e6),
  Quantity: (message) => bytesIn(message, 1)?.toString() ?? '0',
  IntOrString: intOrString,
  Json: (message) => jsonIn(bytesIn(message, 1)),
  Texts: (message) => [...wireFields(message)].filter(({ number }) => number === 1).map(({ value }) => String(value)),
};

type Numbers = Readonly<Record<number, number>>;

const numbersIn = (message: Buffer): Numbers =>
  Object.fromEntries([...wireFields(message)].flatMap(({ number, value }) => (typeof value === 'bigint' ? [[number, signed(value)]] : [])));

function bytesIn(message: Buffer, wanted: number): Buffer | undefined {
  for (const { number, value } of wireFields(message)) if (number === wanted && typeof value !== 'bigint') return value;
  return undefined;
}

/** Seconds and nanoseconds. No time at all is an empty message. */
function timeIn({ 1: seconds, 2: nanos = 0 }: Numbers): string | undefined {
  if (seconds === undefined) return undefined;
  const at = instant(seconds * 1_000 + nanos / 1e6);
  return nanos === 0 ? toTime(at) : toMicroTime(at);
}

const TEXT = 1;

function intOrString(message: Buffer): number | string {
  const numbers = numbersIn(message);
  return numbers[1] === TEXT ? (bytesIn(message, 3)?.toString() ?? '') : (numbers[2] ?? 0);
}

function jsonIn(bytes: Buffer | undefined): unknown {
  if (!bytes || bytes.length === 0) return undefined;
  try {
    return JSON.parse(bytes.toString()) as unknown;
  } catch {
    throw new WireError('a field that should hold JSON does not');
  }
}
