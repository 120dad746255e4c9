import { PIPELINE } from '../parts/group.ts';

/** A right of our own: to have a remediation run in spite of change freezes. Admission asks for it where the annotation is set. */
export const OVERRIDING = { group: PIPELINE.group, resource: 'remediationrequests', verb: 'override-freeze' } as const;
