import type { CorpusCase } from '../corpus-case.ts';
import { BASICS } from './basics.ts';
import { GITOPS } from './gitops.ts';
import { LOAD } from './load.ts';
import { NODES } from './nodes.ts';
import { RELEASE_STARTS } from './release-starts.ts';
import { SURROUNDINGS } from './surroundings.ts';

/** All cases that were written by hand, for what a test cluster cannot show. */
export const WRITTEN: readonly CorpusCase[] = [...BASICS, ...NODES, ...GITOPS, ...LOAD, ...RELEASE_STARTS, ...SURROUNDINGS];
