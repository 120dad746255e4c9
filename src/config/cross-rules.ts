import type { Settings } from '../controllers/settings.ts';
import { CONFIG_KEYS, settingOf, type ConfigKey, type SettingPath } from './keys.ts';
import { shortDuration } from './value-forms.ts';

/** What must hold between several durations. */
export interface CrossRule {
  /** The keys it is about; the first is the one that is blamed. */
  readonly keys: readonly ConfigKey[];
  /** What is wrong; undefined when the rule holds. */
  objection(settings: Settings): string | undefined;
}

const keyOf = (path: SettingPath): ConfigKey => CONFIG_KEYS.find(({ setting }) => setting === path) as ConfigKey;

const msOf = (settings: Settings, key: ConfigKey): number => Number(settingOf(settings, key));

const says = (settings: Settings, key: ConfigKey): string => `${key.key} is ${shortDuration(msOf(settings, key))}`;

/** A phase that could outlast the whole would never time out by itself. */
function wholeAndParts(whole: SettingPath, parts: readonly SettingPath[]): CrossRule {
  const all = keyOf(whole);
  const some = parts.map(keyOf);
  return {
    keys: [all, ...some],
    objection(settings) {
      const sum = some.reduce((total, part) => total + msOf(settings, part), 0);
      if (msOf(settings, all) >= sum) return undefined;
      const named = some.map((part) => `${part.key} ${shortDuration(msOf(settings, part))}`).join(', ');
      return `${says(settings, all)}: wants at least ${shortDuration(sum)}, which its parts take together (${named})`;
    },
  };
}

function atMost(smaller: SettingPath, larger: SettingPath): CrossRule {
  const [small, large] = [keyOf(smaller), keyOf(larger)];
  return {
    keys: [small, large],
    objection: (settings) =>
      msOf(settings, small) <= msOf(settings, large)
        ? undefined
        : `${says(settings, small)}: wants at most ${shortDuration(msOf(settings, large))}, which is ${large.key}`,
  };
}

/** Routing judges from objects: what it looks back at must still be there. Retention 0 keeps everything. */
function insideRetention(window: SettingPath): CrossRule {
  const [key, retention] = [keyOf(window), keyOf('retentionMs')];
  return {
    keys: [key, retention],
    objection(settings) {
      const keptMs = msOf(settings, retention);
      if (keptMs === 0 || msOf(settings, key) <= keptMs) return undefined;
      return `${says(settings, key)}: wants at most ${shortDuration(keptMs)}, since ${retention.key} deletes what it rests on then`;
    },
  };
}

/** A certificate is of no use without its key, and the reverse. */
const bothOrNone = (one: SettingPath, other: SettingPath): CrossRule => {
  const [a, b] = [keyOf(one), keyOf(other)];
  return {
    keys: [a, b],
    objection(settings) {
      const missing = [a, b].filter((key) => settingOf(settings, key) === undefined);
      return missing.length === 1 ? `${a.key} and ${b.key} go together: ${missing[0]?.key} is missing` : undefined;
    },
  };
};

/** Without its file no sender could ever be known; a file that nothing reads would give a false sense of safety. */
const TOKENS_OF_SENDERS: CrossRule = {
  keys: [keyOf('gateway.authentication'), keyOf('gateway.tokenFile')],
  objection({ gateway: { authentication, tokenFile } }) {
    if (authentication === 'TokenFile' && tokenFile === undefined) return 'gateway.authentication is TokenFile: wants gateway.tokenFile';
    if (authentication !== 'TokenFile' && tokenFile !== undefined)
      return `gateway.tokenFile is only read where gateway.authentication is TokenFile, and it is ${authentication}`;
    return undefined;
  },
};

/** The settings that rest on remediations which have ended. */
const WINDOWS: readonly SettingPath[] = [
  'routing.consecutiveFailureCooldownMs',
  'routing.recentlyRemediatedCooldownMs',
  'routing.exponentialBackoffMaxMs',
  'routing.ineffectiveTimeWindowMs',
  'routing.noActionRequiredDelayMs',
  'dryRunHoldMs',
  'cooldownMs',
  'execution.maxCooldownMs',
];

/** Every rule between keys. */
export const CROSS_RULES: readonly CrossRule[] = [
  wholeAndParts('timeouts.globalMs', [
    'timeouts.processingMs',
    'timeouts.analyzingMs',
    'timeouts.awaitingApprovalMs',
    'timeouts.executingMs',
  ]),
  atMost('routing.exponentialBackoffBaseMs', 'routing.exponentialBackoffMaxMs'),
  atMost('execution.baseCooldownMs', 'execution.maxCooldownMs'),
  atMost('routing.scopeBackoffBaseMs', 'routing.scopeBackoffMaxMs'),
  ...WINDOWS.map(insideRetention),
  bothOrNone('server.tlsCertFile', 'server.tlsKeyFile'),
  TOKENS_OF_SENDERS,
];
