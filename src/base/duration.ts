const UNIT_MS: Readonly<Record<string, number>> = { ns: 1e-6, us: 1e-3, µs: 1e-3, μs: 1e-3, ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;

/** Go counts nanoseconds in 63 bits: some 292 years. */
const LONGEST_MS = (2 ** 63 - 1) / 1e6;

/**
 * Reads a Go duration ("5m", "1h30m", "-1.5s", "0") as milliseconds; undefined when it is none.
 * @example parseDuration('1h30m') === 5_400_000
 */
export function parseDuration(text: string): number | undefined {
  const match = /^([+-]?)((?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+|0)$/.exec(text);
  if (!match) return undefined;
  let ms = 0;
  for (const [, amount, unit] of match[2]!.matchAll(/(\d+\.?\d*|\.\d+)(ns|us|µs|μs|ms|s|m|h)/g)) ms += Number(amount) * UNIT_MS[unit!]!;
  const whole = toNanoseconds(ms);
  if (whole > LONGEST_MS) return undefined;
  return match[1] === '-' && whole !== 0 ? -whole : whole;
}

/**
 * Writes milliseconds the way Go does.
 * @example formatDuration(300_000) === '5m0s'
 */
export function formatDuration(ms: number): string {
  const size = toNanoseconds(Math.abs(ms));
  if (size === 0) return '0s';
  const sign = ms < 0 ? '-' : '';
  if (size < 1) return size < 1e-3 ? `${sign}${trim(size * 1e6)}ns` : `${sign}${trim(size * 1e3)}µs`;
  if (size < SECOND) return `${sign}${trim(size)}ms`;
  const hours = Math.floor(size / HOUR);
  const minutes = Math.floor((size % HOUR) / MINUTE);
  const seconds = trim((size % MINUTE) / SECOND);
  if (hours > 0) return `${sign}${hours}h${minutes}m${seconds}s`;
  return minutes > 0 ? `${sign}${minutes}m${seconds}s` : `${sign}${seconds}s`;
}

/** Milliseconds without what is smaller than a nanosecond, so that 1.1h is 66 minutes and not a trillionth more. */
const toNanoseconds = (ms: number): number => Number(ms.toFixed(6));

/** At most nine decimals, without trailing zeros: Go keeps nanoseconds. */
const trim = (value: number): string => String(Number(value.toFixed(9)));
