import { Event, Job, Lease, PipelineRun, Pod, Secret, ServiceAccount, TaskRun } from '../builtin/index.ts';
import { ACCOUNT, allow, roleIn, type Grant, type Places } from './grant.ts';

/** What it may do where workflows run. */
export const executionRights = (places: Places): readonly Grant[] =>
  roleIn(
    places.executionNamespace,
    ACCOUNT,
    [
      // Runs are created suspended, released, stopped and deleted.
      ...allow(['get', 'list', 'watch', 'create', 'patch', 'delete'], [Job, PipelineRun]),
      ...allow(['list', 'watch'], [Pod]),
      ...allow(['list'], [TaskRun, Event]),
      // Locks on targets, and what they remember of failures.
      ...allow(['get', 'list', 'watch', 'create', 'patch', 'delete'], [Lease]),
      // Whether what a workflow depends on is there. RBAC cannot tell that only metadata is asked for.
      // ConfigMaps may be read everywhere.
      ...allow(['get'], [Secret]),
      // The account that workflows have when they name none.
      ...allow(['get', 'create'], [ServiceAccount]),
    ],
    places,
  );

/** Where the token for AWX is kept unless the configuration says otherwise. */
const AWX_TOKEN = 'awx-token';

/**
 * AWX is shown a token of ours, and hands workflows that of their account. An account that may request tokens can act as any
 * account of that namespace, so this is given only where AWX is used.
 */
export const awxRights = (places: Places): readonly Grant[] => [
  ...roleIn(places.namespace, `${ACCOUNT}-awx`, allow(['get'], [Secret], { names: [AWX_TOKEN] }), places),
  ...roleIn(places.executionNamespace, `${ACCOUNT}-awx`, allow(['create'], [ServiceAccount], { subresource: 'token' }), places),
];
