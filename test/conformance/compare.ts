import { isObject } from '../../src/base/index.ts';
import type { Both } from './both.ts';
import { comparable, type Comparable } from './comparable.ts';
import { formOf, type Coverage } from './coverage.ts';
import { differences } from './differences.ts';
import { masked } from './mask.ts';
import type { WireAnswer, WireRequest } from './wire.ts';

/** Where questions are put. */
export interface Stand {
  readonly both: Both;
  readonly coverage: Coverage;
}

/** The same question to both servers; the requests only differ in what each server itself said before. */
export interface Question {
  /** What the coverage counts it as. */
  readonly verb: string;
  readonly real: WireRequest;
  readonly ours: WireRequest;
}

export interface Compared {
  /** What the real one and ours said. */
  readonly answers: readonly [WireAnswer, WireAnswer];
  /** The code of the real one. */
  readonly code: number;
  /** A line for each difference, and what was said; empty where both agree. */
  readonly found: readonly string[];
}

/** Puts a question to both, the real one first, and compares what they say. */
export async function compare({ both, coverage }: Stand, { verb, real, ours }: Question): Promise<Compared> {
  const answers = [await both.real.send(real), await both.ours.send(ours)] as const;
  const said = [comparable(answers[0]), comparable(answers[1])] as const;
  coverage.add(verb, formOf(real), outcomeOf(said[0]));
  const { code } = answers[0];
  const exchange = masked({ request: real, real: said[0], ours: said[1] });
  const found = differences(exchange.real, exchange.ours);
  if (found.length === 0) return { answers, code, found };
  return { answers, code, found: [`${shortly(real)} differs:`, ...[...found, ...answers.map(messageOf)].map((line) => `  ${line}`)] };
}

const outcomeOf = ({ code, reason = '' }: Comparable): string => [code, reason].join(' ').trim();

const LONGEST = 1000;
const shortly = (request: WireRequest): string => JSON.stringify(request).slice(0, LONGEST);

/** The answer, for people who investigate a difference. */
const messageOf = ({ code, body }: WireAnswer, i: number): string =>
  `${i === 0 ? 'real' : 'ours'} said ${code}: ${isObject(body) ? String(body['message'] ?? body['kind']) : String(body)}`;
