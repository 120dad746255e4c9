/** Amounts of memory and CPU as Kubernetes writes them, counted in thousandths: of a byte, of a core. */

const FORM = /^(\d{1,15})(?:\.(\d{1,9}))?(m|k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei)?$/;
const KIBI = 1024n;
const THOUSANDTHS: Readonly<Record<string, bigint>> = {
  m: 1n,
  '': 1000n,
  k: 1000n ** 2n,
  M: 1000n ** 3n,
  G: 1000n ** 4n,
  T: 1000n ** 5n,
  P: 1000n ** 6n,
  E: 1000n ** 7n,
  ...Object.fromEntries(['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'].map((suffix, index) => [suffix, 1000n * KIBI ** BigInt(index + 1)])),
};

/** The amount in thousandths, rounded up; undefined for what is none, or is written with an exponent. */
export function thousandths(text: string | number | undefined): bigint | undefined {
  const [found, whole = '', fraction = '', suffix = ''] = FORM.exec(String(text ?? '')) ?? [];
  if (found === undefined) return undefined;
  const unit = THOUSANDTHS[suffix] ?? 0n;
  return dividedUp(BigInt(whole + fraction) * unit, 10n ** BigInt(fraction.length));
}

/** The amount times a factor with at most six places, rounded up. */
export const times = (amount: bigint, factor: number): bigint => dividedUp(amount * BigInt(Math.round(factor * 1e6)), 1_000_000n);

const dividedUp = (value: bigint, by: bigint): bigint => (value + by - 1n) / by;

/** CPU as people write it: `2` or `1500m`. */
export const cpuText = (amount: bigint): string => (amount % 1000n === 0n ? String(amount / 1000n) : `${amount}m`);

/** Memory as people write it, in whole mebibytes, rounded up: `768Mi`, `2Gi`. */
export function memoryText(amount: bigint): string {
  const mebibytes = dividedUp(amount, 1000n * KIBI ** 2n);
  return mebibytes % KIBI === 0n ? `${mebibytes / KIBI}Gi` : `${mebibytes}Mi`;
}
