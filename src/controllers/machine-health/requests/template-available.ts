import type { MachineHealthCheck } from '../../../api/machine-health-check/machine-health-check.ts';
import { templateField } from '../../../api/machine-health-check/normalise.ts';
import type { CheckObservation, TemplateObservation } from '../check/observe-check.ts';
import { pluralOf } from './external-request.ts';
import { conditionOf, withoutCondition, type DesiredCondition } from '../conditions/cluster-api-conditions.ts';

const TYPE = 'TemplateAvailable';
type Status = NonNullable<MachineHealthCheck['status']>;

/**
 * The condition TemplateAvailable: reports a missing or misspelt template before the first Machine fails. It stays unchanged where the
 * template was not read. The gate does not depend on it.
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
    return { reason: 'TemplateKindNotFound', why: `the kind ${kind} (${apiVersion}) is not defined in this cluster${underPlural(kind)}` };
  return { reason: 'TemplateNotFound', why: `${what} does not exist` };
}

/** Cluster API's contract derives the plural from the kind; a definition with another one is not found. */
const underPlural = (kind: string): string => ` as ${pluralOf(kind.toLowerCase())}, the plural that Cluster API's contract requires`;

/** Whether the template was read and is not usable. */
export const isTemplateMissing = (external: TemplateObservation | undefined): boolean =>
  external?.template.kind === 'absent' || external?.template.kind === 'unreadable';

/** The status without the condition for a template that the check no longer names, or that cannot be a template. */
export const withoutFormerTemplate = <S extends Status>(status: S, external: TemplateObservation | undefined): S =>
  external?.requests ? status : withoutCondition(status, TYPE);

/** Whether the check has not yet reported, for its current spec, that its template exists. */
export const needsTemplateRead = ({ metadata, status = {} }: MachineHealthCheck): boolean =>
  status.observedGeneration !== metadata.generation || conditionOf(status, TYPE)?.status !== 'True';
