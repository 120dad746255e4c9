import { assertNever } from '../../base/index.ts';
import type { SignalProcessing } from '../../api/signal-processing/signal-processing.ts';
import { LABELS } from '../../api/well-known.ts';
import type { Environment } from '../priority.ts';

type Status = NonNullable<SignalProcessing['status']>;
type Business = NonNullable<Status['businessClassification']>;

/** The business classification, from the labels of the namespace; from those of the target only if the namespace has none. */
export function categorize(context: Status['kubernetesContext'], environment: Environment): Business {
  const labels = labelsOf(context);
  const businessUnit = labels[LABELS.businessUnit] ?? labels[LABELS.team];
  const serviceOwner = labels[LABELS.serviceOwner];
  return {
    ...(businessUnit !== undefined && { businessUnit }),
    ...(serviceOwner !== undefined && { serviceOwner }),
    ...weightOf(environment),
  };
}

function labelsOf(context: Status['kubernetesContext']): Readonly<Record<string, string>> {
  const ofNamespace = context?.namespace?.labels ?? {};
  return Object.keys(ofNamespace).length > 0 ? ofNamespace : (context?.workload?.labels ?? {});
}

function weightOf(environment: Environment): Pick<Business, 'criticality' | 'slaRequirement'> {
  switch (environment) {
    case 'Production':
      return { criticality: 'High', slaRequirement: 'Gold' };
    case 'Staging':
    case 'Unknown':
      return { criticality: 'Medium', slaRequirement: 'Silver' };
    case 'Development':
    case 'Test':
      return { criticality: 'Low', slaRequirement: 'Bronze' };
    default:
      return assertNever(environment);
  }
}
