import type { RemediationRequest } from '../../api/remediation-request/remediation-request.ts';
import type { WorkflowExecution } from '../../api/workflow-execution/workflow-execution.ts';
import { sameJson, type Instant } from '../../base/index.ts';

/** What an analysis allows: to act, to act once a person has said yes, or nothing. */
export type Leave = 'freely' | 'approved' | 'never';

/** A yes of a person, and to what. */
export interface Yes {
  readonly requestUid: string;
  /** Digest of the plan that was shown. */
  readonly planDigest: string;
  /** What is to be used instead of the plan's own. */
  readonly parameters?: Readonly<Record<string, string>>;
  readonly isInTime: boolean;
}

/** Something was really done to a target. */
export interface Act {
  readonly requestUid: string;
  readonly request: string;
  readonly executionUid: string;
  readonly target: string;
  readonly startedAt: Instant;
}

/** What really happened: the world's own record, which no controller can write. */
export class Ledger {
  readonly acts: Act[] = [];
  /** Execution UID → target, while it is at work. */
  readonly running = new Map<string, string>();
  /** Executions that found their target busy, although they had been released. */
  readonly busy: string[] = [];
  readonly #leaves = new Map<string, Leave>();
  readonly #yeses: Yes[] = [];
  readonly #wrong: string[] = [];

  /** An analysis came to its end. */
  noteAnalysis(analysisUid: string, leave: Leave): void {
    this.#leaves.set(analysisUid, leave);
  }

  /** A person said yes. */
  noteYes(yes: Yes): void {
    this.#yeses.push(yes);
  }

  /** From this moment the target is worked on. */
  start(execution: WorkflowExecution, request: RemediationRequest, startedAt: Instant): void {
    const { targetResource: target } = execution.spec;
    const { uid: requestUid, name } = request.metadata;
    const wrong = this.#objection(execution, request);
    if (wrong !== undefined) this.#wrong.push(`${execution.metadata.name}: ${wrong}`);
    if ([...this.running.values()].includes(target)) this.#wrong.push(`${execution.metadata.name}: ${target} is being worked on`);
    this.running.set(execution.metadata.uid, target);
    this.acts.push({ requestUid, request: name, executionUid: execution.metadata.uid, target, startedAt });
  }

  end(executionUid: string): void {
    this.running.delete(executionUid);
  }

  isBusy(target: string): boolean {
    return [...this.running.values()].includes(target);
  }

  /** The first thing that was done and should not have been. */
  wrong(): string | undefined {
    return this.#wrong.shift();
  }

  #objection(execution: WorkflowExecution, request: RemediationRequest): string | undefined {
    if (this.acts.some(({ requestUid }) => requestUid === request.metadata.uid)) return 'the request has been acted on before';
    if (request.spec.dryRun === true) return 'its request is a dry run';
    const leave = this.#leaves.get(request.status?.aiAnalysisRef?.uid ?? '');
    if (leave === undefined) return 'nobody made the analysis that it rests on';
    if (leave === 'never') return 'its analysis asked for a person, or for nothing at all';
    return leave === 'approved' && !this.#isApproved(execution, request) ? 'nobody approved this plan' : undefined;
  }

  #isApproved({ spec }: WorkflowExecution, { metadata }: RemediationRequest): boolean {
    return this.#yeses.some(
      ({ requestUid, planDigest, parameters, isInTime }) =>
        isInTime && requestUid === metadata.uid && (parameters ? sameJson(parameters, spec.parameters) : planDigest === spec.planDigest),
    );
  }
}
