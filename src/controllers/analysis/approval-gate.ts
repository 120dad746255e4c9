/** Whether a person has to say yes to a plan, and why. */
export interface Approval {
  readonly required: boolean;
  readonly reason: string;
}

/** Where nobody has to be asked. Whatever is not on this list is treated like production. */
const UNATTENDED: ReadonlySet<string> = new Set(['staging', 'development', 'test']);

/** Below this a plan is a guess, which a person has to look at first. */
const LEAST_CONFIDENCE = 0.7;

/** The built-in policy: what runs without being asked runs only where it is known to be safe. */
export function approvalGate(environment: string): Approval {
  if (UNATTENDED.has(environment.toLowerCase())) return { required: false, reason: `${environment} runs without approval` };
  return environment === 'Unknown'
    ? {
        required: true,
        reason:
          'the environment is unknown: label the namespace kubernaut.ai/environment=staging, development or test to run without approval',
      }
    : { required: true, reason: `every change in ${environment} needs approval` };
}

/** Whether a plan is too unsure to be run or even to be approved. */
export const isGuess = (confidence: number): boolean => confidence < LEAST_CONFIDENCE;
