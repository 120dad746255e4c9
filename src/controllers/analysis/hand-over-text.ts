import type { Diagnosis } from '../../analyst/index.ts';
import { clip } from '../../base/index.ts';

/** So many findings are in the message; all of them are in status.rootCauseAnalysis.contributingFactors. */
const MOST_FACTS = 6;
const LONGEST = 4_000;

/** What a person reads who takes over: what is wrong, what is seen, what it is not, what it may be and how to tell, what to do, what Sickbay does. */
export function handOverText({ reason, advice, facts = [], ruledOut = [], likely = [] }: Extract<Diagnosis, { kind: 'Unclear' }>): string {
  const parts = [
    `${reason}; ${advice}`,
    ...section('Seen', facts.slice(0, MOST_FACTS)),
    ...section('Ruled out', ruledOut),
    ...section(
      'Likely causes',
      likely.map(({ cause, check }, i) => `(${i + 1}) ${cause}: ${check}`),
    ),
    'Sickbay changes nothing here; a new alert or a change of the target starts a new analysis',
  ];
  return clip(parts.join('. '), LONGEST);
}

const section = (title: string, texts: readonly string[]): readonly string[] =>
  texts.length === 0 ? [] : [`${title}: ${texts.join('; ')}`];
