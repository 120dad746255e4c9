/** Why a plan is not run, and what would help. */
export interface PlanFault {
  readonly message: string;
  readonly advice: string;
  /** Somebody took the workflow back: no trouble of the target, so it leads to no back-off. */
  readonly isUncounted?: true;
}
