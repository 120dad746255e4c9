/** Why a plan is not run, and what would help. */
export interface PlanFault {
  readonly message: string;
  readonly advice: string;
  /** The workflow was withdrawn: that is no trouble of the target, so it leads to no back-off. */
  readonly isUncounted?: true;
}
