import { HOUR, MINUTE } from '../base/index.ts';

/** What operators may choose. Every controller gets all of it and reads what concerns it. */
export interface Settings {
  /** The pipeline's own objects live here, and count nowhere else. */
  readonly namespace: string;
  /** Jobs and locks live here. */
  readonly executionNamespace: string;
  /** What alerts call this cluster; empty when they do not name it. Alerts about another one are not acted on. */
  readonly clusterID: string;
  readonly timeouts: PhaseTimeouts;
  /** How long a target is left alone after a run, before the next one may start. */
  readonly cooldownMs: number;
  /** How long to wait after a run before anything is judged. */
  readonly stabilizationMs: number;
  /** How long an assessment may take in all. */
  readonly validityMs: number;
}

/** How long a remediation may take, in all and in each phase. */
export interface PhaseTimeouts {
  readonly globalMs: number;
  readonly processingMs: number;
  readonly analyzingMs: number;
  readonly executingMs: number;
  readonly verifyingMs: number;
}

export const DEFAULT_SETTINGS: Settings = {
  namespace: 'sickbay-system',
  executionNamespace: 'kubernaut-workflows',
  clusterID: '',
  timeouts: {
    globalMs: HOUR,
    processingMs: 5 * MINUTE,
    analyzingMs: 10 * MINUTE,
    executingMs: 30 * MINUTE,
    verifyingMs: 30 * MINUTE,
  },
  cooldownMs: MINUTE,
  stabilizationMs: 5 * MINUTE,
  validityMs: 30 * MINUTE,
};
