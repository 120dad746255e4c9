import { given, required, type Environment } from './environment.ts';

/** The target of a workflow, and the execution it runs for. */
export interface Target {
  readonly kind: string;
  /** Empty for a cluster-scoped kind. */
  readonly namespace: string;
  readonly name: string;
  /** UID of the analysed object; any object of the name when absent. */
  readonly uid?: string;
  /** The WorkflowExecution that this run belongs to; absent when a person runs it by hand. */
  readonly execution?: string;
}

const IN_NO_NAMESPACE: readonly string[] = ['Node'];

/** The target from the environment, which must be of one of the kinds. */
export function targetOf(env: Environment, kinds: readonly string[]): Target {
  const kind = required(env, 'TARGET_RESOURCE_KIND', kinds);
  const [uid, execution] = [given(env, 'TARGET_UID'), given(env, 'WORKFLOW_EXECUTION')];
  return {
    kind,
    namespace: IN_NO_NAMESPACE.includes(kind) ? '' : required(env, 'TARGET_RESOURCE_NAMESPACE'),
    name: required(env, 'TARGET_RESOURCE_NAME'),
    ...(uid === undefined ? {} : { uid }),
    ...(execution === undefined ? {} : { execution }),
  };
}

/** The target in words: `Deployment shop/web`. */
export const nameOf = ({ kind, namespace, name }: Target): string => `${kind} ${namespace === '' ? '' : `${namespace}/`}${name}`;
