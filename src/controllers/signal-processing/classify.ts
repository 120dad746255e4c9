import type { Severity } from '../../api/parts/signal.ts';
import type { SignalProcessing } from '../../api/signal-processing/signal-processing.ts';
import { LABELS } from '../../api/well-known.ts';

type Status = NonNullable<SignalProcessing['status']>;
export type Environment = NonNullable<Status['environmentClassification']>['environment'];
export type Priority = 'P0' | 'P1' | 'P2' | 'P3';

const ENVIRONMENTS: readonly Environment[] = ['Production', 'Staging', 'Development', 'Test'];

/** The environment, by the label of the namespace alone: a guess could let a workflow run without the approval it needs. */
export function environmentOf(context: Status['kubernetesContext']): { readonly environment: Environment; readonly source: string } {
  const label = context?.namespace?.labels?.[LABELS.environment]?.trim().toLowerCase();
  const environment = ENVIRONMENTS.find((known) => known.toLowerCase() === label);
  return environment ? { environment, source: 'namespace-labels' } : { environment: 'Unknown', source: 'default' };
}

/** The severities that signal sources use, by the severity that they map to. */
const SEVERITY_WORDS: ReadonlyMap<string, Severity> = new Map(
  Object.entries({
    critical: ['critical', 'fatal', 'emergency', 'sev1', 'p0'],
    high: ['high', 'error', 'major', 'sev2', 'p1', 'p2'],
    warning: ['warning', 'warn', 'medium', 'moderate', 'minor', 'sev3', 'p3'],
    info: ['info', 'informational', 'low', 'none', 'sev4', 'p4'],
  } as const).flatMap(([severity, words]) => words.map((word) => [word, severity as Severity] as const)),
);

/** Maps the severity of a source; one that is not listed is `unknown`, not harmless. */
export const severityOf = (word: string): Severity => SEVERITY_WORDS.get(word.trim().toLowerCase()) ?? 'unknown';

/** The priority, and the rule that set it. */
export function priorityOf(environment: Environment, severity: Severity): { readonly priority: Priority; readonly policyName: string } {
  if (environment === 'Production' && severity === 'critical') return { priority: 'P0', policyName: 'production-critical' };
  if (environment === 'Production' && severity === 'high') return { priority: 'P1', policyName: 'production-high' };
  if (environment === 'Staging' && severity === 'critical') return { priority: 'P1', policyName: 'staging-critical' };
  if (environment === 'Staging') return { priority: 'P2', policyName: 'staging' };
  return { priority: 'P3', policyName: 'default' };
}
