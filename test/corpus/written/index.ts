import type { CorpusCase } from '../corpus-case.ts';
import { BASICS } from './basics.ts';

/** All cases that were written by hand, for what a test cluster cannot show. */
export const WRITTEN: readonly CorpusCase[] = [...BASICS];
