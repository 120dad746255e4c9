import type { Severity } from '../api/parts/signal.ts';
import type { SignalProcessing } from '../api/signal-processing/signal-processing.ts';

export type Environment = NonNullable<NonNullable<SignalProcessing['status']>['environmentClassification']>['environment'];
export type Priority = 'P0' | 'P1' | 'P2' | 'P3';

/** A priority, and the rule that set it. */
export interface AssignedPriority {
  readonly priority: Priority;
  readonly policyName: string;
}

const DEFAULT: AssignedPriority = { priority: 'P3', policyName: 'default' };

/**
 * The priority of a remediation, by the environment of its target and the highest severity of its signals (ruling 128). A stricter environment
 * or a higher severity never lowers it. An environment that is unknown is as urgent as a test environment, although it needs approval like
 * production: how urgent it is, only a label says.
 */
export function priorityOf(environment: Environment, severity: Severity): AssignedPriority {
  switch (environment) {
    case 'Production':
      if (severity === 'critical') return { priority: 'P0', policyName: 'production-critical' };
      return severity === 'high' ? { priority: 'P1', policyName: 'production-high' } : { priority: 'P2', policyName: 'production' };
    case 'Staging':
      return severity === 'critical' ? { priority: 'P1', policyName: 'staging-critical' } : { priority: 'P2', policyName: 'staging' };
    case 'Development':
    case 'Test':
    case 'Unknown':
      return DEFAULT;
  }
}
