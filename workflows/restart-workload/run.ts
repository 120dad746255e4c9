import { carryOut } from '../change.ts';
import { required, shaped } from '../environment.ts';
import { targetOf } from '../target.ts';
import type { Workflow } from '../workflow.ts';
import { WORKLOAD_KINDS, workloadOf } from '../workloads.ts';
import { planRestart } from './plan.ts';

/** The workflow `restart-workload`: restarts all pods of a Deployment, StatefulSet or DaemonSet, as kubectl rollout restart does. */
export const restartWorkload: Workflow = async (client, env, how) => {
  const target = targetOf(env, WORKLOAD_KINDS);
  // One run restarts once: its name, not the time, distinguishes the template from the one before.
  const mark = shaped(env, 'MARK', /^[a-z0-9][a-z0-9.-]{0,252}$/) ?? required(env, 'WORKFLOW_EXECUTION');
  return carryOut({
    client,
    resource: workloadOf(target.kind),
    target,
    workflow: 'restart-workload',
    done: 'restarted',
    how,
    plan: (workload) => planRestart(workload, mark),
  });
};
