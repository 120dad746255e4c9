import type { Severity } from '../../api/parts/signal.ts';
import type { SignalProcessing } from '../../api/signal-processing/signal-processing.ts';
import { LABELS } from '../../api/well-known.ts';

type Status = NonNullable<SignalProcessing['status']>;
export type Environment = NonNullable<Status['environmentClassification']>['environment'];
export type Priority = 'P0' | 'P1' | 'P2' | 'P3';

const ENVIRONMENTS: readonly Environment[] = ['Production', 'Staging', 'Development', 'Test'];

/** Where the target belongs, by the label of its namespace alone: a guess here could let something run that must not. */
export function environmentOf(context: Status['kubernetesContext']): { readonly environment: Environment; readonly source: string } {
  const label = context?.namespace?.labels?.[LABELS.environment]?.trim().toLowerCase();
  const environment = ENVIRONMENTS.find((known) => known.toLowerCase() === label);
  return environment ? { environment, source: 'namespace-labels' } : { environment: 'Unknown', source: 'default' };
}

/** The words of sources for our words. */
const SEVERITY_WORDS: ReadonlyMap<string, Severity> = new Map(
  Object.entries({
    critical: ['critical', 'fatal', 'emergency', 'sev1', 'p0'],
    high: ['high', 'error', 'major', 'sev2', 'p1', 'p2'],
    warning: ['warning', 'warn', 'medium', 'moderate', 'minor', 'sev3', 'p3'],
    info: ['info', 'informational', 'low', 'none', 'sev4', 'p4'],
  } as const).flatMap(([severity, words]) => words.map((word) => [word, severity as Severity] as const)),
);

/** A severity in common words; what nobody knows is unknown, not harmless. */
export const severityOf = (word: string): Severity => SEVERITY_WORDS.get(word.trim().toLowerCase()) ?? 'unknown';

/** How urgent it is, and the rule that says so. */
export function priorityOf(environment: Environment, severity: Severity): { readonly priority: Priority; readonly policyName: string } {
  if (environment === 'Production' && severity === 'critical') return { priority: 'P0', policyName: 'production-critical' };
  if (environment === 'Production' && severity === 'high') return { priority: 'P1', policyName: 'production-high' };
  if (environment === 'Staging' && severity === 'critical') return { priority: 'P1', policyName: 'staging-critical' };
  if (environment === 'Staging') return { priority: 'P2', policyName: 'staging' };
  return { priority: 'P3', policyName: 'default' };
}
