import type { AIAnalysis } from '../../api/ai-analysis/ai-analysis.ts';
import { compareSeverity, highestSeverity, severityOf } from '../../api/parts/severity.ts';
import type { Severity } from '../../api/parts/signal.ts';
import { isTerminal } from '../../api/phases.ts';
import { remediationPhases } from '../../api/remediation-request/phases.ts';
import type { RemediationRequest } from '../../api/remediation-request/remediation-request.ts';
import type { ArrivingSignal } from '../../api/remediation-request/suppression.ts';
import type { Decision } from '../../runtime/reconcile/controller.ts';
import { priorityOf, type Environment, type Priority } from '../priority.ts';
import type { RemediationSeen } from './observe.ts';
import type { RemediationStatus } from './status.ts';

/** All alerts that a request stands for, each once, with its highest severity. */
export function signalsOf({ spec, status }: RemediationRequest): readonly ArrivingSignal[] {
  const alerts = status?.deduplication?.alerts ?? [];
  const opener: ArrivingSignal = { name: spec.signalName, severity: spec.severity };
  const all = [opener, ...alerts.map(({ name, severity = spec.severity }) => ({ name, severity }))];
  return [...Map.groupBy(all, ({ name }) => name).values()].map((same) => same.reduce(moreSevere));
}

const moreSevere = (one: ArrivingSignal, other: ArrivingSignal): ArrivingSignal =>
  compareSeverity(severityOf(other.severity), severityOf(one.severity)) > 0 ? other : one;

/** The severity of a request: the highest of all signals that joined it (ruling 128). */
export const severityOfRequest = (request: RemediationRequest): Severity =>
  highestSeverity(signalsOf(request).map(({ severity }) => severity));

/** Whether a signal that joined is more severe than the one that opened the request. */
const isRaised = (request: RemediationRequest): boolean =>
  compareSeverity(severityOfRequest(request), severityOf(request.spec.severity)) > 0;

/** The severity in the words of the source; as Sickbay names it where a joined signal raised it. */
export const severityText = (request: RemediationRequest): string =>
  isRaised(request) ? severityOfRequest(request) : request.spec.severity;

/** The classification of a signal, as an analysis is given it. */
interface Classified {
  readonly environment?: string | undefined;
  readonly severity?: Severity | undefined;
  readonly priority?: string | undefined;
}

/** Severity and priority of a request: as its signal was classified, unless a signal that joined since makes it more urgent. */
export function urgencyOf(
  request: RemediationRequest,
  { environment, severity, priority }: Classified,
): Pick<Classified, 'severity' | 'priority'> {
  if (!isRaised(request)) return { severity, priority };
  const raised = severityOfRequest(request);
  const now = isEnvironment(environment) ? priorityOf(environment, raised).priority : 'P3';
  return { severity: raised, priority: [now, asPriority(priority)].toSorted()[0] };
}

/** The priority of a request whose signal was analysed. */
export function priorityOfRequest(request: RemediationRequest, analysis: AIAnalysis | undefined): Priority {
  const { environment, businessPriority: priority } = analysis?.spec.analysisRequest.signalContext ?? {};
  return asPriority(urgencyOf(request, { environment, priority }).priority);
}

const PRIORITIES: readonly Priority[] = ['P0', 'P1', 'P2', 'P3'];

const asPriority = (text: string | undefined): Priority => PRIORITIES.find((priority) => priority === text) ?? 'P3';

const ENVIRONMENTS: readonly Environment[] = ['Production', 'Staging', 'Development', 'Test', 'Unknown'];

const isEnvironment = (text: string | undefined): text is Environment => ENVIRONMENTS.some((environment) => environment === text);

/** Records a severity and priority that joined signals raised. The end of a request changes neither. */
export function recordUrgency({ object, analysis }: RemediationSeen, decision: Decision): Decision {
  if (decision.status === undefined || isTerminal(remediationPhases, object.status?.overallPhase) || !isRaised(object)) return decision;
  const raised: Partial<RemediationStatus> = {
    severity: severityOfRequest(object),
    ...(analysis.kind === 'value' && { priority: priorityOfRequest(object, analysis.value) }),
  };
  return { ...decision, status: { ...decision.status, ...raised } };
}
