import type { AIAnalysis } from '../../../api/ai-analysis/ai-analysis.ts';
import type { EffectivenessAssessment } from '../../../api/effectiveness-assessment/effectiveness-assessment.ts';
import type { RemediationApprovalRequest } from '../../../api/remediation-approval-request/remediation-approval-request.ts';
import type { RemediationPhase } from '../../../api/remediation-request/phases.ts';
import type { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import type { BlockReason, Outcome } from '../../../api/remediation-request/status.ts';
import type { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import type { Instant } from '../../../base/index.ts';
import type { ApprovalVerdict } from '../../approval/index.ts';
import type { Freshness } from '../../target/index.ts';
import type { ResolvedGrace } from '../end/alerts-resolved.ts';
import type { TargetHealth } from '../end/target-health.ts';
import type { DryRun } from '../plan/dry-run.ts';
import type { TargetBlockRead } from '../suppression/read-target-block.ts';
import type { Reevaluation, CheckVerdict } from '../routing/index.ts';

/** What an explanation rests on. An absent field was not read, or its object does not exist. */
export interface ExplainSeen {
  readonly request: RemediationRequest;
  /** Set where no alert fires any more: since when, and the health of its target once that matters. */
  readonly resolved?: { readonly grace: ResolvedGrace; readonly health?: TargetHealth };
  /** The verdicts of the checks now: `judgeAll` at the next check point. */
  readonly verdicts?: readonly CheckVerdict[];
  /** What becomes of its block: `reevaluateBlock`, for a Blocked request. */
  readonly reevaluation?: Reevaluation;
  readonly approval?: RemediationApprovalRequest;
  /** Whether the approval counts: `judgeApproval`, while the decision is not carried out yet. */
  readonly answer?: ApprovalVerdict;
  readonly execution?: WorkflowExecution;
  readonly analysis?: AIAnalysis;
  readonly assessment?: EffectivenessAssessment;
  /** Whether it is a dry run: `dryRunOf`, where there is a plan. */
  readonly dryRun?: DryRun;
  /** Whether the target is still as it was analysed. */
  readonly freshness?: Freshness;
  /** The block on its target, where that matters: before its run, and while it suppresses its signal. */
  readonly block?: TargetBlockRead;
  /** When the time limit of its phase passes. */
  readonly deadline?: Instant;
  /** Change windows are in a config file that was not given. */
  readonly windowsAreUnknown?: boolean;
  /** Gates that cannot be judged because something could not be read, and why. */
  readonly unreadable?: Partial<Readonly<Record<GateName, string>>>;
}

/** Why a request is in its state, and what comes next. */
export interface Explanation {
  readonly name: string;
  readonly namespace: string;
  readonly phase: RemediationPhase;
  readonly outcome?: Outcome;
  readonly message?: string;
  /** What the analysis found, and what the assessment came to, where they have ended. */
  readonly analysis?: string;
  readonly assessment?: string;
  readonly gates: readonly ExplainedGate[];
  /** What blocks the request now, or its signal where the request has ended; absent where nothing does. */
  readonly blocker?: Blocker;
  readonly next: Next;
}

export type GateName = BlockReason | 'Healed' | 'DryRun' | 'Approval' | 'Staleness' | 'TargetBlock' | 'Budget';

/**
 * One condition that a request must pass: `open` lets it pass, `closed` does not, `unknown` could not be read, `ahead` is not checked
 * (yet).
 */
export interface ExplainedGate {
  readonly name: GateName;
  readonly state: 'open' | 'closed' | 'unknown' | 'ahead';
  readonly inputs: Readonly<Record<string, string | number | boolean>>;
  /** For people, where there is more to say than the state. */
  readonly message?: string;
  readonly until?: Instant;
}

export interface Blocker {
  /** The gate that blocks the request; `Execution` where its WorkflowExecution cannot start for another reason. */
  readonly gate: GateName | 'Execution';
  /** `closed`: the gate blocks the request. `unknown`: whether it does could not be read. */
  readonly state: 'closed' | 'unknown';
  readonly message: string;
  readonly object?: { readonly kind: string; readonly name: string };
}

/** What moves the request on, and when that happens or is checked. */
export interface Next {
  readonly what: string;
  /** It happens then, or is decided then at the latest. */
  readonly at?: Instant;
  /** When the controller checks again if no event comes before. */
  readonly lookAgainAt?: Instant;
  /** Commands with which a person can move it on. */
  readonly commands?: readonly string[];
}
