import type { Diagnosis, Target } from '../../analyst/index.ts';
import { given, MINUTE, toTime } from '../../base/index.ts';
import { SETTLING_MS } from '../../controllers/analysis/index.ts';
import type { ExplainedGate } from '../../controllers/remediation/explain/index.ts';
import { describePlan, offLimits, type RemediationPlan } from '../../controllers/plan/remediation-plan.ts';
import type { Settings } from '../../controllers/settings.ts';
import { commandByHand } from './by-hand.ts';
import type { Catalogue } from './catalogue.ts';
import type { Concluded, Rehearsed } from './rehearse.ts';

/** What Sickbay would do: `NotKnownYet` where something could not be read, or the target still settles. */
export type WouldDo = 'RunWorkflow' | 'AskForApproval' | 'HandOver' | 'Nothing' | 'NotKnownYet';

/** What an analysis comes to, as it is printed. An absent member is not known, or there is none. */
export interface ConclusionView {
  readonly would: WouldDo;
  /** What is wrong, or why nothing is, in a sentence. */
  readonly summary: string;
  readonly cause?: CauseView;
  readonly handOver?: HandOverView;
  readonly plan?: PlanView;
  /** Why there is no plan although the cause is known, or why the plan would not be executed. */
  readonly noPlan?: string;
  /** What a person would type for the same effect. */
  readonly byHand?: string;
}

/** The result of a rehearsal, as it is printed. */
export interface RehearsalView extends ConclusionView {
  /** Set where it may settle by itself: what follows if nothing changes until Sickbay stops waiting for that. */
  readonly ifNothingChanges?: ConclusionView & { readonly within: string };
  readonly classification: ClassificationView;
  readonly gates: readonly GateView[];
  readonly catalogue: { readonly source: Catalogue['source']; readonly workflows: number; readonly note?: string };
  /** What could not be read, and how to find out whether that is a missing right. */
  readonly unread: readonly string[];
}

interface CauseView {
  readonly fault: string;
  readonly text: string;
  readonly target: Target;
  readonly confidence: number;
  readonly evidence: readonly string[];
}

interface HandOverView {
  readonly advice: string;
  readonly known: readonly string[];
  readonly ruledOut: readonly string[];
  readonly likely: readonly { readonly cause: string; readonly check: string }[];
}

interface ClassificationView {
  readonly environment: string;
  readonly severity: string;
  readonly priority: string;
}

interface PlanView {
  readonly workflow: string;
  readonly version: string;
  readonly actionType?: string;
  readonly engine?: string;
  readonly text: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly confidence: number;
  readonly rationale: string;
  readonly warnings: readonly string[];
  readonly approval: { readonly required: boolean; readonly reason?: string };
}

interface GateView {
  readonly name: string;
  readonly state: ExplainedGate['state'];
  readonly message?: string;
  readonly until?: string;
}

/** Everything of a rehearsal that a person, or a program, is shown. */
export function rehearsalView(rehearsed: Rehearsed, catalogue: Catalogue, settings: Settings): RehearsalView {
  const { processing, later, diagnosis } = rehearsed;
  // The gates of the moment at which there is a plan.
  const { gates } = (later ?? rehearsed).explanation;
  return {
    ...conclusionView(rehearsed, rehearsed, settings),
    ...(later && { ifNothingChanges: { within: `${SETTLING_MS / MINUTE} minutes`, ...conclusionView(later, rehearsed, settings) } }),
    classification: classificationView(rehearsed),
    gates: gates.map(gateView),
    catalogue: { source: catalogue.source, workflows: catalogue.workflows.length, ...given({ note: catalogue.note }) },
    unread: [...unreadSurroundings(processing), ...unreadTarget(diagnosis)],
  };
}

function conclusionView(concluded: Concluded, { request, processing }: Rehearsed, settings: Settings): ConclusionView {
  const { analysis, diagnosis, result } = concluded;
  const plan = result.kind === 'Plan' ? result.plan : undefined;
  const off = plan && offLimits(plan, request, settings);
  return {
    would: wouldDo(concluded, off !== undefined),
    summary: diagnosis ? summaryOf(diagnosis) : (analysis.status?.message ?? 'nothing could be analysed'),
    ...given({
      cause: causeView(diagnosis),
      handOver: handOverView(diagnosis),
      plan: plan && planView(plan, concluded, processing.status?.error !== undefined),
      byHand: byHand(diagnosis, plan),
      noPlan: off === undefined ? withoutPlan(concluded) : `the target of the plan ${off}`,
    }),
  };
}

function wouldDo({ result, diagnosis }: Concluded, isOffLimits: boolean): WouldDo {
  if (isOffLimits) return 'HandOver';
  if (result.kind === 'Plan') return result.needsApproval ? 'AskForApproval' : 'RunWorkflow';
  if (result.kind === 'AtWork') return 'NotKnownYet';
  return diagnosis?.kind === 'NothingWrong' ? 'Nothing' : 'HandOver';
}

const summaryOf = (diagnosis: Diagnosis): string => (diagnosis.kind === 'Diagnosed' ? diagnosis.cause : diagnosis.reason);

function causeView(diagnosis: Diagnosis | undefined): CauseView | undefined {
  if (diagnosis?.kind !== 'Diagnosed') return undefined;
  const { fault, cause, target, confidence, evidence } = diagnosis;
  return { fault, text: cause, target, confidence, evidence };
}

function handOverView(diagnosis: Diagnosis | undefined): HandOverView | undefined {
  if (diagnosis?.kind !== 'Unclear' && diagnosis?.kind !== 'NotYet') return undefined;
  if (diagnosis.advice === undefined) return undefined;
  const { advice, facts = [], ruledOut = [], likely = [] } = diagnosis;
  return { advice, known: facts, ruledOut, likely };
}

/** The policy sees an unknown environment, and would advise to label a namespace that may have the label. */
const UNCLASSIFIED = 'you may not read what tells the environment, and without that every change needs approval';

function planView(plan: RemediationPlan, { analysis, result }: Concluded, isUnclassified: boolean): PlanView {
  const { workflow } = plan;
  const { approvalReason, warnings = [] } = analysis.status ?? {};
  return {
    workflow: workflow.workflowName ?? workflow.workflowId,
    version: workflow.version,
    ...given({ actionType: workflow.actionType, engine: workflow.executionEngine }),
    text: describePlan(plan),
    parameters: workflow.parameters ?? {},
    confidence: workflow.confidence,
    rationale: workflow.rationale,
    warnings,
    approval: {
      required: result.kind === 'Plan' && result.needsApproval,
      ...given({ reason: isUnclassified ? UNCLASSIFIED : approvalReason }),
    },
  };
}

const byHand = (diagnosis: Diagnosis | undefined, plan: RemediationPlan | undefined): string | undefined =>
  diagnosis?.kind === 'Diagnosed'
    ? commandByHand({ ...diagnosis, parameters: plan?.workflow.parameters ?? diagnosis.parameters })
    : undefined;

/** The analysis says why: no workflow fits, the workflow is only proposed, the confidence is too low. */
const withoutPlan = ({ diagnosis, result, analysis }: Concluded): string | undefined =>
  diagnosis?.kind === 'Diagnosed' && result.kind !== 'Plan' ? analysis.status?.message : undefined;

function classificationView({ analysis }: Concluded): ClassificationView {
  const { environment, severity, businessPriority } = analysis.spec.analysisRequest.signalContext;
  return { environment, severity, priority: businessPriority };
}

const gateView = ({ name, state, message, until }: ExplainedGate): GateView => ({
  name,
  state,
  ...given({ message, until: until === undefined ? undefined : toTime(until) }),
});

/** Without its surroundings a target counts as one of an unknown environment. */
const unreadSurroundings = ({ status }: Rehearsed['processing']): readonly string[] =>
  status?.error === undefined ? [] : [`${status.error}; so the environment counts as unknown`];

const unreadTarget = (diagnosis: Diagnosis | undefined): readonly string[] =>
  diagnosis?.kind === 'NotYet' && diagnosis.advice === undefined ? [diagnosis.reason] : [];
