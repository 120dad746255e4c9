import type { Fault } from '../fault.ts';
import { CONFIGURATION } from './configuration.ts';
import { DEPENDENCIES } from './dependencies.ts';
import { JOBS } from './jobs.ts';
import { MISLEADING } from './misleading.ts';
import { OBJECTS } from './objects.ts';
import { RELEASE_SETTINGS } from './release-settings.ts';
import { RELEASES } from './releases.ts';
import { SCHEDULING } from './scheduling.ts';
import { STATEFUL } from './stateful.ts';

/** All faults that are recorded on a real cluster. */
export const FAULTS: readonly Fault[] = [
  ...RELEASES,
  ...CONFIGURATION,
  ...MISLEADING,
  ...DEPENDENCIES,
  ...STATEFUL,
  ...JOBS,
  ...RELEASE_SETTINGS,
  ...SCHEDULING,
  ...OBJECTS,
];
