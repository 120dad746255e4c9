import { parseTarget, type Plan } from '../target/index.ts';
import { engineNamed, ENGINES } from './engines/index.ts';

type Spec = Plan;

/** Variables that every run gets; a parameter may not stand in for one. */
export const SYSTEM_VARIABLES = ['TARGET_RESOURCE', 'TARGET_UID', 'WORKFLOW_EXECUTION', 'HOME', 'TMPDIR'] as const;

/** Where programs in a pod look for the API server: a parameter of such a name could send the run's token elsewhere. */
const CLUSTER_VARIABLE = /^KUBERNETES_/;
const DIGEST = /^sha256:[a-f0-9]{64}$/;
const ACCOUNT = /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/;
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Each finds what is wrong with the spec, in words for people. The first that objects gives the reason. */
const checks: readonly ((spec: Spec) => string | undefined)[] = [
  bundle,
  pin,
  target,
  engine,
  settings,
  account,
  undeclared,
  names,
  otherTarget,
];

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

/** A digest that cannot be kept to would leave open what runs. */
function pin({ workflowRef: { executionBundle, executionBundleDigest } }: Spec): string | undefined {
  if (executionBundleDigest === undefined) return undefined;
  if (!DIGEST.test(executionBundleDigest)) return `executionBundleDigest ${JSON.stringify(executionBundleDigest)} is no sha256 digest`;
  const [, own = executionBundleDigest] = executionBundle.split('@');
  return own === executionBundleDigest ? undefined : `executionBundle ${executionBundle} names another digest than executionBundleDigest`;
}

function target({ targetResource }: Spec): string | undefined {
  return parseTarget(targetResource)
    ? undefined
    : `targetResource ${JSON.stringify(targetResource)} is neither namespace/Kind/name nor Kind/name`;
}

function engine({ workflowRef }: Spec): string | undefined {
  const { executionEngine } = workflowRef;
  if (engineNamed(executionEngine)) return undefined;
  const known = ENGINES.map(({ name }) => name).join(' and ');
  return executionEngine ? `engine ${executionEngine} is not supported yet; ${known} can be used` : 'the workflow names no engine';
}

/** Settings that cannot be followed are not left out: the run would do something else than was written. */
function settings({ workflowRef: { engineConfig = {} } }: Spec): string | undefined {
  const wrong = (['command', 'args'] as const).find((member) => !isWords(engineConfig[member]));
  if (wrong !== undefined) return `engineConfig.${wrong} must be a list of words`;
  const { runAsUser = 1 } = engineConfig;
  return Number.isInteger(runAsUser) && Number(runAsUser) > 0 ? undefined : 'engineConfig.runAsUser must be a whole number above 0';
}

const isWords = (value: unknown): boolean =>
  value === undefined || (Array.isArray(value) && value.every((word) => ['string', 'number', 'boolean'].includes(typeof word)));

function account({ workflowRef: { serviceAccountName = 'default' } }: Spec): string | undefined {
  return ACCOUNT.test(serviceAccountName) ? undefined : `${JSON.stringify(serviceAccountName)} is no name for a ServiceAccount`;
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
