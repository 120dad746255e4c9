import type { ObjectKey } from '../../api/meta.ts';
import { ApiProblem } from '../api/api-problem.ts';
import type { Handlers } from '../api/handler-types.ts';
import type { Workflow } from '../contract/index.ts';
import { pageFrom } from '../views/page.ts';
import { workflowNameOf, workflowView, type WorkflowRun } from '../views/workflow-view.ts';
import type { ApiParts, ApiStores } from './api-parts.ts';

type WorkflowHandlers = Pick<Handlers, 'listWorkflows' | 'getWorkflow'>;

/** The catalogue, with how well each workflow worked. */
export function workflowHandlers({ stores, namespace }: ApiParts): WorkflowHandlers {
  return {
    listWorkflows({ actionType, search, ...page }) {
      const text = search?.toLowerCase() ?? '';
      const items = allWorkflows(stores).filter(
        (workflow) =>
          (actionType === undefined || workflow.actionType === actionType) &&
          (text === '' || `${workflow.name} ${workflow.what}`.toLowerCase().includes(text)),
      );
      return pageFrom(items, page, {
        id: JSON.stringify([actionType, text]),
        isDescending: false,
        key: ({ name }) => name,
        name: () => '',
      });
    },
    getWorkflow({ name }) {
      const workflow = workflowNamed(stores, { namespace, name });
      if (!workflow) throw new ApiProblem(404, `the catalogue has no workflow ${name}`);
      return workflow;
    },
  };
}

/** One workflow; undefined where the catalogue does not have it. */
export function workflowNamed(stores: ApiStores, key: ObjectKey): Workflow | undefined {
  const workflow = stores.workflows.get(key);
  return workflow && workflowView(workflow, runsByWorkflow(stores).get(key.name) ?? []);
}

/** By name. */
function allWorkflows(stores: ApiStores): readonly Workflow[] {
  const runs = runsByWorkflow(stores);
  return stores.workflows
    .list()
    .map((workflow) => workflowView(workflow, runs.get(workflow.metadata.name) ?? []))
    .toSorted((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)));
}

function runsByWorkflow({ executions, requests, assessments }: ApiStores): ReadonlyMap<string, readonly WorkflowRun[]> {
  const runs = executions.list().map((execution): WorkflowRun => {
    const { namespace = '' } = execution.metadata;
    const request = requests.get({ namespace, name: execution.spec.remediationRequestRef.name ?? '' });
    const assessment = request?.status?.effectivenessAssessmentRef?.name;
    return { execution, request, assessment: assessment === undefined ? undefined : assessments.get({ namespace, name: assessment }) };
  });
  return Map.groupBy(runs, ({ execution }) => workflowNameOf(execution));
}
