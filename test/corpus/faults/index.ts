import type { Fault } from '../fault.ts';
import { RELEASES } from './releases.ts';

/** All faults that are recorded on a real cluster. */
export const FAULTS: readonly Fault[] = [...RELEASES];
