/** Kubernetes' quantities: `500m`, `1Gi`, `1e3`, each stored in its canonical form. */

const FORM = /^([+-]?)(\d*)(?:\.(\d*))?(?:([eE][+-]?\d+)|([A-Za-z]*))$/;
const DECIMAL = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'];
const BINARY = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
/** The smallest fraction is a billionth. */
const NANO = 10n ** 9n;
const KIBI = 1024n;

/** The canonical form; undefined for an invalid quantity. */
export function canonicalQuantity(text: string): string | undefined {
  const [found, sign, whole = '', fraction = '', exponent, suffix = ''] = FORM.exec(text) ?? [];
  const parsed = (found ?? '') === '' ? undefined : scaleOf(exponent, suffix);
  if (!parsed) return undefined;
  const nanos = inNanos(BigInt(whole + fraction), fraction.length, parsed);
  const shown = show(nanos, parsed.style);
  return sign === '-' && nanos !== 0n ? `-${shown}` : shown;
}

type Style = 'decimal' | 'exponent' | 'binary';

interface Scale {
  readonly style: Style;
  /** 10 to this, or 1024 to this where the style is binary. */
  readonly power: number;
}

function scaleOf(exponent: string | undefined, suffix: string): Scale | undefined {
  if (exponent !== undefined) return { style: 'exponent', power: Number(exponent.slice(1)) };
  const decimal = DECIMAL.indexOf(suffix);
  if (decimal >= 0) return { style: 'decimal', power: (decimal - 3) * 3 };
  const binary = BINARY.indexOf(suffix);
  return binary >= 0 ? { style: 'binary', power: binary } : undefined;
}

/** Rounded up, away from zero. */
function inNanos(digits: bigint, places: number, { style, power }: Scale): bigint {
  const tens = 9 - places + (style === 'binary' ? 0 : power);
  const scaled = style === 'binary' ? digits * KIBI ** BigInt(power) : digits;
  if (tens >= 0) return scaled * 10n ** BigInt(tens);
  const divisor = 10n ** BigInt(-tens);
  return (scaled + divisor - 1n) / divisor;
}

function show(nanos: bigint, style: Style): string {
  if (nanos === 0n) return '0';
  const isBinary = style === 'binary' && nanos % NANO === 0n && nanos >= KIBI * NANO;
  if (isBinary) return shortest(nanos / NANO, KIBI, BINARY);
  if (style !== 'exponent') return shortest(nanos, 1000n, DECIMAL);
  return shortest(nanos, 1000n, ['e-9', 'e-6', 'e-3', '', 'e3', 'e6', 'e9', 'e12', 'e15', 'e18']);
}

/** The largest suffix that leaves a whole number. */
function shortest(value: bigint, base: bigint, suffixes: readonly string[]): string {
  let [rest, step] = [value, 0];
  while (rest % base === 0n && step < suffixes.length - 1) {
    rest /= base;
    step++;
  }
  return `${rest}${suffixes[step]}`;
}
