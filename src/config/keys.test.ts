import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { DEFAULT_SETTINGS } from '../controllers/default-settings.ts';
import { CONFIG_KEYS, defaultOf, isSection, keyNamed, settingOf, withSetting } from './keys.ts';
import { readValue, writeValue } from './value-forms.ts';

/** The way to everything that is no object. */
const leavesOf = (value: unknown, path: string): readonly string[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, inner]) => leavesOf(inner, path === '' ? name : `${path}.${name}`))
    : [path];

/** The settings that are not there by default. */
const WITHOUT_DEFAULT = [
  'server.tlsCertFile',
  'server.tlsKeyFile',
  'gateway.tokenFile',
  'budget.paused',
  'ansible.apiURL',
  'external.prometheusUrl',
  'external.alertManagerUrl',
  'external.tlsCaFile',
  'external.tokenFile',
];

describe('the table of keys', () => {
  test('has a line for every setting, and no other', () => {
    const settings = CONFIG_KEYS.map(({ setting }) => setting as string);
    const { notifications: _tree, changeWindows: _windows, ...others } = DEFAULT_SETTINGS;
    expect(settings.toSorted()).toEqual([...leavesOf(others, ''), ...WITHOUT_DEFAULT].toSorted());
  });

  test('no name means two things', () => {
    const names = CONFIG_KEYS.flatMap(({ key, aliases = [] }) => [key, ...aliases]);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter(isSection)).toEqual([]);
  });

  test('only what is used before anything runs needs a restart', () => {
    expect(CONFIG_KEYS.filter(({ needsRestart }) => needsRestart).map(({ key }) => key)).toEqual([
      'namespace',
      'executionNamespace',
      'clusterName',
      'server.listenAddr',
      'server.tlsCertFile',
      'server.tlsKeyFile',
      'gateway.authentication',
      'gateway.tokenFile',
      'effectivenessAssessment.maxConcurrentReconciles',
      'machineOwner.enabled',
      'external.prometheusUrl',
      'external.prometheusEnabled',
      'external.alertManagerUrl',
      'external.alertManagerEnabled',
      'external.connectionTimeout',
      'external.tlsCaFile',
      'external.tokenFile',
    ]);
  });

  test.each(CONFIG_KEYS)('$key: its default is one of the values that are allowed', (key) => {
    const setting = defaultOf(key);
    if (setting !== undefined)
      expect(readValue(key.form, parse(writeValue(key.form, setting) ?? ''))).toEqual({ kind: 'value', value: setting });
  });

  test.each(CONFIG_KEYS)('$key: is described in a sentence', ({ meaning }) => expect(meaning).toMatch(/^[A-Z].*\.$/));
});

describe('names', () => {
  test.each([
    ['routing.scopeBackoffBase', 'routing.scopeBackoffBase'],
    ['routing.ScopeBackoffBase', 'routing.scopeBackoffBase'],
    ['Routing.ScopeBackoffBase', 'routing.scopeBackoffBase'],
    ['execution.namespace', 'executionNamespace'],
    ['workflowexecution.config.execution.cooldownPeriod', 'execution.cooldownPeriod'],
    ['assessment.validityWindow', 'effectivenessAssessment.validityWindow'],
    ['routing.SCOPEBACKOFFBASE', undefined],
    ['scopeBackoffBase', undefined],
    ['routing', undefined],
    ['', undefined],
    ['constructor', undefined],
  ])('%s is %s', (name, want) => expect(keyNamed(name)?.key).toBe(want));

  test.each([
    ['routing', true],
    ['Budget.Running', true],
    ['workflowexecution.config', true],
    ['routing.scopeBackoffBase', false],
    ['__proto__', false],
    ['', false],
  ])('%s is a section: %s', (name, want) => expect(isSection(name)).toBe(want));
});

describe('a setting', () => {
  const key = keyNamed('budget.running.node');
  const paused = keyNamed('budget.paused');

  test('is replaced, and nothing else', () => {
    if (!key) throw new Error('no such key');
    const settings = withSetting(DEFAULT_SETTINGS, key, 7);
    expect(settingOf(settings, key)).toBe(7);
    expect(withSetting(settings, key, defaultOf(key))).toEqual(DEFAULT_SETTINGS);
    expect(DEFAULT_SETTINGS.budget.running.node).toBe(1);
  });

  test('that is taken away leaves no trace', () => {
    if (!paused) throw new Error('no such key');
    const stopped = withSetting(DEFAULT_SETTINGS, paused, 'freeze');
    expect(stopped.budget.paused).toBe('freeze');
    expect(withSetting(stopped, paused, undefined)).toStrictEqual(DEFAULT_SETTINGS);
  });
});
