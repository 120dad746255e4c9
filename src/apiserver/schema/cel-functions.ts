import { Environment } from '@marcbachmann/cel-js';
import { matchesIn } from './patterns.ts';

/**
 * The CEL that rules may use: the language itself, its optional values, and the functions of Kubernetes' list and string
 * libraries that are simple. A rule that calls another function is refused when its CRD is written.
 */
export function celFunctions(): Environment {
  const environment = new Environment({ enableOptionalTypes: true, homogeneousAggregateLiterals: false });
  for (const [signature, run] of Object.entries(FUNCTIONS)) environment.registerFunction(signature, run);
  return environment;
}

type Comparable = bigint | number | string;

const least = (list: readonly Comparable[]): Comparable => list.reduce((a, b) => (b < a ? b : a));
const most = (list: readonly Comparable[]): Comparable => list.reduce((a, b) => (b > a ? b : a));
const add = (a: bigint | number, b: bigint | number): bigint | number =>
  typeof a === 'bigint' && typeof b === 'bigint' ? a + b : Number(a) + Number(b);

const FUNCTIONS: Readonly<Record<string, (...args: never[]) => unknown>> = {
  'list.isSorted(): bool': (list: readonly Comparable[]) => list.every((item, i) => i === 0 || list[i - 1]! <= item),
  'list.sum(): dyn': (list: readonly (bigint | number)[]) => list.reduce<bigint | number>(add, 0n),
  'list.min(): dyn': least,
  'list.max(): dyn': most,
  'string.find(string): string': (text: string, pattern: string) => matchesIn(text, pattern)[0] ?? '',
  'string.findAll(string): list<string>': (text: string, pattern: string) => matchesIn(text, pattern),
  'string.replace(string, string): string': (text: string, from: string, to: string) => text.replaceAll(from, to),
  'string.charAt(int): string': (text: string, at: bigint) => text.charAt(Number(at)),
};
