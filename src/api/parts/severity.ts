import type { Severity } from './signal.ts';

/** The severities that signal sources use, by the severity that they map to. */
const SEVERITY_WORDS: ReadonlyMap<string, Severity> = new Map(
  Object.entries({
    critical: ['critical', 'fatal', 'emergency', 'sev1', 'p0'],
    high: ['high', 'error', 'major', 'sev2', 'p1', 'p2'],
    warning: ['warning', 'warn', 'medium', 'moderate', 'minor', 'sev3', 'p3'],
    info: ['info', 'informational', 'low', 'none', 'sev4', 'p4'],
  } as const).flatMap(([severity, words]) => words.map((word) => [word, severity as Severity] as const)),
);

/** Maps the severity of a source; one that is not listed is `unknown`, not harmless. */
export const severityOf = (word: string): Severity => SEVERITY_WORDS.get(word.trim().toLowerCase()) ?? 'unknown';

/** How severe each is; one that is not known counts as more than harmless, and less than any that a source named as a fault. */
const RANK: Readonly<Record<Severity, number>> = { info: 0, low: 0, unknown: 1, warning: 2, medium: 2, high: 3, critical: 4 };

/** Below 0 where the first is less severe than the second, above 0 where it is more severe. */
export const compareSeverity = (one: Severity, other: Severity): number => RANK[one] - RANK[other];

/** The highest severity of several signals, in the words of their sources (ruling 128); unknown where there is none. */
export const highestSeverity = (words: readonly string[]): Severity =>
  words
    .map(severityOf)
    .reduce<Severity | undefined>((highest, one) => (highest && compareSeverity(highest, one) >= 0 ? highest : one), undefined) ??
  'unknown';
