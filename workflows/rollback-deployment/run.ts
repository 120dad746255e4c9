import { required, wholeNumber } from '../environment.ts';
import type { Workflow } from '../workflow.ts';
import { rollBack } from './rollback.ts';

/** The workflow `rollback-deployment`: what it is told, handed to what it does. */
export const rollbackDeployment: Workflow = (client, env) => {
  required(env, 'TARGET_RESOURCE_KIND', ['Deployment']);
  return rollBack(client, {
    namespace: required(env, 'TARGET_RESOURCE_NAMESPACE'),
    name: required(env, 'TARGET_RESOURCE_NAME'),
    revision: wholeNumber(env, 'REVISION'),
    ...(env['TARGET_UID'] ? { uid: env['TARGET_UID'] } : {}),
  });
};
