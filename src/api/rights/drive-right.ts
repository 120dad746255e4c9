import { PIPELINE } from '../parts/group.ts';

/**
 * A right of our own: to drive remediations. No path of the API asks for it; policies do, by which they tell Sickbay from people who may write
 * the same objects. A user who may do everything has it too.
 */
export const DRIVING = { group: PIPELINE.group, resource: 'remediationrequests', verb: 'drive' } as const;
