import { describe, expect, test } from 'vitest';
import type { MachineSet } from '../../../api/machine-set/machine-set.ts';
import { readSet } from './parse-set.ts';
import { aSet } from '../testing/builders.ts';

type Spec = Partial<MachineSet['spec']>;

describe('a set that is understood', () => {
  test.each<readonly [string, Spec, number, number | undefined]>([
    ['wants one Machine when it does not say', {}, 1, undefined],
    ['wants none', { replicas: 0 }, 0, undefined],
    ['replaces so many at once', { replicas: 5, remediation: { maxInFlight: 2 } }, 5, 2],
    ['replaces none', { replicas: 5, remediation: { maxInFlight: 0 } }, 5, 0],
    ['rounds a share up', { replicas: 5, remediation: { maxInFlight: '21%' } }, 5, 2],
    ['takes a share that fits as it is', { replicas: 5, remediation: { maxInFlight: '20%' } }, 5, 1],
    ['may replace all of them', { replicas: 5, remediation: { maxInFlight: '100%' } }, 5, 5],
    ['has no limit where it names none', { replicas: 5, remediation: {} }, 5, undefined],
  ])('%s', (_, spec, replicas, maxInFlight) => {
    const { replicas: _replicas, ...rest } = aSet().spec;
    expect(readSet({ ...aSet(), spec: { ...rest, ...spec } })).toMatchObject({ kind: 'valid', replicas, maxInFlight });
  });
});

describe('a set that would not know its Machines again, or has no Nodes for them, is refused', () => {
  const template = (labels: Readonly<Record<string, string>>) => ({ metadata: { labels }, spec: {} });
  test.each<readonly [string, Spec, string]>([
    ['labels that are not selected', { template: template({ role: 'other' }) }, 'does not select the labels'],
    ['no labels', { template: { spec: {} } }, 'does not select the labels'],
    ['no pool', { template: template({ role: 'worker' }) }, 'machines.sickbay.dev/pool is missing'],
    ['an empty pool', { template: template({ role: 'worker', 'machines.sickbay.dev/pool': '' }) }, 'machines.sickbay.dev/pool is missing'],
    ['a selector without terms', { selector: {} }, 'spec.selector: selects nothing'],
    [
      'a selector that makes no sense',
      { selector: { matchExpressions: [{ key: 'role', operator: 'In', values: [] }] } },
      'spec.selector: ',
    ],
  ])('%s', (_, spec, message) => {
    const read = readSet(aSet(spec));
    expect(read.kind === 'invalid' ? read.message : '').toContain(message);
  });
});
