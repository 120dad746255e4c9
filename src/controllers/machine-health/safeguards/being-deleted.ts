import type { MachineHealthCheck } from '../../../api/machine-health-check/machine-health-check.ts';
import type { RemediationBlock } from './remediation-block.ts';

/** A finalizer may keep a deleted check for long: running remediations continue, and no new ones start. */
export const beingDeleted = ({ metadata }: Pick<MachineHealthCheck, 'metadata'>): RemediationBlock | undefined =>
  metadata.deletionTimestamp === undefined
    ? undefined
    : { reason: 'BeingDeleted', message: `the check is being deleted since ${metadata.deletionTimestamp}; no new remediation starts` };
