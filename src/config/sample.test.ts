import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { DEFAULT_SETTINGS } from '../controllers/default-settings.ts';
import { CONFIG_KEYS } from './keys.ts';
import { parseConfig } from './parse-config.ts';
import { configSample } from './sample.ts';

describe('the sample', () => {
  const sample = configSample();

  test('sets every key to its default', () => {
    const parsed = parseConfig(sample);
    expect(parsed).toMatchObject({ kind: 'valid', settings: DEFAULT_SETTINGS });
    expect(parsed.kind === 'valid' && parsed.keys.toSorted()).toEqual(
      [...CONFIG_KEYS.map(({ key }) => key), 'notifications', 'changeFreezes', 'maintenanceWindows'].toSorted(),
    );
  });

  test('says of every key what it means and what is allowed', () => {
    const prose = sample.replaceAll(/\n *# /g, ' ');
    for (const { meaning } of CONFIG_KEYS) expect(prose).toContain(meaning);
    expect(prose).toContain('How long no new remediation of the signal starts after a dry run. (5m to 168h)');
    expect(prose.match(/Needs a restart\./g)).toHaveLength(17);
  });

  test('begins each section once', () => expect(Object.keys(parse(sample) as object)).toHaveLength(23));

  test('fits on a screen, and ends with a line', () => {
    expect(Math.max(...sample.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(120);
    expect(sample).toMatch(/[^\n]\n$/);
  });
});
