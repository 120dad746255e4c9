import type { MachineHealthCheck } from '../../../api/machine-health-check/machine-health-check.ts';
import { normalise, type NormalisedHealthCheck, type Problem } from '../../../api/machine-health-check/normalise.ts';
import type { Machine } from '../../../api/machine/machine.ts';
import { ANNOTATIONS, LABELS } from '../../../api/well-known.ts';
import { messageOf } from '../../../base/index.ts';
import { labelRequirements, matchesLabels, type LabelRequirement } from '../../../kube/selectors/index.ts';

/** A check whose spec was understood. */
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

/** Which Machines a check is about, whatever else it says: another controller may read what we cannot. */
export const parseCheckSelector = (object: MachineHealthCheck): CheckParseResult => {
  const { selector, clusterName } = object.spec;
  return parseCheck({ ...object, spec: { selector, ...(clusterName !== undefined && { clusterName }) } });
};

type Terms =
  | { readonly kind: 'valid'; readonly terms: readonly LabelRequirement[] }
  | { readonly kind: 'invalid'; readonly problems: readonly Problem[] };

/** A selector without terms would select every Machine: nobody may mean that by leaving something out. */
function requirementsOf({ spec }: MachineHealthCheck): Terms {
  const field = 'spec.selector';
  try {
    const terms = labelRequirements(spec.selector);
    return terms.length > 0
      ? { kind: 'valid', terms }
      : { kind: 'invalid', problems: [{ field, message: 'an empty selector selects nothing. Next: set the labels of the Machines' }] };
  } catch (error) {
    return { kind: 'invalid', problems: [{ field, message: messageOf(error) }] };
  }
}

/** Whether the check is about this Machine. Whoever paused it or took it out of remediation took it out of every check. */
export const selectsMachine = ({ check, namespace, selects }: ParsedCheck, { metadata, spec }: Machine): boolean =>
  metadata.namespace === namespace &&
  matchesLabels(selects, metadata.labels) &&
  (check.clusterName === undefined || (spec.clusterName ?? metadata.labels?.[LABELS.clusterName]) === check.clusterName) &&
  !isExcludedFromRemediation({ metadata });

/** Whether somebody paused a Machine or took it out of remediation. */
export const isExcludedFromRemediation = ({ metadata: { annotations = {} } }: Pick<Machine, 'metadata'>): boolean =>
  ANNOTATIONS.paused in annotations || ANNOTATIONS.skipRemediation in annotations;

/** Whether a check still looks at its Machines. One that is being deleted looks after those that it had handed out. */
export const isCheckActive = ({ metadata, status }: MachineHealthCheck): boolean =>
  metadata.deletionTimestamp === undefined || (status?.remediations ?? []).length > 0;
