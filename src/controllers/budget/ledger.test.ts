import { describe, expect, test } from 'vitest';
import { ConfigMap } from '../../api/builtin/index.ts';
import { after, MINUTE, toMicroTime } from '../../base/index.ts';
import { createLedger, formatClaims, ledgerKey, LEDGER_SELECTOR, readLedger, writeLedger } from './ledger.ts';
import { aClaim, aLedger, NOW } from './testing/builders.ts';

const found = (value: ConfigMap) => readLedger({ kind: 'value', value });
const reasonOf = (value: ConfigMap): string => {
  const ledger = found(value);
  return ledger.kind === 'unreadable' ? ledger.reason : `understood: ${ledger.kind}`;
};
const entry = { kind: 'WorkflowExecution', key: 'sickbay-system/a', target: 'shop/Deployment/a', claimedAt: toMicroTime(NOW) };
const holding = (text: string): ConfigMap => aLedger([], { data: { ...formatClaims([aClaim('b@shop')]), 'uid-a': text } });

describe('the ledger', () => {
  test('gives back the claims that were written', () => {
    const claims = [aClaim('a@shop/n1', 5), aClaim('b@shop', MINUTE, after(NOW, -1)), aClaim('c')];
    expect(found(aLedger(claims))).toMatchObject({ kind: 'claims', claims });
  });

  test('without entries has no claims', () => {
    const { data: _, ...bare } = aLedger([]);
    expect(found(bare)).toMatchObject({ kind: 'claims', claims: [] });
    expect(found(aLedger([]))).toMatchObject({ kind: 'claims', claims: [] });
  });

  test('keeps what a later version wrote', () => {
    const ledger = found(holding(JSON.stringify({ ...entry, weight: '2' })));
    const claims = ledger.kind === 'claims' ? ledger.claims : [];
    expect(JSON.parse(formatClaims(claims)['uid-a'] ?? '')).toEqual({ ...entry, weight: '2' });
  });

  test('takes the UID from the name of the entry, whatever is in it', () =>
    expect(found(holding(JSON.stringify({ ...entry, uid: 'another' })))).toMatchObject({ claims: [{ uid: 'uid-b' }, { uid: 'uid-a' }] }));

  test.each([
    { what: 'nothing', text: '' },
    { what: 'no JSON', text: '{"kind":' },
    { what: 'a list', text: '[]' },
    { what: 'a number', text: '7' },
    { what: 'null', text: 'null' },
    { what: 'no kind', text: JSON.stringify({ ...entry, kind: undefined }) },
    { what: 'no key', text: JSON.stringify({ ...entry, key: undefined }) },
    { what: 'no target', text: JSON.stringify({ ...entry, target: undefined }) },
    { what: 'no time', text: JSON.stringify({ ...entry, claimedAt: undefined }) },
    { what: 'a time that is none', text: JSON.stringify({ ...entry, claimedAt: 'yesterday' }) },
    { what: 'an end that is none', text: JSON.stringify({ ...entry, endedAt: 'soon' }) },
    { what: 'a namespace that is no text', text: JSON.stringify({ ...entry, namespace: ['shop'] }) },
    { what: 'a node that is no text', text: JSON.stringify({ ...entry, node: 7 }) },
  ])('with an entry that holds $what is not understood, and never empty', ({ text }) => {
    expect(reasonOf(holding(text))).toContain('ConfigMap sickbay-system/sickbay-budget, has an entry uid-a that makes no sense');
  });

  test('on its way out, or immutable, is of no use', () => {
    const { metadata } = aLedger([]);
    expect(reasonOf(aLedger([], { metadata: { ...metadata, deletionTimestamp: toMicroTime(NOW) } }))).toContain('is being deleted');
    expect(reasonOf(aLedger([], { immutable: true }))).toContain('delete it');
  });

  test('that is not there is absent; one that cannot be read is not', () => {
    expect(readLedger({ kind: 'absent' })).toEqual({ kind: 'absent' });
    expect(readLedger({ kind: 'unreadable', reason: 'forbidden' })).toMatchObject({
      kind: 'unreadable',
      reason: expect.stringContaining('forbidden') as string,
    });
  });
});

describe('writing the ledger', () => {
  test('changes exactly the version that was read', () =>
    expect(writeLedger(aLedger([]), [aClaim('a@shop')])).toEqual({
      kind: 'Patch',
      resource: ConfigMap,
      key: ledgerKey('sickbay-system'),
      uid: 'ledger-uid',
      resourceVersion: '9',
      operations: [{ op: 'add', path: '/data', value: formatClaims([aClaim('a@shop')]) }],
    }));

  test('begins with an empty one that its own selector finds', () => {
    const effect = createLedger('sickbay-system');
    const object = effect.kind === 'Create' ? effect.object : undefined;
    expect(object).toMatchObject({ metadata: { name: 'sickbay-budget', namespace: 'sickbay-system' } });
    expect(Object.entries(object?.metadata.labels ?? {}).map((label) => label.join('='))).toEqual([LEDGER_SELECTOR]);
    expect(object).not.toHaveProperty('data');
  });
});
