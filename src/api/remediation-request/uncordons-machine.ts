import type { RemediationRequest } from './remediation-request.ts';
import { MACHINE_HEALTH } from './signal-source.ts';

/** What a request for the Node of a Machine that has recovered has in `spec.providerData`. */
export const UNCORDON = 'uncordon';

/** Whether a request uncordons the Node of a Machine that has recovered. The names of its signal do not tell: a PipelineRemediation may choose them. */
export function uncordonsMachine({ spec }: RemediationRequest): boolean {
  if (spec.signalSource !== MACHINE_HEALTH) return false;
  try {
    const from: unknown = JSON.parse(spec.providerData ?? '');
    return typeof from === 'object' && from !== null && 'purpose' in from && from.purpose === UNCORDON;
  } catch {
    return false;
  }
}
