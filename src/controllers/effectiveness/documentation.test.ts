import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { CONFIG_KEYS, defaultOf, writeValue } from '../../config/index.ts';

const page = readFileSync(new URL('../../../docs/effectiveness.md', import.meta.url), 'utf8');

/** The text under a heading, up to the next one. */
const chapter = (heading: string): string => {
  const text = page.split(/^## /m).find((part) => part.startsWith(`${heading}\n`));
  expect(text, `docs/effectiveness.md has no chapter "${heading}"`).toBeDefined();
  return text ?? '';
};

describe('the page for operators', () => {
  const keys = CONFIG_KEYS.filter(({ key }) => /^(effectivenessAssessment|asyncPropagation|external)\./.test(key));

  test.each(keys)('[EM-267] explains $key, with its default', (entry) => {
    const row = chapter('Configuration')
      .split('\n')
      .find((line) => line.startsWith('| `') && line.includes(`\`${entry.key}\``));
    expect(row).toBeDefined();
    const value = defaultOf(entry);
    if (typeof value === 'number') expect(row).toContain(`| ${writeValue(entry.form, value)} |`);
  });

  test('[EM-268] explains the propagation delay of asynchronous targets', () => {
    const text = chapter('Asynchronous targets: the propagation delay');
    for (const word of ['WaitingForPropagation', 'hashComputeDelay', 'gitOpsSyncDelay', 'operatorReconcileDelay', 'the sum of the two'])
      expect(text).toContain(word);
  });

  test('[EM-267, EM-269] explains what an assessment means for later remediations', () => {
    const text = chapter('What an assessment means for later remediations');
    for (const word of ['Inconclusive', '1, 2, 4, 8, then 10 minutes', 'ineffective chain', 'score', 'hashes', 'analyses'])
      expect(text).toContain(word);
  });

  test('[EM-270] says how to tune the delays', () => {
    const text = chapter('Tuning the delays');
    for (const word of ['gitOpsSyncDelay', 'operatorReconcileDelay', 'stabilizationWindow', 'validityWindow', 'scrapeInterval'])
      expect(text).toContain(word);
  });
});
