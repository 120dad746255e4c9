import type { RemediationApprovalRequest } from '../../../api/remediation-approval-request/remediation-approval-request.ts';
import type { RemediationPhase } from '../../../api/remediation-request/phases.ts';
import type { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import type { BlockReason, Outcome } from '../../../api/remediation-request/status.ts';
import type { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import type { Instant } from '../../../base/index.ts';
import type { ApprovalVerdict } from '../../approval/index.ts';
import type { Freshness } from '../../target/index.ts';
import type { DryRun } from '../plan/dry-run.ts';
import type { BlockRead } from '../suppression/read-target-block.ts';
import type { Reevaluation, Verdict } from '../routing/index.ts';

/** What an explanation rests on. What is absent was not looked at, or does not exist. */
export interface ExplainSeen {
  readonly request: RemediationRequest;
  /** What the checks say now: `judgeAll` at the point that is ahead. */
  readonly verdicts?: readonly Verdict[];
  /** What becomes of its block: `reevaluate`, for one that is Blocked. */
  readonly reevaluation?: Reevaluation;
  readonly approval?: RemediationApprovalRequest;
  /** What the answer to it is worth: `judgeApproval`, where the answer is still to be followed. */
  readonly answer?: ApprovalVerdict;
  readonly execution?: WorkflowExecution;
  /** Whether nothing is to be run: `dryRunOf`, where there is a plan. */
  readonly dryRun?: DryRun;
  /** Whether the target is still as it was analysed. */
  readonly freshness?: Freshness;
  /** What keeps workflows off its target, where that matters: before its run, and while its signal waits for a person. */
  readonly block?: BlockRead;
  /** When the time for its phase runs out. */
  readonly deadline?: Instant;
  /** Gates that cannot be judged because something could not be read, and why. */
  readonly unreadable?: Partial<Readonly<Record<GateName, string>>>;
}

/** Why a request is where it is, and what comes next. */
export interface Explanation {
  readonly name: string;
  readonly namespace: string;
  readonly phase: RemediationPhase;
  readonly outcome?: Outcome;
  readonly message?: string;
  readonly gates: readonly Gate[];
  /** What holds it up now, or its signal where it is over itself; absent where nothing does. */
  readonly blocker?: Blocker;
  readonly next: Next;
}

export type GateName = BlockReason | 'Healed' | 'DryRun' | 'Approval' | 'Staleness' | 'TargetBlock' | 'Budget';

/** One thing that must let a request through: `open` does, `closed` does not, `unknown` cannot be told, `ahead` is not asked (yet). */
export interface Gate {
  readonly name: GateName;
  readonly state: 'open' | 'closed' | 'unknown' | 'ahead';
  readonly inputs: Readonly<Record<string, string | number | boolean>>;
  /** For people, where there is more to say than the state. */
  readonly message?: string;
  readonly until?: Instant;
}

export interface Blocker {
  /** The gate that holds it up, or what it waits for where no gate does. */
  readonly gate: GateName;
  /** Whether it is known to hold it up, or only not known to let it through. */
  readonly state: 'closed' | 'unknown';
  readonly message: string;
  readonly object?: { readonly kind: string; readonly name: string };
}

/** What will take it on, and when that is known or looked at. */
export interface Next {
  readonly what: string;
  /** It happens then, or is decided then at the latest. */
  readonly at?: Instant;
  /** Somebody looks at it then, should nothing happen before. */
  readonly lookAgainAt?: Instant;
  /** What a person can do about it. */
  readonly commands?: readonly string[];
}
