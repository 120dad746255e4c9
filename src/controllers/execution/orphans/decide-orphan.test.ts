import { describe, expect, test } from 'vitest';
import { Job, Lease, type Pod } from '../../../api/builtin/index.ts';
import type { KubeObject } from '../../../api/meta.ts';
import { ANNOTATIONS, LABELS } from '../../../api/well-known.ts';
import { after, instant, MINUTE } from '../../../base/index.ts';
import type { Listed, Read } from '../../../runtime/reconcile/controller.ts';
import { decideOrphan, type ObservedOrphan } from './decide-orphan.ts';

const NOW = instant(1_800_000_000_000);
const UID = 'we-uid';

const marked = (kind: string, change: object = {}): KubeObject => ({
  apiVersion: 'v1',
  kind,
  ...change,
  metadata: {
    name: 'wfe-1',
    namespace: 'kubernaut-workflows',
    uid: 'its-uid',
    resourceVersion: '1',
    generation: 1,
    creationTimestamp: '2026-01-01T00:00:00Z',
    labels: { [LABELS.workflowExecutionUid]: UID },
    ...('metadata' in change ? (change.metadata as object) : {}),
  },
});

const lock = (change: object = {}): KubeObject => marked('Lease', { spec: { holderIdentity: UID }, ...change });
const job = (spec: object, change: object = {}): KubeObject => marked('Job', { spec, ...change });

const nothing: Read<KubeObject> = { kind: 'absent' };
const noPods: Listed<Pod> = { kind: 'value', value: [] };
const alive = { kind: 'value', value: [{ ...marked('Pod'), spec: { containers: [] }, status: { phase: 'Running' } }] } as Listed<Pod>;

const seen = (object: KubeObject, change: Partial<ObservedOrphan> = {}): ObservedOrphan => ({
  object,
  isOrphan: true,
  beneath: { run: nothing, pods: noPods },
  ...change,
});

describe('whether an object that arrives after its execution is gone is deleted', () => {
  test.each<{ title: string; what: ObservedOrphan; goes: boolean }>([
    { title: 'a lock', what: seen(lock()), goes: true },
    { title: 'a lock, while its execution is there', what: seen(lock(), { isOrphan: false }), goes: false },
    { title: 'a lock, while it is unknown whether its execution exists', what: seen(lock(), { isOrphan: undefined }), goes: false },
    { title: 'a lock that keeps a block', what: seen(lock({ metadata: { annotations: { [ANNOTATIONS.block]: '{}' } } })), goes: false },
    { title: 'a lock that another controller holds', what: seen(lock({ spec: { holderIdentity: 'another' } })), goes: false },
    { title: 'a lock over a run', what: seen(lock(), { beneath: { run: { kind: 'value', value: job({}) }, pods: noPods } }), goes: false },
    {
      title: 'a lock over what cannot be read',
      what: seen(lock(), { beneath: { run: { kind: 'unreadable', reason: '403' }, pods: noPods } }),
      goes: false,
    },
    { title: 'a lock over a pod at work', what: seen(lock(), { beneath: { run: nothing, pods: alive } }), goes: false },
    {
      title: 'a lock over pods that cannot be read',
      what: seen(lock(), { beneath: { run: nothing, pods: { kind: 'unreadable', reason: '403' } } }),
      goes: false,
    },
    { title: 'a lock that is going already', what: seen(lock({ metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } })), goes: false },
    { title: 'a run that is held', what: seen(job({ suspend: true })), goes: true },
    { title: 'a run that is held, while its execution is there', what: seen(job({ suspend: true }), { isOrphan: false }), goes: false },
    { title: 'a run that was released', what: seen(job({ suspend: false })), goes: false },
    {
      title: 'a run that was released and is held again',
      what: seen(job({ suspend: true }, { metadata: { generation: 3 } })),
      goes: false,
    },
  ])('$title: $goes', ({ what, goes }) => {
    const { effects } = decideOrphan(what, NOW);
    const resource = what.object.kind === 'Lease' ? Lease : Job;
    const key = { namespace: 'kubernaut-workflows', name: 'wfe-1' };
    expect(effects).toEqual(goes ? [{ kind: 'Delete', resource, key, uid: 'its-uid' }] : []);
  });

  test('what cannot be deleted yet is checked again, what has an owner is not', () => {
    expect(decideOrphan(seen(job({ suspend: false })), NOW).wakeAt).toBe(after(NOW, MINUTE));
    expect(decideOrphan(seen(lock(), { isOrphan: undefined }), NOW).wakeAt).toBe(after(NOW, MINUTE));
    expect(decideOrphan(seen(lock(), { isOrphan: false }), NOW).wakeAt).toBeUndefined();
  });
});
