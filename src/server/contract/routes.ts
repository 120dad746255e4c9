import type { TObject, TSchema } from 'typebox';
import { object, text } from '../../api/schema/index.ts';
import { approvalList, approvalQuery, approvalSchema, decisionBody, recordedDecision } from './approvals.ts';
import { auditList, auditQuery } from './audit.ts';
import { auditVerificationSchema } from './audit-verification.ts';
import { changesQuery, changeSchema } from './changes.ts';
import { remediationMetrics, remediationObjects } from './evidence-of-remediation.ts';
import { machineCheckList, machineCheckQuery, machineCheckSchema, machineList, machineQuery, machineSchema } from './machines.ts';
import { healthSchema, sessionSchema, settingsSchema, summarySchema } from './overview.ts';
import { cancelBody, cancelled, clearBody, clearedBlock, logsQuery, remediationSchema, runLogs } from './remediation.ts';
import { remediationList, remediationQuery } from './remediations.ts';
import { signalList, signalQuery } from './signals.ts';
import { workflowList, workflowQuery, workflowSchema } from './workflows.ts';

/**
 * Which right a request needs: `user` any user, `remediations` reading RemediationRequests, `machines` reading Machines. Writes are made with
 * the rights of the caller, which the Kubernetes API checks; to send one, the user must be able to read remediations.
 */
export type Access = 'user' | 'remediations' | 'machines';

/** One route of the API: what it takes and what it answers. */
export interface RouteContract {
  readonly method: 'GET' | 'POST';
  /** With parameters in braces, as in OpenAPI. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly access: Access;
  readonly params?: TObject;
  readonly query?: TObject;
  readonly body?: TObject;
  readonly answer: TSchema;
  /** Of the answer; application/json when absent. */
  readonly mediaType?: 'text/event-stream';
}

const name = (what: string) => ({ name: text(`Name of the ${what}.`, { min: 1, max: 253 }) });
const place = (what: string) => ({ namespace: text(`Namespace of the ${what}.`, { min: 1, max: 63 }), ...name(what) });

const CHANGES = `Server-sent events. The first is \`hello\`, whose id is where changes begin. A \`change\` holds the last state of one object: changes that
come faster than a client reads are combined. A client that reconnects with \`Last-Event-ID\` gets what changed since; when that is no longer known it
gets a \`reset\` and has to read its lists again. A client that stops reading is disconnected.`;

/** Every route, by the name of its operation. */
export const routes = {
  listRemediations: {
    method: 'GET',
    path: '/api/v1/remediations',
    tag: 'Remediations',
    summary: 'List remediations',
    access: 'remediations',
    query: remediationQuery,
    answer: remediationList,
  },
  getRemediation: {
    method: 'GET',
    path: '/api/v1/remediations/{name}',
    tag: 'Remediations',
    summary: 'Read one remediation with its timeline, gates, plan, run and effectiveness',
    access: 'remediations',
    params: object('Which one.', name('RemediationRequest')),
    answer: remediationSchema,
  },
  getLogs: {
    method: 'GET',
    path: '/api/v1/remediations/{name}/logs',
    tag: 'Remediations',
    summary: 'Read the logs of its run',
    description:
      'Read from the cluster with the rights of the caller, who must be able to read logs of pods in the namespace of workflows.',
    access: 'remediations',
    params: object('Which one.', name('RemediationRequest')),
    query: logsQuery,
    answer: runLogs,
  },
  getMetrics: {
    method: 'GET',
    path: '/api/v1/remediations/{name}/metrics',
    tag: 'Remediations',
    summary: 'Read what Prometheus measured of its target before, during and after the fault',
    access: 'remediations',
    params: object('Which one.', name('RemediationRequest')),
    answer: remediationMetrics,
  },
  getObjects: {
    method: 'GET',
    path: '/api/v1/remediations/{name}/objects',
    tag: 'Remediations',
    summary: 'Read the objects that it consists of, in YAML',
    description: 'Read from the cluster with the rights of the caller.',
    access: 'remediations',
    params: object('Which one.', name('RemediationRequest')),
    answer: remediationObjects,
  },
  cancelRemediation: {
    method: 'POST',
    path: '/api/v1/remediations/{name}/cancel',
    tag: 'Remediations',
    summary: 'Cancel a remediation',
    access: 'remediations',
    params: object('Which one.', name('RemediationRequest')),
    body: cancelBody,
    answer: cancelled,
  },
  listApprovals: {
    method: 'GET',
    path: '/api/v1/approvals',
    tag: 'Approvals',
    summary: 'List approvals, those that expire first at the top',
    access: 'remediations',
    query: approvalQuery,
    answer: approvalList,
  },
  getApproval: {
    method: 'GET',
    path: '/api/v1/approvals/{name}',
    tag: 'Approvals',
    summary: 'Read one approval',
    access: 'remediations',
    params: object('Which one.', name('RemediationApprovalRequest')),
    answer: approvalSchema,
  },
  decideApproval: {
    method: 'POST',
    path: '/api/v1/approvals/{name}/decision',
    tag: 'Approvals',
    summary: 'Approve or reject a plan',
    access: 'remediations',
    params: object('Which one.', name('RemediationApprovalRequest')),
    body: decisionBody,
    answer: recordedDecision,
  },
  clearBlock: {
    method: 'POST',
    path: '/api/v1/blocks/clear',
    tag: 'Remediations',
    summary: 'Clear the block of a target',
    access: 'remediations',
    body: clearBody,
    answer: clearedBlock,
  },
  listMachines: {
    method: 'GET',
    path: '/api/v1/machines',
    tag: 'Machines',
    summary: 'List Machines, unhealthy ones first',
    access: 'machines',
    query: machineQuery,
    answer: machineList,
  },
  getMachine: {
    method: 'GET',
    path: '/api/v1/machines/{namespace}/{name}',
    tag: 'Machines',
    summary: 'Read one Machine',
    access: 'machines',
    params: object('Which one.', place('Machine')),
    answer: machineSchema,
  },
  listMachineChecks: {
    method: 'GET',
    path: '/api/v1/machine-checks',
    tag: 'Machines',
    summary: 'List MachineHealthChecks',
    access: 'machines',
    query: machineCheckQuery,
    answer: machineCheckList,
  },
  getMachineCheck: {
    method: 'GET',
    path: '/api/v1/machine-checks/{namespace}/{name}',
    tag: 'Machines',
    summary: 'Read one MachineHealthCheck',
    access: 'machines',
    params: object('Which one.', place('MachineHealthCheck')),
    answer: machineCheckSchema,
  },
  listWorkflows: {
    method: 'GET',
    path: '/api/v1/workflows',
    tag: 'Workflows',
    summary: 'List the workflows of the catalogue with their success rates',
    access: 'remediations',
    query: workflowQuery,
    answer: workflowList,
  },
  getWorkflow: {
    method: 'GET',
    path: '/api/v1/workflows/{name}',
    tag: 'Workflows',
    summary: 'Read one workflow',
    access: 'remediations',
    params: object('Which one.', name('RemediationWorkflow')),
    answer: workflowSchema,
  },
  listSignals: {
    method: 'GET',
    path: '/api/v1/signals',
    tag: 'Signals',
    summary: 'List the signals that this process received, the newest first, each with its verdict',
    access: 'remediations',
    query: signalQuery,
    answer: signalList,
  },
  listAudit: {
    method: 'GET',
    path: '/api/v1/audit',
    tag: 'Audit',
    summary: 'List events of the audit trail, the newest first',
    description: 'Only the newest 1,000 that fit the filters can be listed: narrow the filters to see older ones.',
    access: 'remediations',
    query: auditQuery,
    answer: auditList,
  },
  getAuditVerification: {
    method: 'GET',
    path: '/api/v1/audit/verification',
    tag: 'Audit',
    summary: 'Read whether the audit trail is what was recorded',
    description: 'The trail is verified when Sickbay starts and every hour; the answer is what was found last.',
    access: 'remediations',
    answer: auditVerificationSchema,
  },
  getSummary: {
    method: 'GET',
    path: '/api/v1/summary',
    tag: 'Overview',
    summary: 'Read figures over everything',
    access: 'remediations',
    answer: summarySchema,
  },
  getSettings: {
    method: 'GET',
    path: '/api/v1/settings',
    tag: 'Overview',
    summary: 'Read the settings and connections',
    access: 'remediations',
    answer: settingsSchema,
  },
  getHealth: {
    method: 'GET',
    path: '/api/v1/health',
    tag: 'Overview',
    summary: 'Read whether Sickbay works',
    access: 'user',
    answer: healthSchema,
  },
  getSession: {
    method: 'GET',
    path: '/api/v1/session',
    tag: 'Overview',
    summary: 'Read who asks, and what this user may do',
    access: 'user',
    answer: sessionSchema,
  },
  followChanges: {
    method: 'GET',
    path: '/api/v1/changes',
    tag: 'Changes',
    summary: 'Follow changes',
    description: CHANGES,
    access: 'user',
    query: changesQuery,
    answer: changeSchema,
    mediaType: 'text/event-stream',
  },
} as const satisfies Readonly<Record<string, RouteContract>>;

export type Routes = typeof routes;
export type RouteId = keyof Routes;
