import type { WorkflowExecution } from '../../api/workflow-execution/workflow-execution.ts';
import { parseTarget } from '../target/index.ts';

type Spec = WorkflowExecution['spec'];

/** Variables that every run gets; a parameter may not stand in for one. */
export const SYSTEM_VARIABLES = ['TARGET_RESOURCE', 'TARGET_UID', 'WORKFLOW_EXECUTION', 'HOME', 'TMPDIR'] as const;

/** Where programs in a pod look for the API server: a parameter of such a name could send the run's token elsewhere. */
const CLUSTER_VARIABLE = /^KUBERNETES_/;
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Each finds what is wrong with the spec, in words for people. The first that objects gives the reason. */
const checks: readonly ((spec: Spec) => string | undefined)[] = [bundle, target, engine, undeclared, names, otherTarget];

/** What is wrong with the spec, if anything: no run is ever created for it. */
export function firstFault(spec: Spec): string | undefined {
  for (const check of checks) {
    const fault = check(spec);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function bundle({ workflowRef }: Spec): string | undefined {
  return workflowRef.executionBundle.trim() === '' ? 'the workflow names no executionBundle, so there is nothing to run' : undefined;
}

function target({ targetResource }: Spec): string | undefined {
  return parseTarget(targetResource)
    ? undefined
    : `targetResource ${JSON.stringify(targetResource)} is neither namespace/Kind/name nor Kind/name`;
}

function engine({ workflowRef }: Spec): string | undefined {
  const { executionEngine } = workflowRef;
  if (executionEngine === 'job') return undefined;
  return executionEngine ? `engine ${executionEngine} is not supported yet; only job is` : 'the workflow names no engine';
}

function undeclared({ parameters = {}, workflowRef }: Spec): string | undefined {
  const declared = workflowRef.declaredParameterNames;
  if (!declared) return undefined;
  const others = Object.keys(parameters).filter((name) => !Object.hasOwn(declared, name));
  return others.length === 0 ? undefined : `the workflow does not declare ${others.toSorted().join(', ')}`;
}

function names({ parameters = {} }: Spec): string | undefined {
  const isTaken = (name: string): boolean => SYSTEM_VARIABLES.some((taken) => taken === name) || CLUSTER_VARIABLE.test(name);
  const bad = Object.keys(parameters).find((name) => isTaken(name) || !VARIABLE.test(name));
  if (bad === undefined) return undefined;
  return isTaken(bad)
    ? `parameter ${bad} has the name of a variable that the system sets`
    : `${JSON.stringify(bad)} is no name for a variable`;
}

/** The lock is on targetResource: a run that is told of another target would change something that is not locked. */
function otherTarget({ parameters = {}, targetResource }: Spec): string | undefined {
  const { kind = '', name = '', namespace = '' } = parseTarget(targetResource) ?? {};
  const known = { TARGET_RESOURCE_KIND: kind, TARGET_RESOURCE_NAME: name, TARGET_RESOURCE_NAMESPACE: namespace };
  const wrong = Object.entries(known).find(([variable, value]) => (parameters[variable] ?? value) !== value);
  return wrong && `parameter ${wrong[0]} is ${JSON.stringify(parameters[wrong[0]])}, but the target is ${targetResource}`;
}
