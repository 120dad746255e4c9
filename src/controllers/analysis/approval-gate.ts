/** Whether a plan needs approval, and why. */
export interface Approval {
  readonly required: boolean;
  readonly reason: string;
}

/** The parts of a plan that the policy evaluates. */
export interface Proposal {
  readonly environment: string;
  /** What is to be changed; undefined where the plan does not say. */
  readonly target: { readonly kind: string; readonly namespace?: string } | undefined;
  readonly confidence: number;
}

/** Environments that need no approval. Any other environment is treated like production. */
const UNATTENDED: ReadonlySet<string> = new Set(['staging', 'development', 'test']);

/** Kinds that other workloads depend on, or that keep data: the next rollout does not undo a mistake there. */
const SENSITIVE: ReadonlySet<string> = new Set(['Node', 'StatefulSet']);

/** Below this confidence a plan goes to manual review. */
const LEAST_CONFIDENCE = 0.7;

/** Below this confidence a plan needs approval. */
const CONFIDENT = 0.8;

/** The built-in policy: a plan runs without approval only where that is known to be safe. Lists every reason that applies. */
export function approvalGate(proposal: Proposal): Approval {
  const reasons = [environmentReason(proposal), kindReason(proposal), confidenceReason(proposal)].filter((reason) => reason !== undefined);
  return reasons.length === 0
    ? { required: false, reason: `${proposal.environment} runs without approval` }
    : { required: true, reason: reasons.join('; ') };
}

function environmentReason({ environment, target }: Proposal): string | undefined {
  if (UNATTENDED.has(environment.toLowerCase())) return undefined;
  return environment === 'Unknown' ? unknownEnvironment(target?.kind) : `every change in ${environment} needs approval`;
}

/** A Node needs approval in any environment, so that its label only says how urgent it is. */
const unknownEnvironment = (kind: string | undefined): string =>
  kind === 'Node'
    ? 'the environment is unknown: label the Node, or the namespaces of the pods on it, with kubernaut.ai/environment'
    : 'the environment is unknown: label the namespace kubernaut.ai/environment=staging, development or test to run without approval';

function kindReason({ target }: Proposal): string | undefined {
  if (!target) return 'the plan does not say what it changes';
  if (SENSITIVE.has(target.kind)) return `every change of a ${target.kind} needs approval`;
  return target.namespace ? undefined : `a ${target.kind} is cluster-scoped, and every change of it needs approval`;
}

const confidenceReason = ({ confidence }: Proposal): string | undefined =>
  confidence < CONFIDENT ? `a confidence of ${confidence} is below the ${CONFIDENT} required to run without approval` : undefined;

/** Whether the confidence is too low to run a plan, or to request approval for it. */
export const isGuess = (confidence: number): boolean => confidence < LEAST_CONFIDENCE;
