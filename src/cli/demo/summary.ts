import type { AIAnalysis, EffectivenessAssessment, NotificationRequest, RemediationRequest, WorkflowExecution } from '../../api/index.ts';
import { scoreText } from '../../api/effectiveness-assessment/overall-score.ts';
import type { PhaseTime } from './phase-log.ts';

/** The result of a remediation: the request and its existing children. */
export interface Ending {
  readonly request: RemediationRequest;
  readonly analysis?: AIAnalysis;
  readonly execution?: WorkflowExecution;
  readonly assessment?: EffectivenessAssessment;
  readonly notification?: NotificationRequest;
  readonly phases: readonly PhaseTime[];
}

/** The summary of a remediation: outcome, cause, what was done, verification, notification. */
export function summary(ending: Ending): readonly string[] {
  const { status } = ending.request;
  const rows: readonly (readonly [string, string | undefined])[] = [
    ['cause', ending.analysis?.status?.rootCause],
    ['done', doneText(ending)],
    ['verified', verifiedText(ending)],
    ['notified', notificationText(ending)],
    ['reason', reasonText(ending)],
    ['time', timeText(ending)],
  ];
  const end = [status?.overallPhase, status?.outcome].filter(Boolean).join(' / ');
  return [end, ...rows.flatMap(([name, text]) => (text === undefined ? [] : [`  ${name.padEnd(10)} ${text}`]))];
}

function doneText({ execution }: Ending): string | undefined {
  if (!execution) return undefined;
  const { workflowRef, targetResource, parameters = {} } = execution.spec;
  const given = Object.entries(parameters)
    .filter(([name]) => !name.startsWith('TARGET_RESOURCE'))
    .map(([name, value]) => `${name}=${value}`);
  const what = [workflowRef.workflowName ?? workflowRef.workflowId, workflowRef.version, 'on', targetResource, ...given].join(' ');
  return `${what}: ${execution.status?.executionStatus?.message ?? execution.status?.phase ?? 'not started'}`;
}

function verifiedText({ assessment }: Ending): string | undefined {
  if (!assessment?.status) return undefined;
  const { components = {}, assessmentReason, message } = assessment.status;
  return [`score ${scoreText(components, assessmentReason) ?? 'unknown'}`, message].filter(Boolean).join(': ');
}

const notificationText = ({ notification }: Ending): string | undefined =>
  notification && `${notification.spec.subject} (${notification.spec.type}, ${notification.status?.phase ?? 'Pending'})`;

const reasonText = ({ request: { status } }: Ending): string | undefined =>
  status?.outcome === 'Remediated' ? undefined : (status?.failureReason ?? status?.message);

const timeText = ({ phases }: Ending): string | undefined =>
  phases.map(({ phase, seconds }) => `${phase} ${seconds.toFixed(1)} s`).join(' · ') || undefined;
