import type { RemediationWorkflow } from '../../../api/remediation-workflow/remediation-workflow.ts';
import type { OptionalRead } from '../../../kube/client/read.ts';
import { LABELS } from '../../../api/well-known.ts';
import type { RequestEnding } from '../end/end-request.ts';
import type { RemediationSeen } from '../observe.ts';
import { describePlan, type RemediationPlan } from '../../plan/remediation-plan.ts';

/** Whether the request is a dry run, and which setting says so. `unreadable`: one of the places that may say so could not be read; wait. */
export type DryRun = { readonly kind: 'no' } | { readonly kind: 'yes'; readonly by: string } | { readonly kind: 'unreadable' };

/** The configuration, the request, the target's namespace or the workflow may set it: any of them is enough. */
export function dryRunOf({ object, settings, namespace, workflow }: RemediationSeen): DryRun {
  if (settings.dryRun) return yes('the configuration (dryRun)');
  if (object.spec.dryRun === true) return yes('the request (spec.dryRun)');
  if (namespace.kind === 'value' && namespace.value.metadata.labels?.[LABELS.dryRun] === 'true')
    return yes(`namespace ${namespace.value.metadata.name} (label ${LABELS.dryRun})`);
  if (workflow.kind === 'value' && isDryRun(workflow.value))
    return yes(`RemediationWorkflow ${workflow.value.metadata.name} (spec.dryRun)`);
  return isKnown(namespace) && isKnown(workflow) ? { kind: 'no' } : { kind: 'unreadable' };
}

const isKnown = ({ kind }: OptionalRead<unknown>): boolean => kind === 'value' || kind === 'absent';

const yes = (by: string): DryRun => ({ kind: 'yes', by });

const isDryRun = ({ spec }: RemediationWorkflow): boolean => spec.dryRun === true;

/** The end of a dry run. */
export const dryRunEnding = (plan: RemediationPlan, by: string, holdOffMs: number): RequestEnding => ({
  phase: 'Completed',
  message: `dry run, set by ${by}: ${describePlan(plan)} would have been run: ${plan.workflow.rationale}`,
  holdOffMs,
  status: { outcome: 'DryRun' },
});
