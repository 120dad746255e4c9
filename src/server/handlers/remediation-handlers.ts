import { RemediationRequest } from '../../api/remediation-request/remediation-request.ts';
import type { KubeObject } from '../../api/meta.ts';
import { cancelRemediation, clearBlock, lookAtRequest } from '../../actions/index.ts';
import { explain } from '../../controllers/remediation/explain/index.ts';
import type { Store } from '../../kube/cache/cache.ts';
import type { Reader } from '../../runtime/reconcile/controller.ts';
import { ApiProblem } from '../api/api-problem.ts';
import type { Handlers } from '../api/handler-types.ts';
import type { Remediation } from '../contract/index.ts';
import type { RemediationRows } from '../views/remediation-rows.ts';
import { remediationView } from '../views/remediation-view.ts';
import type { RemediationFamily } from '../views/timeline.ts';
import type { ApiParts, ApiStores } from './api-parts.ts';
import { cachedReader } from './cached-reader.ts';
import { RemediationLists } from './list-remediations.ts';
import { logsOfRun } from './logs-of-run.ts';

type RemediationHandlers = Pick<Handlers, 'listRemediations' | 'getRemediation' | 'getLogs' | 'cancelRemediation' | 'clearBlock'>;

/** Remediations: lists, one whole, its logs, and what people do about it. */
export function remediationHandlers(parts: ApiParts, rows: RemediationRows): RemediationHandlers {
  const { stores, client, clock, settings } = parts;
  const lists = new RemediationLists(rows);
  const reader = cachedReader(Object.values(stores) as Store<KubeObject>[], client);
  return {
    listRemediations: (query) => lists.answer(query),
    getRemediation: ({ name }) => whole(requestNamed(parts, name), parts, reader),
    getLogs({ name, lines }, caller) {
      const { execution } = familyOf(requestNamed(parts, name), stores);
      return caller.as((asCaller) => logsOfRun(asCaller, execution, { namespace: settings().executionNamespace, ...(lines && { lines }) }));
    },
    cancelRemediation: ({ name, body }, caller) =>
      caller.as(async (asCaller) => {
        const by = await cancelRemediation(asCaller, { namespace: settings().namespace, name, reason: body.reason });
        return { name, by };
      }),
    clearBlock: ({ body }, caller) =>
      caller.as(async (asCaller) => {
        const { namespace, executionNamespace } = settings();
        const { target, executions, requests, clearedBy } = await clearBlock(asCaller, clock, { namespace, executionNamespace, ...body });
        return { target, executions, requests, by: clearedBy };
      }),
  };
}

function requestNamed({ stores, settings }: ApiParts, name: string): RemediationRequest {
  const found = stores.requests.get({ namespace: settings().namespace, name });
  if (!found)
    throw new ApiProblem(404, `there is no ${RemediationRequest.kind} ${name}: it may have been deleted when its retention ended`);
  return found;
}

async function whole(request: RemediationRequest, { settings, clock, stores }: ApiParts, reader: Reader): Promise<Remediation> {
  const seen = await lookAtRequest({ request, reader, settings: settings(), now: clock.now() });
  const undoneBy = request.status?.undo?.requestRef?.name;
  return remediationView({ ...familyOf(request, stores), explanation: explain(seen), deadline: seen.deadline, undoneBy });
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
