/** Whether a person has to say yes to a plan, and why. */
export interface Approval {
  readonly required: boolean;
  readonly reason: string;
}

/** What the policy judges of a plan. */
export interface Proposal {
  readonly environment: string;
  /** What is to be changed; undefined where the plan does not say. */
  readonly target: { readonly kind: string; readonly namespace?: string } | undefined;
  readonly confidence: number;
}

/** Where nobody has to be asked. Whatever is not on this list is treated like production. */
const UNATTENDED: ReadonlySet<string> = new Set(['staging', 'development', 'test']);

/** What others rest on, or what keeps data: a mistake there is not taken back by the next rollout. */
const SENSITIVE: ReadonlySet<string> = new Set(['Node', 'StatefulSet']);

/** Below this a plan is a guess, which a person has to look at first. */
const LEAST_CONFIDENCE = 0.7;

/** Below this a person has to agree. */
const SURE = 0.8;

/** The built-in policy: what runs without being asked runs only where it is known to be safe. Every reason that holds is given. */
export function approvalGate(proposal: Proposal): Approval {
  const reasons = [environmentReason(proposal), kindReason(proposal), confidenceReason(proposal)].filter((reason) => reason !== undefined);
  return reasons.length === 0
    ? { required: false, reason: `${proposal.environment} runs without approval` }
    : { required: true, reason: reasons.join('; ') };
}

function environmentReason({ environment }: Proposal): string | undefined {
  if (UNATTENDED.has(environment.toLowerCase())) return undefined;
  return environment === 'Unknown'
    ? 'the environment is unknown: label the namespace kubernaut.ai/environment=staging, development or test to run without approval'
    : `every change in ${environment} needs approval`;
}

function kindReason({ target }: Proposal): string | undefined {
  if (!target) return 'the plan does not say what it changes';
  if (SENSITIVE.has(target.kind)) return `every change of a ${target.kind} needs approval`;
  return target.namespace ? undefined : `a ${target.kind} belongs to the whole cluster, so that changing it needs approval`;
}

const confidenceReason = ({ confidence }: Proposal): string | undefined =>
  confidence < SURE ? `a confidence of ${confidence} is less than the ${SURE} that it takes to run without approval` : undefined;

/** Whether a plan is too unsure to be run or even to be approved. */
export const isGuess = (confidence: number): boolean => confidence < LEAST_CONFIDENCE;
