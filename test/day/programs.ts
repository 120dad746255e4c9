import { clusterLane, monitoringLane } from '../../src/testkit/lane.ts';
import type { DayOptions } from './day.ts';

/** Which environment variable names what the day needs. */
const SETTINGS = {
  kubeconfig: clusterLane.setting,
  workflowImage: 'SICKBAY_TEST_WORKFLOW_IMAGE',
  monitoring: monitoringLane.setting,
  stateMetrics: 'SICKBAY_TEST_STATE_METRICS',
} as const;

type Programs = Pick<DayOptions, keyof typeof SETTINGS>;

/** What the environment names, and the variables of what it does not. */
export function programsOfDay(env: NodeJS.ProcessEnv = process.env): { readonly programs: Programs; readonly missing: readonly string[] } {
  const entries = Object.entries(SETTINGS).map(([key, name]) => [key, env[name] ?? ''] as const);
  const missing = Object.values(SETTINGS).filter((name) => !env[name]);
  return { programs: Object.fromEntries(entries) as unknown as Programs, missing };
}
