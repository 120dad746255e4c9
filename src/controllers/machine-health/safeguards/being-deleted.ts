import type { MachineHealthCheck } from '../../../api/machine-health-check/machine-health-check.ts';
import type { RemediationBlock } from './remediation-block.ts';

/** Somebody's finalizer may hold a check for long after it was deleted: it looks after what is under way, and nothing more begins. */
export const beingDeleted = ({ metadata }: Pick<MachineHealthCheck, 'metadata'>): RemediationBlock | undefined =>
  metadata.deletionTimestamp === undefined
    ? undefined
    : { reason: 'BeingDeleted', message: `the check is being deleted since ${metadata.deletionTimestamp}; no new remediation starts` };
