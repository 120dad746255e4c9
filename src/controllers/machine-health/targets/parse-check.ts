import type { MachineHealthCheck } from '../../../api/machine-health-check/machine-health-check.ts';
import { normalise, type NormalisedHealthCheck, type Problem } from '../../../api/machine-health-check/normalise.ts';
import type { Machine } from '../../../api/machine/machine.ts';
import { ANNOTATIONS, LABELS } from '../../../api/well-known.ts';
import { messageOf } from '../../../base/index.ts';
import { labelRequirements, matchesLabels, type LabelRequirement } from '../../../kube/selectors/index.ts';

/** A check with a valid spec. */
export interface ParsedCheck {
  readonly kind: 'valid';
  readonly check: NormalisedHealthCheck;
  readonly namespace: string;
  readonly name: string;
  readonly selects: readonly LabelRequirement[];
}

export type CheckParseResult = ParsedCheck | { readonly kind: 'invalid'; readonly problems: readonly Problem[] };

export function parseCheck(object: MachineHealthCheck): CheckParseResult {
  const read = normalise(object);
  const selects = requirementsOf(object);
  const problems = [...(read.kind === 'invalid' ? read.problems : []), ...(selects.kind === 'invalid' ? selects.problems : [])];
  if (read.kind === 'invalid' || selects.kind === 'invalid') return { kind: 'invalid', problems };
  const { name, namespace = '' } = object.metadata;
  return { kind: 'valid', check: read.check, namespace, name, selects: selects.terms };
}

/** Parses only which Machines a check selects: another controller may accept a spec that Sickbay does not. */
export const parseCheckSelector = (object: MachineHealthCheck): CheckParseResult => {
  const { selector, clusterName } = object.spec;
  return parseCheck({ ...object, spec: { selector, ...(clusterName !== undefined && { clusterName }) } });
};

type Terms =
  | { readonly kind: 'valid'; readonly terms: readonly LabelRequirement[] }
  | { readonly kind: 'invalid'; readonly problems: readonly Problem[] };

/** An empty selector would select every Machine, which is more likely an omission than intended. */
function requirementsOf({ spec }: MachineHealthCheck): Terms {
  const field = 'spec.selector';
  try {
    const terms = labelRequirements(spec.selector);
    return terms.length > 0
      ? { kind: 'valid', terms }
      : { kind: 'invalid', problems: [{ field, message: 'selects nothing. Next: set the labels of the Machines' }] };
  } catch (error) {
    return { kind: 'invalid', problems: [{ field, message: messageOf(error) }] };
  }
}

/** Whether the check selects this Machine. A Machine that is paused or opted out of remediation is selected by no check. */
export const selectsMachine = ({ check, namespace, selects }: ParsedCheck, { metadata, spec }: Machine): boolean =>
  metadata.namespace === namespace &&
  matchesLabels(selects, metadata.labels) &&
  (check.clusterName === undefined || (spec.clusterName ?? metadata.labels?.[LABELS.clusterName]) === check.clusterName) &&
  !isExcludedFromRemediation({ metadata });

/** Whether a Machine is paused or opted out of remediation. */
export const isExcludedFromRemediation = ({ metadata: { annotations = {} } }: Pick<Machine, 'metadata'>): boolean =>
  ANNOTATIONS.paused in annotations || ANNOTATIONS.skipRemediation in annotations;

/** Whether a check still evaluates its Machines. A deleted one does while it has recorded remediations. */
export const isCheckActive = ({ metadata, status }: MachineHealthCheck): boolean =>
  metadata.deletionTimestamp === undefined || (status?.remediations ?? []).length > 0;
