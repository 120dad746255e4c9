import { raiseLimits } from '../raise-limits.ts';

/** The workflow `raise-cpu-limits`: gives containers that are throttled more CPU. */
export const raiseCpuLimits = raiseLimits({ of: 'cpu', workflow: 'raise-cpu-limits', cap: '4' });
