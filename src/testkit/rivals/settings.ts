import { SECOND } from '../../base/index.ts';
import { DEFAULT_SETTINGS } from '../../controllers/default-settings.ts';

/** What the story's runs may take up. A namespace has room for two, so that it is not the budget that keeps rivals for one target apart. */
export const BUDGET = { running: { cluster: 3, namespace: 2, node: 1 }, perHour: { cluster: 30, namespace: 20 } };

export const SETTINGS = { ...DEFAULT_SETTINGS, cooldownMs: 8 * SECOND, budget: BUDGET };
