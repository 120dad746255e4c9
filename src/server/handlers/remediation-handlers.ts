import { RemediationRequest } from '../../api/remediation-request/remediation-request.ts';
import type { KubeObject } from '../../api/meta.ts';
import type { Store } from '../../kube/cache/cache.ts';
import { ApiProblem } from '../api/api-problem.ts';
import type { Handlers } from '../api/handler-types.ts';
import type { RemediationRows } from '../views/remediation-rows.ts';
import { remediationView } from '../views/remediation-view.ts';
import type { RemediationFamily } from '../views/timeline.ts';
import type { ApiParts, ApiStores } from './api-parts.ts';
import { RemediationLists } from './list-remediations.ts';
import { logsOfRun } from './logs-of-run.ts';
import { objectsOfRemediation } from './objects-of-remediation.ts';

type RemediationHandlers = Pick<
  Handlers,
  'listRemediations' | 'getRemediation' | 'getLogs' | 'getMetrics' | 'getObjects' | 'cancelRemediation' | 'clearBlock'
>;

/** Remediations: lists, one whole, its logs, and what people do about it. */
export function remediationHandlers(parts: ApiParts, rows: RemediationRows): RemediationHandlers {
  const { stores, actions, executionNamespace } = parts;
  const lists = new RemediationLists(rows);
  return {
    listRemediations: (query) => lists.answer(query),
    async getRemediation({ name }) {
      const request = requestNamed(parts, name);
      return remediationView({ ...familyOf(request, stores), explained: await actions.explain(request) });
    },
    getLogs({ name, lines }, caller) {
      const { execution } = familyOf(requestNamed(parts, name), stores);
      return caller.as((asCaller) => logsOfRun(asCaller, execution, { namespace: executionNamespace, ...(lines && { lines }) }));
    },
    getMetrics({ name }) {
      const { assessment } = familyOf(requestNamed(parts, name), stores);
      return assessment ? actions.metrics(assessment) : Promise.resolve({ metrics: [], message: 'its effectiveness is not assessed yet' });
    },
    getObjects({ name }, caller) {
      const family = familyOf(requestNamed(parts, name), stores);
      return caller.as((asCaller) => objectsOfRemediation(asCaller, family));
    },
    cancelRemediation: ({ name, body }, caller) => caller.as((asCaller) => actions.cancel(asCaller, name, body.reason)),
    clearBlock: ({ body }, caller) => caller.as((asCaller) => actions.clearBlock(asCaller, body.name, body.reason)),
  };
}

function requestNamed({ stores, namespace }: ApiParts, name: string): RemediationRequest {
  const found = stores.requests.get({ namespace, name });
  if (!found)
    throw new ApiProblem(404, `there is no ${RemediationRequest.kind} ${name}: it may have been deleted when its retention ended`);
  return found;
}

/** The children of a request, as its status names them. */
function familyOf(request: RemediationRequest, stores: ApiStores): RemediationFamily {
  const { namespace = '', name } = request.metadata;
  const child = <T extends KubeObject>(store: Store<T>, ref: { readonly name?: string } | undefined): T | undefined =>
    ref?.name === undefined ? undefined : store.get({ namespace, name: ref.name });
  const { status = {} } = request;
  return {
    request,
    processing: child(stores.processings, status.signalProcessingRef),
    analysis: child(stores.analyses, status.aiAnalysisRef),
    approval: child(stores.approvals, status.approvalRequestRef),
    execution: child(stores.executions, status.workflowExecutionRef),
    assessment: child(stores.assessments, status.effectivenessAssessmentRef),
    notifications: stores.notifications.list().filter(({ spec }) => spec.remediationRequestRef?.name === name),
  };
}
