import { describe, expect, test } from 'vitest';
import { keyText, type KubeObject, type ObjectKey } from '../../api/meta.ts';
import type { Resource } from '../../api/resource.ts';
import type { SignalProcessing } from '../../api/signal-processing/signal-processing.ts';
import { after, MINUTE, SECOND, toTime } from '../../base/index.ts';
import type { Listed, Read, Reader } from '../../runtime/reconcile/controller.ts';
import { anObject } from '../../testkit/fake-client.ts';
import { NOT_READ } from '../../kube/client/read.ts';
import { observe } from './observe.ts';
import { aSignalProcessing, NOW, type Options } from './testing/a-signal-processing.ts';

const ABSENT = { kind: 'absent' } as const;
const valueOf = (value: KubeObject) => ({ kind: 'value', value }) as const;

/** Answers what the test gives by `Kind namespace/name`, and writes down what the server is asked. */
function readerOf(
  object: SignalProcessing | undefined,
  world: Readonly<Record<string, Read<KubeObject>>> = {},
  lists: Readonly<Record<string, Listed<KubeObject>>> = {},
) {
  const asked: string[] = [];
  const reader: Reader = {
    get: <T extends KubeObject>() => (object ? valueOf(object) : ABSENT) as Read<T>,
    list: () => ({ kind: 'unreadable', reason: 'not asked for' }),
    fetch: async <T extends KubeObject>(resource: Resource<T>, key: ObjectKey) => {
      const what = `${resource.kind} ${keyText(key)}`;
      asked.push(what);
      return (world[what] ?? ABSENT) as Read<T>;
    },
    fetchList: async <T extends KubeObject>(resource: Resource<T>, { fieldSelector }: { readonly fieldSelector?: string }) => {
      asked.push([`${resource.kind}s`, fieldSelector].filter(Boolean).join(' '));
      return (lists[`${resource.kind}s`] ?? { kind: 'unreadable', reason: 'forbidden' }) as Listed<T>;
    },
  };
  return { reader, asked };
}

const OWN = { namespace: 'sickbay-system', executionNamespace: 'kubernaut-workflows' };
const KEY = { namespace: 'sickbay-system', name: 'sp-rr-1' };
const enriching = (options: Options = {}) => aSignalProcessing({ ...options, status: { phase: 'Enriching', ...options.status } });

describe('what is read', () => {
  test('[CO-036] target, owners and namespace, from the server', async () => {
    const reference = (kind: string, uid: string) => [{ apiVersion: 'apps/v1', kind, name: uid, uid, controller: true }];
    const pod = anObject('Pod', { metadata: { namespace: 'shop', ownerReferences: reference('ReplicaSet', 'rs') } });
    const set = anObject('ReplicaSet', { metadata: { name: 'rs', uid: 'rs', namespace: 'shop' } });
    const namespace = anObject('Namespace', { metadata: { name: 'shop' } });
    const { reader, asked } = readerOf(enriching({ signal: { targetResource: { kind: 'Pod', name: 'p', namespace: 'shop' } } }), {
      'Pod shop/p': valueOf(pod),
      'ReplicaSet shop/rs': valueOf(set),
      'Namespace shop': valueOf(namespace),
    });
    expect((await observe(KEY, reader, { now: NOW, own: OWN }))?.context).toEqual({ kind: 'read', target: pod, owners: [set], namespace });
    expect(asked).toEqual(['Namespace shop', 'Pod shop/p', 'ReplicaSet shop/rs']);
  });

  const cases: readonly { name: string; signal: Options['signal']; want: readonly string[] }[] = [
    { name: 'a node has no namespace', signal: { targetResource: { kind: 'Node', name: 'n' } }, want: ['Node n'] },
    {
      name: 'a namespace surrounds itself',
      signal: { targetResource: { kind: 'Namespace', name: 'shop' } },
      want: ['Namespace shop', 'Namespace shop'],
    },
    {
      name: 'of an unknown kind only the namespace can be read',
      signal: { targetResource: { kind: 'Widget', name: 'w', namespace: 'shop' } },
      want: ['Namespace shop'],
    },
    { name: 'what lives elsewhere is not looked for here', signal: { targetType: 'aws' }, want: ['Namespace shop'] },
  ];
  test.each(cases)('$name', async ({ signal, want }) => {
    const { reader, asked } = readerOf(enriching({ ...(signal && { signal }) }));
    expect((await observe(KEY, reader, { now: NOW, own: OWN }))?.context).toMatchObject({ kind: 'read' });
    expect(asked).toEqual(want);
  });

  test.each([
    { what: 'Namespace shop', name: 'the namespace' },
    { what: 'Deployment shop/checkout', name: 'the target' },
  ])('$name cannot be read: that is not an absence', async ({ what }) => {
    const { reader } = readerOf(enriching(), { [what]: { kind: 'unreadable', reason: 'forbidden' } });
    expect((await observe(KEY, reader, { now: NOW, own: OWN }))?.context).toEqual({
      kind: 'unreadable',
      reason: `reading ${what}: forbidden`,
    });
  });

  test('an owner cannot be read: half a chain would pass for the whole', async () => {
    const owner = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'rs', uid: 'rs', controller: true };
    const { reader } = readerOf(enriching({ signal: { targetResource: { kind: 'Pod', name: 'p', namespace: 'shop' } } }), {
      'Pod shop/p': valueOf(anObject('Pod', { metadata: { namespace: 'shop', ownerReferences: [owner] } })),
      'ReplicaSet shop/rs': { kind: 'unreadable', reason: 'forbidden' },
    });
    expect((await observe(KEY, reader, { now: NOW, own: OWN }))?.context).toEqual({
      kind: 'unreadable',
      reason: 'reading ReplicaSet shop/rs: forbidden',
    });
  });
});

describe('[CO-037] of a Node the namespaces whose pods would have to leave it (ruling 130)', () => {
  const node = valueOf(anObject('Node', { metadata: { name: 'n' } }));
  const pod = (namespace: string, change: object = {}) => anObject('Pod', { metadata: { namespace, ...change } });
  const namespaces = ['shop', 'bank', 'kube-system', 'sickbay-system', 'elsewhere'].map((name) =>
    anObject('Namespace', { metadata: { name } }),
  );
  const seen = async (lists: Readonly<Record<string, Listed<KubeObject>>>) => {
    const { reader, asked } = readerOf(enriching({ signal: { targetResource: { kind: 'Node', name: 'n' } } }), { 'Node n': node }, lists);
    return { context: (await observe(KEY, reader, { now: NOW, own: OWN }))?.context, asked };
  };

  test('each once; not those of DaemonSets, of the cluster and of Sickbay', async () => {
    const ofDaemonSet = { ownerReferences: [{ apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'd', uid: 'd', controller: true }] };
    const pods = [pod('shop'), pod('shop'), pod('bank'), pod('elsewhere', ofDaemonSet), pod('kube-system'), pod('sickbay-system')];
    const { context, asked } = await seen({
      Pods: { kind: 'value', value: pods },
      Namespaces: { kind: 'value', value: namespaces },
    });
    expect(context).toMatchObject({ podNamespaces: [{ metadata: { name: 'shop' } }, { metadata: { name: 'bank' } }] });
    expect(asked).toEqual(['Node n', 'Pods spec.nodeName=n', 'Namespaces']);
  });

  test('none, where no pod has to leave', async () =>
    expect((await seen({ Pods: { kind: 'value', value: [] } })).context).toMatchObject({ podNamespaces: [] }));

  test.each([
    [{}, 'listing the Pods on Node n: forbidden'],
    [{ Pods: { kind: 'value', value: [pod('shop')] } as const }, 'listing the Namespaces of the Pods on Node n: forbidden'],
  ])('unreadable is not none: %#', async (lists, reason) => expect((await seen(lists)).context).toEqual({ kind: 'unreadable', reason }));
});

describe('when it is read', () => {
  test('gone: nothing to see', async () => expect(await observe(KEY, readerOf(undefined).reader, { now: NOW, own: OWN })).toBeUndefined());

  test.each([undefined, 'Pending', 'Classifying', 'Categorizing', 'Completed', 'Failed'] as const)('not in phase %s', async (phase) => {
    const { reader, asked } = readerOf(aSignalProcessing(phase ? { status: { phase } } : {}));
    expect((await observe(KEY, reader, { now: NOW, own: OWN }))?.context).toEqual(NOT_READ);
    expect(asked).toEqual([]);
  });

  const failed = { consecutiveFailures: 2, lastFailureTime: toTime(NOW) };
  test.each([
    { name: 'not before a minute has passed since the second failure', at: after(NOW, 59 * SECOND), status: failed, reads: false },
    { name: 'again once it has', at: after(NOW, 60 * SECOND), status: failed, reads: true },
    { name: 'at once after a failure that was overcome', at: NOW, status: { ...failed, consecutiveFailures: 0 }, reads: true },
    { name: 'not when the time is over', at: after(NOW, 5 * MINUTE), status: {}, reads: false },
  ])('$name', async ({ at, status, reads }) => {
    const { reader, asked } = readerOf(enriching({ status }));
    await observe(KEY, reader, { now: at, own: OWN });
    expect(asked.length > 0).toBe(reads);
  });
});
