/**
 * The config file: one file of YAML for everything that operators may choose, read at the start and again whenever it changes.
 *
 * - `key-table.ts` is the one table of keys. Parsing, validation, the sample and docs/configuration.md are made from it.
 * - `value-forms.ts` is how values are written (durations, numbers, flags, choices, texts), `cross-rules.ts` what must hold between keys.
 * - `parse-config.ts` makes settings of a text, or says everything that is wrong with it, each with its line (`read-entries.ts`).
 * - `watch-config.ts` follows the file (`follow-file.ts`, which also serves certificates); one that is wrong is refused as a whole, and the settings in force stay.
 * - `open-config.ts` is what a process holds: the settings of now, and what health and metrics show about the file.
 * Start with key-table.ts.
 */
export { registerConfigMetrics } from './config-metrics.ts';
export { CONFIG_KEYS, defaultOf, settingOf, type ConfigKey } from './keys.ts';
export { followFile } from './follow-file.ts';
export type { FollowFolder } from './watch-folder.ts';
export { loadConfig } from './load-config.ts';
export { openConfig, type ConfigFile } from './open-config.ts';
export { configError } from './problem.ts';
export { configSample } from './sample.ts';
export { limits, shortDuration, writeValue } from './value-forms.ts';
