import { describe, expect, test } from 'vitest';
import { HOUR, MINUTE, toTime } from '../../../../base/index.ts';
import { changesWith, frozen, windowAround } from '../../testing/change-evidence.ts';
import { anEvidence, aRequest, at, NOW, TARGET } from '../testing/builders.ts';
import { changeFreezeCheck } from './change-freeze.ts';

const containing = (text: string): unknown => expect.stringContaining(text);
const check = (changes?: ReturnType<typeof frozen>, more: Parameters<typeof anEvidence>[0] = {}) =>
  changeFreezeCheck(anEvidence({ ...(changes && { changes }), ...more }), NOW);

describe('check 8, ChangeFreeze', () => {
  test('without change windows it passes', () => expect(check()).toEqual({ kind: 'pass', check: 'ChangeFreeze', inputs: {} }));

  test('a freeze blocks until its end, and says how it can run before', () =>
    expect(check(frozen(NOW, 2 * HOUR))).toEqual({
      kind: 'block',
      check: 'ChangeFreeze',
      inputs: { freeze: 'year-end' },
      message: `change freeze year-end (the books are closed): Deployment shop/checkout is not changed before it ends at ${toTime(at(2 * HOUR))}, or when a person with the right overrides it`,
      window: { kind: 'ChangeFreeze', name: 'year-end', target: TARGET },
      until: at(2 * HOUR),
      lookAgainAt: at(MINUTE),
    }));

  test('one that has ended does not', () => expect(check(frozen(NOW, 0)).kind).toBe('pass'));

  test('a person who overrides it lets it pass, by name', () =>
    expect(check(frozen(NOW, HOUR, { override: { by: 'dana', reason: '' } }))).toMatchObject({
      kind: 'pass',
      inputs: { overriddenBy: 'dana' },
    }));

  test('an override by a name that was not checked blocks, and the message says what to do', () =>
    expect(check(frozen(NOW, HOUR, { ignoredOverrideBy: 'dana' }))).toMatchObject({
      kind: 'block',
      message: containing('The override of dana does not count, because the cluster did not verify the name: install the policies'),
    }));

  test.each([
    ['undoes a change', { undoOf: { name: 'rr-0', uid: 'u' } }],
    ['uncordons a Node that has recovered', { signalSource: 'node-recovery' }],
    [
      'uncordons the Node of a Machine',
      { signalSource: 'machine-health', providerData: '{"pipelineRemediation":{},"purpose":"uncordon"}' },
    ],
  ])('a request that %s is not held back: it restores', (_, spec) =>
    expect(check(frozen(NOW, HOUR), { request: aRequest('rr', {}, { spec }) })).toMatchObject({ kind: 'pass', inputs: { restores: true } }),
  );

  test.each([
    { signalSource: 'machine-health', signalName: 'MachineRecovered', providerData: '{"pipelineRemediation":{}}' },
    { signalSource: 'alertmanager', providerData: '{"purpose":"uncordon"}' },
    { signalSource: 'machine-health', providerData: 'no JSON' },
  ])('one that remediates a Node is: %j', (spec) =>
    expect(check(frozen(NOW, HOUR), { request: aRequest('rr', {}, { spec }) }).kind).toBe('block'),
  );

  test('the planned target counts, not the one of the signal', () => {
    const changes = changesWith({ changeFreezes: [windowAround(NOW, HOUR, { namespaces: ['bank'] })] });
    const planned = { target: { kind: 'Deployment', name: 'ledger', namespace: 'bank', apiVersion: 'apps/v1' } };
    expect(check(changes).kind).toBe('pass');
    expect(check(changes, { planned })).toMatchObject({ kind: 'block', message: containing('Deployment bank/ledger') });
  });

  test('a signal that joined with a higher severity counts', () => {
    const changes = changesWith({ changeFreezes: [windowAround(NOW, HOUR, { severities: ['warning'] })] });
    const warning = aRequest('rr', {}, { spec: { severity: 'warning' } });
    const raised = aRequest('rr', { deduplication: { alerts: [{ name: 'Other', instance: 'a', severity: 'critical' }] } } as never, {
      spec: { severity: 'warning' },
    });
    expect(check(changes, { request: warning }).kind).toBe('block');
    expect(check(changes, { request: raised }).kind).toBe('pass');
  });

  test('outside its maintenance windows it waits for the first that opens', () => {
    const changes = changesWith({ maintenanceWindows: [windowAround(at(3 * HOUR), HOUR)] });
    expect(check(changes)).toMatchObject({
      kind: 'block',
      inputs: { maintenanceWindow: 'year-end' },
      until: at(2 * HOUR),
      window: { kind: 'MaintenanceWindow', name: 'year-end', target: TARGET },
      message: containing(`opens at ${toTime(at(2 * HOUR))}`),
    });
  });

  test('a window that never opens again is reported as a mistake', () => {
    const found = check(changesWith({ maintenanceWindows: [windowAround(NOW, -MINUTE)] }));
    expect(found).toMatchObject({ kind: 'block', message: containing('does not open again: correct maintenanceWindows') });
    expect(found).not.toHaveProperty('until');
  });

  test('labels that cannot be read are no free pass', () => {
    const labels = { kind: 'unreadable', reason: 'forbidden' } as const;
    const changes = changesWith({ changeFreezes: [windowAround(NOW, HOUR, { labels: { tier: 'web' } })] }, { labels });
    expect(check(changes)).toMatchObject({ kind: 'unknown', reason: containing('forbidden') });
  });
});
