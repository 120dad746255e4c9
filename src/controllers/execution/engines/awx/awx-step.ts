import type { Effect } from '../../../../runtime/reconcile/controller.ts';
import type { WorkflowExecution } from '../../../../api/workflow-execution/workflow-execution.ts';
import type { NeededCredential } from './launch/needed-credentials.ts';

/** The name under which the wiring registers the handler. */
export const AWX_CALL = 'awx';

/** One change in AWX. Each can come again: the second time changes nothing, except for a launch, which is asked for once. */
export type AwxStep =
  | { readonly do: 'create type'; readonly wanted: NeededCredential }
  | { readonly do: 'create credential'; readonly wanted: NeededCredential; readonly type: number }
  | {
      readonly do: 'launch';
      readonly template: number;
      readonly extraVars: Readonly<Record<string, unknown>>;
      readonly credentials: readonly number[];
    }
  | { readonly do: 'delete credential'; readonly id: number }
  | { readonly do: 'delete type'; readonly id: number }
  | { readonly do: 'cancel'; readonly job: number };

/** The step as an effect of a decision about this execution. */
export const awxStep = ({ metadata }: WorkflowExecution, step: AwxStep): Effect => ({
  kind: 'Call',
  run: AWX_CALL,
  key: `${metadata.uid} ${step.do} ${nameOf(step)}`.trim(),
  input: step,
});

function nameOf(step: AwxStep): string {
  if (step.do === 'create type' || step.do === 'create credential') return step.wanted.name;
  if (step.do === 'launch') return '';
  return String(step.do === 'cancel' ? step.job : step.id);
}
