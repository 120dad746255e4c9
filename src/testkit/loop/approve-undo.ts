import { RemediationApprovalRequest, RemediationWorkflow } from '../../api/index.ts';
import { keyOf } from '../../api/meta.ts';
import { SECOND, toTime } from '../../base/index.ts';
import type { Simulation } from '../../simulation/index.ts';
import { LOOP_SETTINGS } from './world.ts';

const { namespace } = LOOP_SETTINGS;
/** How often the person looks. */
const LOOK_MS = 20 * SECOND;

/** The rollback workflow requires an undo where its run scores less than this. */
export async function takeBackBelow({ admin }: Simulation, onScoreBelow: number): Promise<void> {
  const key = { namespace, name: 'rollback-deployment' };
  await admin.patch(RemediationWorkflow, key, { type: 'merge', body: { spec: { undo: { onScoreBelow } } } });
}

/** A person who approves every request. */
export function playApprover(simulation: Simulation): void {
  const look = async (): Promise<void> => {
    simulation.later(LOOK_MS, 'person', look);
    const asked = (await simulation.admin.list(RemediationApprovalRequest, { namespace })).items;
    for (const approval of asked.filter(({ status }) => status?.decision === undefined)) await approve(simulation, approval);
  };
  simulation.later(LOOK_MS, 'person', look);
}

async function approve({ admin, time }: Simulation, asked: RemediationApprovalRequest): Promise<void> {
  const status = { decision: 'Approved', decidedBy: 'alex@example.com', decidedAt: toTime(time.now()), decisionMessage: 'go ahead' };
  await admin.patchStatus(RemediationApprovalRequest, keyOf(asked), { type: 'merge', body: { status } });
}
