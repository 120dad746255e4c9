import { describe, expect, test } from 'vitest';
import { FINALIZERS } from '../../../api/well-known.ts';
import { isKept, keep, releaseRequest } from './finalizer.ts';
import { aRequest, at } from './testing/builders.ts';

const OURS = FINALIZERS.machineRemediation;
/** Without a list where there is none. */
const request = (finalizers?: readonly string[]) => {
  const { metadata, ...object } = aRequest();
  const { name, namespace = '', uid, resourceVersion } = metadata;
  return { ...object, metadata: { name, namespace, uid, resourceVersion, creationTimestamp: at(0), ...(finalizers && { finalizers }) } };
};
const written = (value: readonly string[]) => ({
  kind: 'Patch',
  key: { namespace: 'machines', name: 'worker-1' },
  uid: 'uid-worker-1',
  resourceVersion: '7',
  operations: [{ op: 'add', path: '/metadata/finalizers', value }],
});

describe('our finalizer, among those of others', () => {
  test.each([
    { on: undefined, kept: false, added: [OURS], without: [] },
    { on: [], kept: false, added: [OURS], without: [] },
    { on: ['other'], kept: false, added: ['other', OURS], without: ['other'] },
    { on: ['other', OURS, 'more'], kept: true, without: ['other', 'more'] },
  ])('on $on', ({ on, kept, added, without }) => {
    expect(isKept(request(on))).toBe(kept);
    expect(releaseRequest(request(on))).toMatchObject(written(without));
    if (added) expect(keep(request(on))).toMatchObject(written(added));
  });
});
