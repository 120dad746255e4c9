import { expect, test } from 'vitest';
import type { Node } from '../../api/builtin/index.ts';
import type { Reader } from '../../runtime/reconcile/controller.ts';
import type { ProcessTable } from '../kubelet/process-table.ts';
import { aPod } from '../testing/builders.ts';
import { observe } from './observe.ts';

const processes = { known: () => [] } as unknown as ProcessTable;
const seen = (name: string) => {
  const node: Node = { apiVersion: 'v1', kind: 'Node', metadata: { ...aPod({}).metadata, name } };
  const reader = { get: () => ({ kind: 'value', value: node }) } as unknown as Reader;
  return observe(processes)({ namespace: '', name }, reader);
};

test('it reports for its own node, and for no other that a user added', () => {
  expect(seen('local')).toMatchObject({ object: { metadata: { name: 'local' } }, orphans: [] });
  expect(seen('worker-1')).toBeUndefined();
});
