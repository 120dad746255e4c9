import type { Fault } from '../fault.ts';
import { MACHINES } from './machines.ts';
import { OTHER_KINDS } from './other-kinds.ts';
import { PEOPLE } from './people.ts';
import { PODS } from './pods.ts';
import { ROLLOUTS } from './rollouts.ts';

/** All faults of the day, in the order in which they begin. */
export const FAULTS: readonly Fault[] = [...ROLLOUTS, ...PEOPLE, ...PODS, ...OTHER_KINDS, ...MACHINES];
