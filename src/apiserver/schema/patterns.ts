import { RE2JS } from 're2js';
import { Recent } from '../../kube/cache/recently-used.ts';

/** Schemas repeat few patterns, and compiling one costs hundreds of matches. */
const compiled = new Recent<RE2JS>(500);

/**
 * A pattern in Go's dialect, as kube-apiserver reads it; throws for one that is not valid. Matching takes time linear in the text, so no
 * pattern that a user writes into a CRD can block the server.
 */
export const compilePattern = (pattern: string): RE2JS => compiled.of(pattern, () => RE2JS.compile(pattern));

/** Everything in the text that matches, from left to right. */
export const matchesIn = (text: string, pattern: string): readonly string[] =>
  [...compilePattern(pattern).matchAll(text)].map(([match]) => match);
