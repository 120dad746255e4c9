import type { SignalProcessing } from '../../api/signal-processing/signal-processing.ts';
import { LABELS } from '../../api/well-known.ts';
import type { Environment } from '../priority.ts';

type Context = NonNullable<NonNullable<SignalProcessing['status']>['kubernetesContext']>;

/** Strictest first. */
const ENVIRONMENTS = ['Production', 'Staging', 'Development', 'Test'] as const satisfies readonly Environment[];

/** An environment, what told us, and for people what to label where it is unknown. */
export interface ClassifiedEnvironment {
  readonly environment: Environment;
  readonly source: string;
  readonly hint?: string;
}

/**
 * The environment, by labels alone: a guess could let a workflow run without the approval it needs. A namespaced target has that of its
 * namespace; a Node has its own label, else the strictest of the namespaces whose pods run there (ruling 130).
 */
export function environmentOf(context: Context = {}): ClassifiedEnvironment {
  const { workload, degradedMode, podNamespaces = [], namespace } = context;
  if (workload?.kind === 'Node' && degradedMode !== true) return nodeEnvironment(workload, podNamespaces);
  const environment = environmentNamed(namespace?.labels?.[LABELS.environment]);
  return environment ? { environment, source: 'namespace-labels' } : { environment: 'Unknown', source: 'default' };
}

/** A namespace without a valid label may be of any environment: it counts as less strict than Production only. */
function nodeEnvironment(
  { name, labels }: NonNullable<Context['workload']>,
  namespaces: NonNullable<Context['podNamespaces']>,
): ClassifiedEnvironment {
  const own = environmentNamed(labels?.[LABELS.environment]);
  if (own) return { environment: own, source: 'node-labels' };
  const known = namespaces.map(({ environment }) => environmentNamed(environment));
  const strictest = ENVIRONMENTS.find((environment) => known.includes(environment));
  if (strictest === 'Production' || (strictest && !known.includes(undefined))) return { environment: strictest, source: 'pod-namespaces' };
  const unlabelled = namespaces.filter((_, i) => known[i] === undefined).map((namespace) => namespace.name);
  const others = unlabelled.length > 0 ? `, or the namespaces with pods there: ${unlabelled.join(', ')}` : '';
  return { environment: 'Unknown', source: 'default', hint: `label Node ${name} with ${LABELS.environment}${others}` };
}

const environmentNamed = (label: string | undefined): (typeof ENVIRONMENTS)[number] | undefined =>
  ENVIRONMENTS.find((known) => known.toLowerCase() === label?.trim().toLowerCase());
