import { HOUR, MINUTE, SECOND } from '../../base/index.ts';

const DAY = 24 * HOUR;
const YEAR = 365 * DAY;

/** Up to `below`, a time is written in `unit`s, and the remainder in `rest`s where there is one. */
interface Step {
  readonly below: number;
  readonly unit: readonly [number, string];
  readonly rest?: readonly [number, string];
}

const STEPS: readonly Step[] = [
  { below: 2 * MINUTE, unit: [SECOND, 's'] },
  { below: 10 * MINUTE, unit: [MINUTE, 'm'], rest: [SECOND, 's'] },
  { below: 3 * HOUR, unit: [MINUTE, 'm'] },
  { below: 8 * HOUR, unit: [HOUR, 'h'], rest: [MINUTE, 'm'] },
  { below: 2 * DAY, unit: [HOUR, 'h'] },
  { below: 8 * DAY, unit: [DAY, 'd'], rest: [HOUR, 'h'] },
  { below: 2 * YEAR, unit: [DAY, 'd'] },
  { below: 8 * YEAR, unit: [YEAR, 'y'], rest: [DAY, 'd'] },
  { below: Infinity, unit: [YEAR, 'y'] },
];

/**
 * A length of time as people read it in tables: two or three figures, as Kubernetes writes it.
 * @example humanDuration(190_000) === '3m10s'
 */
export function humanDuration(ms: number): string {
  // Clocks of two machines may differ slightly.
  if (ms <= -2 * SECOND) return '<invalid>';
  const size = Math.max(ms, 0);
  const { unit, rest } = STEPS.find(({ below }) => size < below)!;
  const whole = `${Math.floor(size / unit[0])}${unit[1]}`;
  const left = rest === undefined ? 0 : Math.floor((size % unit[0]) / rest[0]);
  return left === 0 ? whole : `${whole}${left}${rest![1]}`;
}
