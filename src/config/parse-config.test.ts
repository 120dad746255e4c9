import { describe, expect, test } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../base/index.ts';
import { DEFAULT_SETTINGS } from '../controllers/default-settings.ts';
import type { RoutingSettings, Settings } from '../controllers/settings.ts';
import { parseConfig } from './parse-config.ts';
import { problemLine } from './problem.ts';

function settingsOf(text: string): Settings {
  const parsed = parseConfig(text);
  if (parsed.kind === 'refused') throw new Error(parsed.problems.map((problem) => problemLine('config.yaml', problem)).join('\n'));
  return parsed.settings;
}

const linesOf = (text: string): readonly string[] => {
  const parsed = parseConfig(text);
  return parsed.kind === 'valid' ? [] : parsed.problems.map((problem) => problemLine('config.yaml', problem));
};

describe('what a file leaves out is as by default', () => {
  test.each(['{}', '# only words', 'routing:', 'routing: {}', 'timeouts: ~', '---\n{}\n', '\uFEFFdryRun: false'])('%j', (text) =>
    expect(settingsOf(text)).toEqual(DEFAULT_SETTINGS),
  );
});

interface Parameter {
  /** The row that this proves together with the tests of the check it belongs to. */
  readonly id: string;
  /** As the seed's table writes it. */
  readonly name: string;
  readonly setting: keyof RoutingSettings;
  readonly byDefault: number;
  readonly written: string;
  readonly want: number;
}

const PARAMETERS: readonly Parameter[] = [
  { id: '[RR-145]', name: 'ConsecutiveFailureThreshold', setting: 'consecutiveFailureThreshold', byDefault: 3, written: '7', want: 7 },
  {
    id: '[RR-146]',
    name: 'ConsecutiveFailureCooldown',
    setting: 'consecutiveFailureCooldownMs',
    byDefault: HOUR,
    written: '2h',
    want: 2 * HOUR,
  },
  {
    id: '[RR-147]',
    name: 'RecentlyRemediatedCooldown',
    setting: 'recentlyRemediatedCooldownMs',
    byDefault: 5 * MINUTE,
    written: '90s',
    want: 90 * SECOND,
  },
  {
    id: '[RR-148]',
    name: 'ExponentialBackoffBase',
    setting: 'exponentialBackoffBaseMs',
    byDefault: 60 * SECOND,
    written: '2m',
    want: 2 * MINUTE,
  },
  { id: '[RR-149]', name: 'ExponentialBackoffMax', setting: 'exponentialBackoffMaxMs', byDefault: 10 * MINUTE, written: '1h', want: HOUR },
  { id: '[RR-150]', name: 'ExponentialBackoffMaxExponent', setting: 'exponentialBackoffMaxExponent', byDefault: 4, written: '0', want: 0 },
  { id: '[RR-151]', name: 'ScopeBackoffBase', setting: 'scopeBackoffBaseMs', byDefault: 5 * SECOND, written: '1m', want: MINUTE },
  { id: '[RR-152]', name: 'ScopeBackoffMax', setting: 'scopeBackoffMaxMs', byDefault: 5 * MINUTE, written: '1h30m', want: 90 * MINUTE },
  { id: '[RR-153]', name: 'IneffectiveChainThreshold', setting: 'ineffectiveChainThreshold', byDefault: 3, written: '2', want: 2 },
  { id: '[RR-154]', name: 'RecurrenceCountThreshold', setting: 'recurrenceCountThreshold', byDefault: 5, written: '9', want: 9 },
  {
    id: '[RR-155]',
    name: 'IneffectiveTimeWindow',
    setting: 'ineffectiveTimeWindowMs',
    byDefault: 4 * HOUR,
    written: '12h',
    want: 12 * HOUR,
  },
  {
    id: '[RR-156]',
    name: 'RequeueResourceBusy',
    setting: 'requeueResourceBusyMs',
    byDefault: 30 * SECOND,
    written: '10s',
    want: 10 * SECOND,
  },
  { id: '[RR-157]', name: 'RequeueGenericError', setting: 'requeueGenericErrorMs', byDefault: 5 * SECOND, written: '1s', want: SECOND },
  {
    id: '',
    name: 'NoActionRequiredDelayHours',
    setting: 'noActionRequiredDelayMs',
    byDefault: 24 * HOUR,
    written: '12',
    want: 12 * HOUR,
  },
];

describe('the fourteen parameters of routing', () => {
  test.each(PARAMETERS)('$id $name has its default, and $written reaches the setting', ({ name, setting, byDefault, written, want }) => {
    const lower = name.slice(0, 1).toLowerCase() + name.slice(1);
    expect(DEFAULT_SETTINGS.routing[setting]).toBe(byDefault);
    for (const spelled of [name, lower])
      expect(settingsOf(`routing:\n  ${spelled}: ${written}`)).toEqual({
        ...DEFAULT_SETTINGS,
        routing: { ...DEFAULT_SETTINGS.routing, [setting]: want },
      });
  });

  test('all of them can be set, each by itself and all at once', () => {
    const text = PARAMETERS.map(({ name, written }) => `  ${name}: ${written}\n`).join('');
    const { routing } = settingsOf(`routing:\n${text}`);
    expect(PARAMETERS.map(({ setting }) => routing[setting])).toEqual(PARAMETERS.map(({ want }) => want));
  });

  test.each([
    { written: '2', want: 2 * HOUR },
    { written: '2h', want: 2 * HOUR },
    { written: '90m', want: 90 * MINUTE },
    { written: '0', want: 0 },
  ])('NoActionRequiredDelayHours: $written is $want ms', ({ written, want }) =>
    expect(settingsOf(`routing: { NoActionRequiredDelayHours: ${written} }`).routing.noActionRequiredDelayMs).toBe(want),
  );
});

describe('[BO-145] the back-off of a target', () => {
  const { execution } = DEFAULT_SETTINGS;
  test.each<{ id: string; text: string; want: Partial<Settings['execution']> }>([
    { id: 'BO-146', text: 'base-cooldown-period: "2m"', want: { baseCooldownMs: 2 * MINUTE } },
    { id: 'BO-147', text: 'max-cooldown-period: "20m"', want: { maxCooldownMs: 20 * MINUTE } },
    { id: 'BO-148', text: 'max-backoff-exponent: "3"', want: { maxBackoffExponent: 3 } },
    { id: 'BO-149', text: 'max-consecutive-failures: "7"', want: { maxConsecutiveFailures: 7 } },
    { id: 'BO-149', text: 'max-consecutive-failures: 7', want: { maxConsecutiveFailures: 7 } },
    { id: 'BO-149', text: 'execution: { maxConsecutiveFailures: 7 }', want: { maxConsecutiveFailures: 7 } },
  ])('[$id] [BO-150] $text, and all else as by default', ({ text, want }) =>
    expect(settingsOf(text)).toEqual({ ...DEFAULT_SETTINGS, execution: { ...execution, ...want } }),
  );

  test.each(['max-backoff-exponent: "-1"', 'max-backoff-exponent: "x"', 'max-consecutive-failures: "0"', 'base-cooldown-period: 11m'])(
    '%s is refused',
    (text) => expect(linesOf(text)).toHaveLength(1),
  );
});

describe('the other keys', () => {
  test.each<{ text: string; want: Partial<Settings> }>([
    { text: 'namespace: ops', want: { namespace: 'ops' } },
    { text: 'executionNamespace: runs', want: { executionNamespace: 'runs' } },
    { text: 'execution: { namespace: runs }', want: { executionNamespace: 'runs' } },
    { text: 'clusterName: "eu/1"', want: { clusterID: 'eu/1' } },
    { text: 'dryRun: true', want: { dryRun: true } },
    { text: 'dryRunHoldPeriod: 5m', want: { dryRunHoldMs: 5 * MINUTE } },
    { text: 'retention: { period: 0 }', want: { retentionMs: 0 } },
    { text: 'retention: { period: 48h }', want: { retentionMs: 48 * HOUR } },
    { text: 'execution: { cooldownPeriod: 5m }', want: { cooldownMs: 5 * MINUTE } },
    { text: 'workflowexecution: { config: { execution: { cooldownPeriod: 2m } } }', want: { cooldownMs: 2 * MINUTE } },
    { text: 'workflowexecution.config.execution.cooldownPeriod: 2m', want: { cooldownMs: 2 * MINUTE } },
    {
      text: 'effectivenessAssessment: { stabilizationWindow: 1s, validityWindow: 1h }',
      want: { stabilizationMs: SECOND, validityMs: HOUR },
    },
    { text: 'assessment: { stabilizationWindow: 1h }', want: { stabilizationMs: HOUR } },
    { text: 'approval: { requesterMayApprove: false }', want: { approval: { requesterMayApprove: false, askAgainAfterMs: 4 * HOUR } } },
    { text: 'approval: { askAgainAfter: 30m }', want: { approval: { requesterMayApprove: true, askAgainAfterMs: 30 * MINUTE } } },
    { text: 'approval: { askAgainAfter: 0s }', want: { approval: { requesterMayApprove: true, askAgainAfterMs: 0 } } },
    { text: 'budget: { paused: freeze until Monday }', want: { budget: { ...DEFAULT_SETTINGS.budget, paused: 'freeze until Monday' } } },
    { text: 'budget: { paused: "" }', want: {} },
    {
      text: 'ansible: { apiURL: https://awx.example.com/tower, organizationID: "3", tokenSecretRef: { name: awx, namespace: ops, key: t } }',
      want: {
        ansible: {
          apiURL: 'https://awx.example.com/tower',
          organizationID: 3,
          tokenSecretRef: { name: 'awx', namespace: 'ops', key: 't' },
        },
      },
    },
    { text: 'ansible: { apiURL: "" }', want: {} },
    {
      text: 'budget: { running: { node: 2 }, perHour: { cluster: 3 } }',
      want: { budget: { running: { cluster: 5, namespace: 2, node: 2 }, perHour: { cluster: 3, namespace: 10 } } },
    },
    {
      text: 'asyncPropagation: { gitOpsSyncDelay: 0, operatorReconcileDelay: 2m, proactiveAlertDelay: 3m }',
      want: { propagation: { gitOpsSyncMs: 0, operatorReconcileMs: 2 * MINUTE, proactiveAlertMs: 3 * MINUTE } },
    },
    {
      text: 'timeouts: { global: 3h, processing: 10m, analyzing: 20m, awaitingApproval: 1h, executing: 1h, verifying: 45m }',
      want: {
        timeouts: {
          globalMs: 3 * HOUR,
          processingMs: 10 * MINUTE,
          analyzingMs: 20 * MINUTE,
          awaitingApprovalMs: HOUR,
          executingMs: HOUR,
          verifyingMs: 45 * MINUTE,
        },
      },
    },
    {
      text: 'routing: { onDuplicateResolved: Inherit, maxBlockedTime: 6h }',
      want: { routing: { ...DEFAULT_SETTINGS.routing, onDuplicateResolved: 'Inherit', maxBlockedMs: 6 * HOUR } },
    },
    { text: 'retention: { period: &a 48h }\ndryRunHoldPeriod: *a', want: { retentionMs: 48 * HOUR, dryRunHoldMs: 48 * HOUR } },
  ])('$text', ({ text, want }) => expect(settingsOf(text)).toStrictEqual({ ...DEFAULT_SETTINGS, ...want }));

  test('[WE-061] the cooldown of executions has the key of its specification as well', () =>
    expect(settingsOf('workflowexecution: { config: { execution: { cooldownPeriod: 90s } } }').cooldownMs).toBe(90 * SECOND));

  test('it says which keys a file sets, by their own names', () =>
    expect(parseConfig('dryRun: false\nRouting: { ScopeBackoffBase: 5s }\nassessment: { validityWindow: 30m }')).toMatchObject({
      keys: ['dryRun', 'routing.scopeBackoffBase', 'effectivenessAssessment.validityWindow'],
    }));
});

interface Bad {
  readonly reason: string;
  readonly text: string;
  readonly want: string;
}

const BAD: readonly Bad[] = [
  { reason: 'empty', text: '', want: 'config.yaml: holds nothing: write {} where everything is to be as by default' },
  { reason: 'blank', text: ' \n\n', want: 'config.yaml: holds nothing: write {} where everything is to be as by default' },
  { reason: 'a list', text: '- dryRun', want: 'config.yaml:1:1: is a list: wants keys and values, such as "dryRun: true"' },
  { reason: 'a word', text: 'dryRun', want: 'config.yaml:1:1: is "dryRun": wants keys and values, such as "dryRun: true"' },
  {
    reason: 'no YAML',
    text: 'dryRun: true\nrouting: a: b',
    want: 'config.yaml:2:10: cannot be read as YAML: Nested mappings are not allowed in compact mappings',
  },
  { reason: 'an unknown tag', text: 'dryRun: !yes true', want: 'config.yaml:1:9: cannot be read as YAML: Unresolved tag: !yes' },
  { reason: 'a key that is no name', text: '? [a]\n: 1', want: 'config.yaml:1:3: the file has a key that is no name: a list' },
  { reason: 'an unknown key', text: 'dryrun: true', want: 'config.yaml:1:1: dryrun (true) is not a key: did you mean dryRun?' },
  {
    reason: 'an unknown key in a section',
    text: 'retention:\n  after: 3h',
    want: 'config.yaml:2:3: retention.after ("3h") is not a key: under retention there are period',
  },
  {
    reason: 'a key that YAML has ideas about',
    text: '__proto__: { dryRun: true }',
    want: 'config.yaml:1:1: __proto__ (a map) is not a key: there are namespace, executionNamespace, clusterName, ',
  },
  {
    reason: 'a section that is a value',
    text: 'budget:\n  running: 3',
    want: 'config.yaml:2:3: budget.running is 3: wants the keys cluster, namespace, node',
  },
  {
    reason: 'a value that is a section',
    text: 'dryRun:\n  enabled: true',
    want: 'config.yaml:1:1: dryRun is a map: wants true or false',
  },
  {
    reason: 'an address of AWX with a password in it',
    text: 'ansible:\n  apiURL: https://admin:pw@awx.example.com',
    want: 'wants the address of AWX, as https://awx.example.com, without user, query or /api/v2',
  },
  { reason: 'no value', text: 'dryRun:', want: 'config.yaml:1:1: dryRun is empty: wants true or false' },
  { reason: 'an alias of nothing', text: 'dryRun: *a', want: 'config.yaml:1:1: dryRun is empty: wants true or false' },
  { reason: 'a flag in other words', text: 'dryRun: yes', want: 'config.yaml:1:1: dryRun is "yes": wants true or false' },
  {
    reason: 'no unit',
    text: 'timeouts:\n  global: 90',
    want: 'config.yaml:2:3: timeouts.global is 90: wants a duration such as 5m or 1h30m, from 1s to 168h',
  },
  {
    reason: 'zero',
    text: 'timeouts:\n  executing: 0s',
    want: 'config.yaml:2:3: timeouts.executing is "0s": wants a duration such as 5m or 1h30m, from 1s to 168h',
  },
  {
    reason: 'negative',
    text: 'timeouts: { analyzing: -10m }',
    want: 'config.yaml:1:13: timeouts.analyzing is "-10m": wants a duration such as 5m or 1h30m, from 1s to 168h',
  },
  {
    reason: 'too long',
    text: 'effectivenessAssessment: { stabilizationWindow: 61m }',
    want: 'effectivenessAssessment.stabilizationWindow is "61m": wants a duration such as 5m or 1h30m, from 1s to 1h',
  },
  {
    reason: 'too short a window',
    text: 'effectivenessAssessment: { stabilizationWindow: 999ms }',
    want: 'effectivenessAssessment.stabilizationWindow is "999ms": wants a duration such as 5m or 1h30m, from 1s to 1h',
  },
  {
    reason: 'too short a hold',
    text: 'dryRunHoldPeriod: 4m',
    want: 'dryRunHoldPeriod is "4m": wants a duration such as 5m or 1h30m, from 5m to 168h',
  },
  {
    reason: 'too long a hold',
    text: 'dryRunHoldPeriod: 169h',
    want: 'dryRunHoldPeriod is "169h": wants a duration such as 5m or 1h30m, from 5m to 168h',
  },
  {
    reason: 'kept too short for what is counted in an hour',
    text: 'retention: { period: 30m }',
    want: 'retention.period is "30m": wants a duration such as 5m or 1h30m, from 1h to 8736h, or 0 (for ever)',
  },
  {
    reason: 'a threshold of zero',
    text: 'routing: { ineffectiveChainThreshold: 0 }',
    want: 'routing.ineffectiveChainThreshold is 0: wants a whole number from 1 to 100',
  },
  {
    reason: 'a number in quotes',
    text: 'routing: { consecutiveFailureThreshold: "3" }',
    want: 'routing.consecutiveFailureThreshold is "3": wants a whole number from 1 to 100',
  },
  {
    reason: 'half an hour',
    text: 'routing: { noActionRequiredDelayHours: 0.5 }',
    want: 'routing.noActionRequiredDelayHours is 0.5: wants a whole number of hours or a duration such as 1h30m, from 1m to 672h, or 0 (not at all)',
  },
  {
    reason: 'no choice',
    text: 'routing: { onDuplicateResolved: Drop }',
    want: 'routing.onDuplicateResolved is "Drop": wants Requeue or Inherit',
  },
  {
    reason: 'no namespace',
    text: 'namespace: Sick_Bay',
    want: 'namespace is "Sick_Bay": wants the name of a namespace: up to 63 lower-case',
  },
  {
    reason: 'two lines',
    text: 'budget: { paused: "a\\nb" }',
    want: 'budget.paused is "a\\nb": wants the reason for the pause, in one line',
  },
  { reason: 'a pause without a reason', text: 'budget: { paused: true }', want: 'budget.paused is true: wants the reason for the pause' },
  {
    reason: 'twice',
    text: 'dryRun: true\ndryRun: false',
    want: 'config.yaml:2:1: dryRun is false, but line 1 says true: wants to be there once',
  },
  {
    reason: 'twice, in two spellings',
    text: 'routing:\n  scopeBackoffBase: 5s\n  ScopeBackoffBase: 6s',
    want: 'config.yaml:3:3: routing.ScopeBackoffBase is "6s", but line 2 says "5s": wants to be there once',
  },
  {
    reason: 'twice, in two sections',
    text: 'execution: { namespace: a }\nexecutionNamespace: a',
    want: 'config.yaml:2:1: executionNamespace is "a", but line 1 says "a": wants to be there once',
  },
];

const CROSS: readonly Bad[] = [
  {
    reason: 'the whole is shorter than its parts',
    text: 'timeouts:\n  global: 59m',
    want:
      'config.yaml:2:3: timeouts.global is 59m: wants at least 1h, which its parts take together ' +
      '(timeouts.processing 5m, timeouts.analyzing 10m, timeouts.awaitingApproval 15m, timeouts.executing 30m)',
  },
  {
    reason: 'a part is too long',
    text: 'timeouts:\n\n  executing: 31m',
    want: 'config.yaml:3:3: timeouts.global is 1h: wants at least 1h1m',
  },
  {
    reason: 'a base above its maximum',
    text: 'routing: { scopeBackoffBase: 6m }',
    want: 'config.yaml:1:12: routing.scopeBackoffBase is 6m: wants at most 5m, which is routing.scopeBackoffMax',
  },
  {
    reason: 'a maximum below its base',
    text: 'routing: { exponentialBackoffMax: 30s }',
    want: 'config.yaml:1:12: routing.exponentialBackoffBase is 1m: wants at most 30s, which is routing.exponentialBackoffMax',
  },
  ...[
    ['routing.consecutiveFailureCooldown', '25h'],
    ['routing.recentlyRemediatedCooldown', '25h'],
    ['routing.exponentialBackoffMax', '25h'],
    ['routing.ineffectiveTimeWindow', '25h'],
    ['routing.noActionRequiredDelayHours', '25h'],
    ['dryRunHoldPeriod', '25h'],
    ['execution.cooldownPeriod', '25h'],
  ].map(([key, value]) => ({
    reason: 'what is looked back at would be gone',
    text: `${key}: ${value}`,
    want: `config.yaml:1:1: ${key} is ${value}: wants at most 24h, since retention.period deletes what it rests on then`,
  })),
  {
    reason: 'retention is too short',
    text: 'retention: { period: 3h }\nrouting: { noActionRequiredDelayHours: 1 }',
    want: 'config.yaml:1:14: routing.ineffectiveTimeWindow is 4h: wants at most 3h',
  },
  {
    reason: 'a certificate without its key',
    text: 'server:\n  tlsCertFile: /tls/tls.crt',
    want: 'config.yaml:2:3: server.tlsCertFile and server.tlsKeyFile go together: server.tlsKeyFile is missing',
  },
  {
    reason: 'tokens of senders without their file',
    text: 'gateway:\n  authentication: TokenFile',
    want: 'config.yaml:2:3: gateway.authentication is TokenFile: wants gateway.tokenFile',
  },
  {
    reason: 'a file of tokens that nothing reads',
    text: 'gateway:\n  tokenFile: /tokens',
    want: 'config.yaml:2:3: gateway.tokenFile is only read where gateway.authentication is TokenFile, and it is None',
  },
  {
    reason: 'a port that does not exist',
    text: 'server: { listenAddr: ":70000" }',
    want: 'config.yaml:1:11: server.listenAddr is ":70000": wants an address and a port',
  },
  {
    reason: 'an address without a port',
    text: 'server: { listenAddr: 0.0.0.0 }',
    want: 'config.yaml:1:11: server.listenAddr is "0.0.0.0": wants an address and a port',
  },
];

describe('a file that cannot be used', () => {
  test.each(BAD)('$reason: $text', ({ text, want }) => {
    const [line, ...others] = linesOf(text);
    expect(line).toContain(want);
    expect(others).toEqual([]);
  });

  test.each(CROSS)('$reason: $text', ({ text, want }) => expect(linesOf(text)).toEqual([expect.stringContaining(want)]));

  test('two documents are one too many', () =>
    expect(linesOf('dryRun: true\n---\ndryRun: false')).toEqual([expect.stringContaining('cannot be read as YAML')]));

  test.each([
    { reason: 'the sum itself', text: 'timeouts: { global: 1h }' },
    { reason: 'equal', text: 'routing: { scopeBackoffBase: 5m }' },
    { reason: 'as long as it is kept', text: 'routing: { ineffectiveTimeWindow: 24h }' },
    { reason: 'kept for ever', text: 'retention: { period: 0 }\nrouting: { ineffectiveTimeWindow: 168h }' },
    { reason: 'kept longer', text: 'retention: { period: 200h }\ndryRunHoldPeriod: 168h' },
  ])('$reason is no disagreement', ({ text }) => expect(linesOf(text)).toEqual([]));

  test('says everything at once, in the order of the file', () =>
    expect(
      linesOf('dryRun: 1\nrouting:\n  scopeBackoffMax: 1s\n  x: 2\nnope: 1\nretention: { period: -1h }').map((line) => line.split(' ')[0]),
    ).toEqual(['config.yaml:1:1:', 'config.yaml:3:3:', 'config.yaml:4:3:', 'config.yaml:5:1:', 'config.yaml:6:14:']));

  test('a value that is wrong by itself is not held against others', () =>
    expect(linesOf('timeouts:\n  global: 1m\n  executing: -1m')).toEqual([expect.stringContaining('timeouts.executing is "-1m"')]));

  test('an alias within an alias within an alias takes no time', () => {
    const levels = Array.from({ length: 30 }, (_, n) => `a${n + 1}: &a${n + 1} [*a${n}, *a${n}]`).join('\n');
    expect(linesOf(`a0: &a0 x\n${levels}\ndryRun: *a30`)).toContainEqual(expect.stringContaining('dryRun is a list: wants true or false'));
  });
});
