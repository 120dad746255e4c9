import { isParameterName } from '../../../api/parts/parameter-name.ts';
import { parseTarget, type Plan, targetParameters } from '../../target/index.ts';
import { engineNamed, RUN_ENGINES } from '../engines/index.ts';

type Spec = Plan;

/** Variables that a run gets from us; a parameter may not stand in for one. */
const SYSTEM_VARIABLES: readonly string[] = [
  'TARGET_RESOURCE',
  'TARGET_UID',
  'WORKFLOW_EXECUTION',
  'HOME',
  'TMPDIR',
  'WFE_NAME',
  'WFE_NAMESPACE',
  'RR_NAME',
  'RR_NAMESPACE',
];

/** Variables that make another program of the one that runs, or send what it says elsewhere: of loaders, interpreters, shells and proxies. */
const LOADER_VARIABLES: ReadonlySet<string> = new Set(
  (
    'PATH SHELL IFS ENV BASH_ENV KUBECONFIG CLASSPATH JAVA_TOOL_OPTIONS JDK_JAVA_OPTIONS ' +
    'NODE_OPTIONS NODE_PATH NODE_EXTRA_CA_CERTS NODE_TLS_REJECT_UNAUTHORIZED PYTHONPATH PYTHONHOME PYTHONSTARTUP PERL5LIB PERL5OPT RUBYLIB RUBYOPT ' +
    'HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY SSL_CERT_FILE SSL_CERT_DIR'
  ).split(' '),
);

/** Where programs look for the API server, and what dependencies are told as: a parameter of such a name could send a token elsewhere. */
const SYSTEM_PREFIX = /^(LD|DYLD|KUBERNETES|K8S_AUTH|KUBERNAUT_CONFIGMAP|KUBERNAUT_SECRET)_/;
const DIGEST = /^sha256:[a-f0-9]{64}$/;
const ACCOUNT = /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/;

/** Finds what is wrong with the spec, in words for people. The first of a list that objects gives the reason. */
type Check = (spec: Spec) => string | undefined;

const OF_THE_SPEC: readonly Check[] = [bundle, target, account, undeclared, names, otherTarget];
const OF_THE_ENGINE: readonly Check[] = [engine, pin, settings, template, pipeline, references];

const first = (checks: readonly Check[], spec: Spec): string | undefined =>
  checks.map((check) => check(spec)).find((fault) => fault !== undefined);

/** What is wrong with the spec, whatever it leaves to the catalogue: no run is ever created for it. */
export const specFault = (spec: Spec): string | undefined => first(OF_THE_SPEC, spec);

/** What is wrong with the engine of a plan that leaves nothing open. */
export const engineFault = (spec: Spec): string | undefined => first(OF_THE_ENGINE, spec);

/** What is wrong with a plan that leaves nothing open. */
export const firstFault = (spec: Spec): string | undefined => specFault(spec) ?? engineFault(spec);

function bundle({ workflowRef }: Spec): string | undefined {
  return workflowRef.executionBundle.trim() === '' ? 'the workflow names no executionBundle, so there is nothing to run' : undefined;
}

/** A digest that cannot be kept to would leave open what runs. What pins a playbook is a commit, which is none. */
function pin({ workflowRef: { executionBundle, executionBundleDigest, executionEngine } }: Spec): string | undefined {
  if (executionBundleDigest === undefined || executionEngine === 'ansible') return undefined;
  if (!DIGEST.test(executionBundleDigest)) return `executionBundleDigest ${JSON.stringify(executionBundleDigest)} is not a sha256 digest`;
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
  if (engineNamed(executionEngine) || executionEngine === 'ansible') return undefined;
  const known = [...RUN_ENGINES.map(({ name }) => name), 'ansible'].join(', ');
  return executionEngine ? `engine ${executionEngine} is not supported yet; ${known} can be used` : 'the workflow names no engine';
}

/** Settings that cannot be followed are not left out: the run would do something else than was written. */
function settings({ workflowRef: { engineConfig = {} } }: Spec): string | undefined {
  const wrong = (['command', 'args'] as const).find((member) => !isWords(engineConfig[member]));
  if (wrong !== undefined) return `engineConfig.${wrong} must be a list of words`;
  const { runAsUser = 1 } = engineConfig;
  return Number.isInteger(runAsUser) && Number(runAsUser) > 0 ? undefined : 'engineConfig.runAsUser must be a whole number above 0';
}

/** A playbook is found by its template. */
function template({ workflowRef: { executionEngine, engineConfig = {} } }: Spec): string | undefined {
  const { jobTemplateName } = engineConfig;
  if (executionEngine !== 'ansible' || (typeof jobTemplateName === 'string' && jobTemplateName.trim() !== '')) return undefined;
  return 'engineConfig.jobTemplateName must name the job template that is launched';
}

/** A pipeline is found by its name in the bundle. */
function pipeline({ workflowRef: { executionEngine, engineConfig = {} } }: Spec): string | undefined {
  const { pipelineName = 'workflow' } = engineConfig;
  if (executionEngine !== 'tekton' || (typeof pipelineName === 'string' && pipelineName.trim() !== '')) return undefined;
  return 'engineConfig.pipelineName must name a pipeline of the bundle';
}

/** Tekton puts values in place of references wherever they stand, also inside the value of a parameter. */
function references({ parameters = {}, workflowRef: { executionEngine } }: Spec): string | undefined {
  const bad = Object.keys(parameters).find((name) => parameters[name]?.includes('$('));
  if (executionEngine !== 'tekton' || bad === undefined) return undefined;
  return `the value of parameter ${bad} contains "$(", which Tekton would replace as a reference of its own`;
}

const isWords = (value: unknown): boolean =>
  value === undefined || (Array.isArray(value) && value.every((word) => ['string', 'number', 'boolean'].includes(typeof word)));

function account({ workflowRef: { serviceAccountName = 'default' } }: Spec): string | undefined {
  return ACCOUNT.test(serviceAccountName) ? undefined : `${JSON.stringify(serviceAccountName)} is not a valid name for a ServiceAccount`;
}

function undeclared({ parameters = {}, workflowRef }: Spec): string | undefined {
  const declared = workflowRef.declaredParameterNames;
  if (!declared) return undefined;
  const others = Object.keys(parameters).filter((name) => !Object.hasOwn(declared, name));
  return others.length === 0 ? undefined : `the workflow does not declare ${others.toSorted().join(', ')}`;
}

function names({ parameters = {} }: Spec): string | undefined {
  const isTaken = (name: string): boolean => SYSTEM_VARIABLES.includes(name) || LOADER_VARIABLES.has(name) || SYSTEM_PREFIX.test(name);
  const bad = Object.keys(parameters).find((name) => isTaken(name) || !isParameterName(name));
  if (bad === undefined) return undefined;
  return isTaken(bad)
    ? `parameter ${bad} has the name of a variable that the system sets; the workflow must declare it under another name`
    : `${JSON.stringify(bad)} is not a valid parameter name: names are in UPPER_SNAKE_CASE, such as DRAIN_TIMEOUT`;
}

/** The lock is on targetResource: a run that is told of another target would change something that is not locked. */
function otherTarget({ parameters = {}, targetResource }: Spec): string | undefined {
  const known = targetParameters(parseTarget(targetResource) ?? { kind: '', name: '' });
  const wrong = Object.entries(known).find(([variable, value]) => (parameters[variable] ?? value) !== value);
  return wrong && `parameter ${wrong[0]} is ${JSON.stringify(parameters[wrong[0]])}, but the target is ${targetResource}`;
}
