import { MINUTE } from '../../base/index.ts';
import { DEFAULT_SETTINGS } from '../../controllers/default-settings.ts';
import type { Settings } from '../../controllers/settings.ts';

/** Room for two replacements at a time; drains take a minute at most. */
export const SETTINGS: Settings = {
  ...DEFAULT_SETTINGS,
  budget: { running: { cluster: 2, namespace: 2, node: 1 }, perHour: { cluster: 1_000, namespace: 1_000 } },
  machineOwner: { enabled: true, drainTimeoutMs: MINUTE },
};
