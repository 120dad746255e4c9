import type { Work } from '../object.ts';
import type { Server } from '../server.ts';
import type { Admission, AskedWrite } from './admission.ts';
import { approvals } from './approvals.ts';
import { blockClearances } from './block-clearances.ts';
import { cancellations } from './cancellations.ts';
import { createOnUpdate } from './create-on-update.ts';
import { escalations } from './escalations.ts';
import { keptBlocks } from './kept-blocks.ts';
import { requesters } from './requesters.ts';
import { statuses } from './statuses.ts';

/** In this order; the first that denies ends it. */
const CHAIN: readonly Admission[] = [
  createOnUpdate,
  escalations,
  approvals,
  requesters,
  cancellations,
  blockClearances,
  keptBlocks,
  statuses,
];

/** The object to go on with; throws what a denied write is answered with. For this process itself only pods are settled. */
export function admitted(server: Server, asked: Omit<AskedWrite, 'user'>): Work {
  const { requester } = server;
  const write = { ...asked, object: server.settlePod?.(asked) ?? asked.object };
  if (!requester) return write.object;
  const world = { authorizer: server.authority.authorizer, now: server.clock.now(), delegates: requester.delegates };
  let { object } = write;
  for (const admission of CHAIN) {
    const outcome = admission({ ...write, user: requester.user, object }, world);
    if (outcome.kind === 'deny') throw outcome.error;
    if (outcome.kind === 'mutate') ({ object } = outcome);
  }
  return object;
}
