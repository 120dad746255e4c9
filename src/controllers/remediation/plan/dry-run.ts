import type { RemediationWorkflow } from '../../../api/remediation-workflow/remediation-workflow.ts';
import { LABELS } from '../../../api/well-known.ts';
import type { Ending } from '../end/end-request.ts';
import type { RemediationSeen } from '../observe.ts';
import { describePlan, type RemediationPlan } from '../../plan/remediation-plan.ts';

/** Who asks that nothing is done; undefined where nobody does. One who cannot be asked is no answer: `unreadable` waits. */
export type DryRun = { readonly kind: 'no' } | { readonly kind: 'yes'; readonly by: string } | { readonly kind: 'unreadable' };

/** The whole of Sickbay, the request, the namespace of its target or the workflow may ask for it: any of them is enough. */
export function dryRunOf({ object, settings, namespace, workflow }: RemediationSeen): DryRun {
  if (settings.dryRun) return yes('the configuration (dryRun)');
  if (object.spec.dryRun === true) return yes('the request (spec.dryRun)');
  if (namespace.kind === 'value' && namespace.value.metadata.labels?.[LABELS.dryRun] === 'true')
    return yes(`namespace ${namespace.value.metadata.name} (label ${LABELS.dryRun})`);
  if (workflow.kind === 'value' && isDryRun(workflow.value))
    return yes(`RemediationWorkflow ${workflow.value.metadata.name} (spec.dryRun)`);
  return namespace.kind === 'unreadable' || workflow.kind === 'unreadable' ? { kind: 'unreadable' } : { kind: 'no' };
}

const yes = (by: string): DryRun => ({ kind: 'yes', by });

const isDryRun = ({ spec }: RemediationWorkflow): boolean => spec.dryRun === true;

/** The end of a dry run. */
export const dryRunEnding = (plan: RemediationPlan, by: string, holdOffMs: number): Ending => ({
  phase: 'Completed',
  message: `dry run, as ${by} asks: ${describePlan(plan)} would have been run: ${plan.workflow.rationale}`,
  holdOffMs,
  status: { outcome: 'DryRun' },
});
