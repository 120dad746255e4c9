import type { FastifyPluginCallback } from 'fastify';
import type { AIAnalysis } from '../../api/ai-analysis/ai-analysis.ts';
import type { EffectivenessAssessment } from '../../api/effectiveness-assessment/effectiveness-assessment.ts';
import type { MachineHealthCheck } from '../../api/machine-health-check/machine-health-check.ts';
import type { Machine } from '../../api/machine/machine.ts';
import type { NotificationRequest } from '../../api/notification-request/notification-request.ts';
import type { RemediationApprovalRequest } from '../../api/remediation-approval-request/remediation-approval-request.ts';
import type { RemediationRequest } from '../../api/remediation-request/remediation-request.ts';
import type { RemediationWorkflow } from '../../api/remediation-workflow/remediation-workflow.ts';
import type { SignalProcessing } from '../../api/signal-processing/signal-processing.ts';
import type { WorkflowExecution } from '../../api/workflow-execution/workflow-execution.ts';
import { toTime, type Clock, type Logger } from '../../base/index.ts';
import type { Store } from '../../kube/cache/cache.ts';
import { abilitiesOf, demandAccess } from '../access/demand-access.ts';
import type { Caller, Callers } from '../access/caller.ts';
import { answerHealth, type HealthChecks } from '../health.ts';
import type { Health, Session } from '../contract/index.ts';
import { approvalView } from '../views/approval-view.ts';
import { pageFrom, sortedBy, type Order } from '../views/page.ts';
import { RemediationRows } from '../views/remediation-rows.ts';
import { summarize } from '../views/summary.ts';
import { ApiProblem } from './api-problem.ts';
import { apiRoutes } from './api-routes.ts';
import type { Handlers } from './handlers.ts';
import { RemediationLists } from './list-remediations.ts';

/** The caches that the API reads. Machines are absent where Sickbay does not handle them. */
export interface ApiStores {
  readonly requests: Store<RemediationRequest>;
  readonly processings: Store<SignalProcessing>;
  readonly analyses: Store<AIAnalysis>;
  readonly approvals: Store<RemediationApprovalRequest>;
  readonly executions: Store<WorkflowExecution>;
  readonly assessments: Store<EffectivenessAssessment>;
  readonly notifications: Store<NotificationRequest>;
  readonly workflows: Store<RemediationWorkflow>;
  readonly machines?: Store<Machine>;
  readonly checks?: Store<MachineHealthCheck>;
}

/** What the API is made of. */
export interface ApiParts {
  readonly stores: ApiStores;
  readonly callers: Callers;
  readonly health: HealthChecks;
  readonly namespace: string;
  readonly version: string;
  readonly clock: Clock;
  readonly log: Logger;
}

/** The API over the caches of a process. */
export function createApi(parts: ApiParts): FastifyPluginCallback {
  const { callers, namespace, log } = parts;
  return apiRoutes({
    handlers: handlersOf(parts),
    callers,
    demand: (caller, access) => demandAccess(caller, access, namespace),
    log,
  });
}

function handlersOf(parts: ApiParts): Handlers {
  const { stores, clock } = parts;
  const rows = new RemediationRows(stores);
  const lists = new RemediationLists(rows);
  const approvals = () =>
    stores.approvals.list().map((approval) => {
      const { namespace = '' } = approval.metadata;
      const { name = '' } = approval.spec.remediationRequestRef;
      return approvalView(approval, stores.requests.get({ namespace, name }));
    });
  return {
    listRemediations: (query) => lists.answer(query),
    getRemediation: later,
    getLogs: later,
    cancelRemediation: later,
    listApprovals: ({ state = 'Pending', remediation, ...page }) => {
      const wanted = approvals().filter(
        (each) => (state === 'all' || each.state === state) && (remediation === undefined || each.remediation === remediation),
      );
      const order: Order<(typeof wanted)[number]> = {
        id: JSON.stringify([state, remediation]),
        isDescending: false,
        key: ({ requiredBy }) => requiredBy,
        name: ({ name }) => name,
      };
      return pageFrom(sortedBy(wanted, order), page, order);
    },
    getApproval: ({ name }) => {
      const found = approvals().find((each) => each.name === name);
      if (!found) throw new ApiProblem(404, `there is no RemediationApprovalRequest ${name}`);
      return found;
    },
    decideApproval: later,
    clearBlock: later,
    listMachines: later,
    getMachine: later,
    listMachineChecks: later,
    getMachineCheck: later,
    listWorkflows: later,
    getWorkflow: later,
    listSignals: later,
    listAudit: later,
    getSummary: () =>
      summarize(
        { remediations: rows.all().map(({ summary }) => summary), approvals: approvals(), machines: [], checks: [], signals: {} },
        clock.now(),
      ),
    getSettings: later,
    getHealth: () => healthOf(parts.health),
    getSession: (_input, caller) => sessionOf(caller, parts),
    followChanges: later,
  };
}

function later(): never {
  throw new ApiProblem(501, 'not served yet');
}

async function sessionOf(caller: Caller, { namespace, version, clock }: ApiParts): Promise<Session> {
  const { user, groups, via } = caller;
  return { user, groups, via, may: await abilitiesOf(caller, namespace), version, namespace, now: toTime(clock.now()) };
}

async function healthOf(checks: HealthChecks): Promise<Health> {
  const ask = async (endpoint: 'livez' | 'readyz' | 'healthz') => {
    const { failures } = await answerHealth(
      { livez: [], readyz: [], [endpoint]: checks[endpoint] ?? [] },
      new URL(`http://localhost/${endpoint}`),
    );
    return (checks[endpoint] ?? []).map(({ name }) => {
      const failure = failures.find((each) => each.name === name);
      return { name, ok: !failure, endpoint, ...(failure && { message: failure.reason }) };
    });
  };
  const all = (await Promise.all([ask('livez'), ask('readyz'), ask('healthz')])).flat();
  const failing = all.filter(({ ok }) => !ok);
  const status = failing.length === 0 ? 'ok' : failing.every(({ endpoint }) => endpoint === 'healthz') ? 'impaired' : 'failing';
  return { status, checks: all };
}
