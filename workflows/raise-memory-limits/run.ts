import { raiseLimits } from '../raise-limits.ts';

/** The workflow `raise-memory-limits`: gives containers that run out of memory more of it. */
export const raiseMemoryLimits = raiseLimits({ of: 'memory', workflow: 'raise-memory-limits', cap: '4Gi' });
