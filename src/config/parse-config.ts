import { DEFAULT_SETTINGS } from '../controllers/default-settings.ts';
import type { Settings } from '../controllers/settings.ts';
import { CROSS_RULES } from './cross-rules.ts';
import { withSetting, type ConfigKey } from './keys.ts';
import type { ConfigProblem } from './problem.ts';
import { readEntries, type Entry } from './read-entries.ts';
import { readTrees } from './read-trees.ts';
import { allowed, readValue, shown } from './value-forms.ts';

/** What a config file comes to: settings, or everything that is wrong with it. */
export type ParsedConfig =
  | {
      readonly kind: 'valid';
      readonly settings: Settings;
      /** The keys that it sets, by their own names. */
      readonly keys: readonly string[];
    }
  | { readonly kind: 'refused'; readonly problems: readonly ConfigProblem[] };

/**
 * Reads the text of a config file. What it does not say is as by default; one problem refuses the whole.
 * @example parseConfig('routing: { scopeBackoffBase: 10s }')
 */
export function parseConfig(text: string): ParsedConfig {
  const { entries, problems, trees } = readEntries(text);
  let settings = DEFAULT_SETTINGS;
  const wrong: ConfigProblem[] = [...problems];
  const doubtful = new Set<string | undefined>(problems.map(({ key }) => key));
  for (const { key, raw, at } of entries) {
    const read = readValue(key.form, raw);
    if (read.kind === 'value') settings = withSetting(settings, key, read.value);
    else {
      wrong.push({ at, key: key.key, message: `${key.key} is ${shown(raw)}: wants ${allowed(key.form)}` });
      doubtful.add(key.key);
    }
  }
  const read = readTrees(trees, settings);
  settings = read.settings;
  wrong.push(...read.problems);
  wrong.push(...disagreements(settings, entries, ({ key }) => doubtful.has(key)));
  return wrong.length === 0
    ? { kind: 'valid', settings, keys: [...entries.map(({ key }) => key.key), ...Object.keys(trees)] }
    : { kind: 'refused', problems: wrong.toSorted(byPosition) };
}

/** What keys say against each other; nothing is made of a value that is wrong by itself. */
const disagreements = (settings: Settings, entries: readonly Entry[], isDoubtful: (key: ConfigKey) => boolean): ConfigProblem[] =>
  CROSS_RULES.filter(({ keys }) => !keys.some(isDoubtful)).flatMap(({ keys, objection }) => {
    const message = objection(settings);
    if (message === undefined) return [];
    // The first of its keys that the file has: the others are as by default, and the defaults agree.
    const entry = keys.map((key) => entries.find((candidate) => candidate.key === key)).find((candidate) => candidate !== undefined);
    return [{ ...(entry && { at: entry.at, key: entry.key.key }), message }];
  });

const byPosition = (a: ConfigProblem, b: ConfigProblem): number =>
  (a.at?.line ?? 0) - (b.at?.line ?? 0) || (a.at?.column ?? 0) - (b.at?.column ?? 0);
