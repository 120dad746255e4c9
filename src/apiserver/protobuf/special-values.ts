import { formatDuration, instant, toTime } from '../../base/index.ts';
import { signed, wireFields, WireError } from './wire.ts';

/** Reads a value that has another form in JSON; undefined where there is none. */
type Read = (message: Buffer) => unknown;

/** Types whose form in JSON differs from protobuf. */
export const SPECIAL_VALUES: Readonly<Record<string, Read>> = {
  Time: (message) => timeIn(numbersIn(message)),
  MicroTime: (message) => microTimeIn(numbersIn(message)),
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

/** An absent time is an empty message. */
const timeIn = ({ 1: seconds }: Numbers): string | undefined => (seconds === undefined ? undefined : toTime(instant(seconds * 1_000)));

function microTimeIn(numbers: Numbers): string | undefined {
  const micros = Math.trunc((numbers[2] ?? 0) / 1_000);
  return timeIn(numbers)?.replace('Z', `.${String(micros).padStart(6, '0')}Z`);
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
