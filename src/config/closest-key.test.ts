import { expect, test } from 'vitest';
import { CONFIG_KEYS } from './keys.ts';
import { closestKey } from './closest-key.ts';

const names = CONFIG_KEYS.map(({ key }) => key);

test.each([
  { name: 'dryrun', want: 'dryRun', reason: 'another case' },
  { name: 'routing.scopeBackofBase', want: 'routing.scopeBackoffBase', reason: 'a letter is missing' },
  { name: 'routing.ScopeBackoffBasis', want: 'routing.scopeBackoffBase', reason: 'two letters differ' },
  { name: 'ineffectiveTimeWindow', want: 'routing.ineffectiveTimeWindow', reason: 'the section is missing' },
  { name: 'timeouts.cooldownPeriod', want: 'execution.cooldownPeriod', reason: 'the section is wrong' },
  { name: 'timeout.global', want: 'timeouts.global', reason: 'the section is misspelled' },
  { name: 'routing.x', want: undefined, reason: 'nothing is near' },
  { name: 'dryFuns', want: undefined, reason: 'two slips in a short name are another name' },
  { name: '', want: undefined, reason: 'no name' },
  { name: `dryRun${'n'.repeat(100_000)}`, want: undefined, reason: 'far too long to be a slip' },
])('$reason: $want', ({ name, want }) => expect(closestKey(name, names)).toBe(want));
