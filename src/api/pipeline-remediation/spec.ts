import { severity } from '../parts/signal.ts';
import { flag, partial, text, textMap } from '../schema/index.ts';

/** What the RemediationRequest will say; the template holds the same. */
export const pipelineRemediationSpec = (description: string) =>
  partial(description, {
    signalName: text('Name of the signal; MachineUnhealthy when absent.', { min: 1, max: 253 }),
    severity: severity('Severity of the signal; high when absent.'),
    signalLabels: textMap('Labels of the signal.'),
    signalAnnotations: textMap('Annotations of the signal.'),
    dryRun: flag('Whether the remediation stops after the analysis.'),
  });
