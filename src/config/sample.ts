import { CONFIG_KEYS, defaultOf, type ConfigKey } from './keys.ts';
import { limits, writeValue } from './value-forms.ts';

const WIDTH = 110;

/** A config file that says nothing but the defaults, with a comment on each key. */
export function configSample(): string {
  const head = wrapped(
    'Every setting of Sickbay, with its default. Leave out what keeps its default. Durations are written 30s, 5m, 1h30m. Changes apply within a second or two of saving, but ' +
      'for those that need a restart; a file with a mistake is refused as a whole. "sickbay config check FILE" finds mistakes.',
  );
  return `${[...head, '', ...section(CONFIG_KEYS, 0), '', ...TREES].join('\n')}\n`;
}

/** The sections that are trees, with their defaults. */
const TREES: readonly string[] = [
  ...wrapped(
    'Who is notified of what, and how: a routing tree as in Alertmanager. This version checks it but writes every notification to the log. Channels: logConfigs, fileConfigs, webhookConfigs, slackConfigs, ' +
      'teamsConfigs, pagerdutyConfigs, emailConfigs. docs/notifications.md has an example of each, and "sickbay notifications route" tries it.',
  ),
  'notifications:',
  '  route:',
  '    receiver: log',
  '  receivers:',
  '    - name: log',
  '      logConfigs: [{}]',
  '',
  ...wrapped(
    'Times in which nothing in scope is changed, such as {name: weekend, timeZone: Europe/Berlin, start: "0 18 * * FRI", duration: 62h}, or with from and until instead of start and ' +
      'duration. docs/change-windows.md has every field.',
  ),
  'changeFreezes: []',
  '# Times outside of which what is in their scope is not changed; with the same fields.',
  'maintenanceWindows: []',
];

/** The keys of one level, in the order of the table; a section stands where its first key is. */
function section(keys: readonly ConfigKey[], depth: number): readonly string[] {
  const indent = '  '.repeat(depth);
  const names = [...new Set(keys.map((key) => partsOf(key)[depth] ?? ''))];
  return names.flatMap((name) => {
    const inside = keys.filter((key) => partsOf(key)[depth] === name);
    const [first] = inside;
    if (first && partsOf(first).length === depth + 1) return lineOf(first, name).map((line) => indent + line);
    return [...(depth === 0 ? [''] : []), `${indent}${name}:`, ...section(inside, depth + 1)];
  });
}

const partsOf = ({ key }: ConfigKey): readonly string[] => key.split('.');

function lineOf(key: ConfigKey, name: string): readonly string[] {
  const value = writeValue(key.form, defaultOf(key));
  const restart = key.needsRestart ? ' Needs a restart.' : '';
  const comment = wrapped(`${key.meaning} (${limits(key.form)})${restart}`);
  return [...comment, `${name}: ${value ?? '""'}`];
}

/** Comment lines of at most the width. */
function wrapped(text: string): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last === undefined || last.length + word.length + 1 > WIDTH) lines.push(`# ${word}`);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}
