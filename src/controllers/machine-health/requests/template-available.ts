import type { MachineHealthCheck } from '../../../api/machine-health-check/machine-health-check.ts';
import { templateField } from '../../../api/machine-health-check/normalise.ts';
import type { CheckObservation, TemplateObservation } from '../check/observe-check.ts';
import { conditionOf, withoutCondition, type DesiredCondition } from '../conditions/cluster-api-conditions.ts';

const TYPE = 'TemplateAvailable';
type Status = NonNullable<MachineHealthCheck['status']>;

/**
 * Whether the template is there that the check names, so that a slip of the pen shows before the first Machine fails. Nothing where it was not
 * looked for: what was said of it stays. The gate does not go by it, which is about how many are ill.
 */
export function templateAvailable({ object, external }: Pick<CheckObservation, 'object' | 'external'>): readonly DesiredCondition[] {
  const found = external?.template;
  if (!found || found.kind === 'not-read') return [];
  if (found.kind === 'value') return [{ type: TYPE, holds: true, reason: TYPE, message: '' }];
  const { reason, why } = whyMissing(external, object);
  return [{ type: TYPE, holds: false, reason, message: `${templateField(object)}: ${why}; no request is created without it` }];
}

function whyMissing(
  { reference, template }: TemplateObservation,
  { metadata }: MachineHealthCheck,
): { readonly reason: string; readonly why: string } {
  const { apiVersion, kind, name } = reference;
  const what = `${kind} ${metadata.namespace ?? ''}/${name}`;
  if (template.kind === 'unreadable') return { reason: 'TemplateUnreadable', why: `${what} cannot be read: ${template.reason}` };
  if (template.kind === 'absent' && template.isKindUnknown)
    return { reason: 'TemplateKindNotFound', why: `the kind ${kind} (${apiVersion}) is not defined in this cluster` };
  return { reason: 'TemplateNotFound', why: `${what} does not exist` };
}

/** Whether the template was looked for and not found. */
export const isTemplateMissing = (external: TemplateObservation | undefined): boolean =>
  external?.template.kind === 'absent' || external?.template.kind === 'unreadable';

/** The status without what was said of a template that the check does not name any more, or that none could be. */
export const withoutFormerTemplate = <S extends Status>(status: S, external: TemplateObservation | undefined): S =>
  external?.requests ? status : withoutCondition(status, TYPE);

/** Whether the check has yet to say that its template is there: of the spec as it is now, or at all. */
export const needsTemplateRead = ({ metadata, status = {} }: MachineHealthCheck): boolean =>
  status.observedGeneration !== metadata.generation || conditionOf(status, TYPE)?.status !== 'True';
