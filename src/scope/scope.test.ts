import { describe, expect, test } from 'vitest';
import type { Fetch, Read } from '../kube/index.ts';
import type { KubeObject } from '../api/meta.ts';
import { anObject } from '../testkit/fake-client.ts';
import { judgeScope, scopeOf, type ScopePlace } from './scope.ts';

type Target = ScopePlace & { readonly object: KubeObject | undefined };

type Labels = Readonly<Record<string, string>>;
const containing = (text: string): unknown => expect.stringContaining(text);
const OWN = { namespace: 'sickbay-system', executionNamespace: 'kubernaut-workflows' };
const managed = (value: string): Labels => ({ 'kubernaut.ai/managed': value });
const absent = { kind: 'absent' } as const;
const labelled = (labels: Labels | undefined): Read<KubeObject> => ({
  kind: 'value',
  value: anObject('Namespace', labels ? { metadata: { labels } } : {}),
});

const aTarget = (more: {
  readonly labels?: Labels;
  readonly namespace?: string;
  readonly exists?: boolean;
  readonly kind?: string;
}): Target => ({
  kind: more.kind ?? 'Deployment',
  name: 'checkout',
  namespace: more.namespace ?? 'shop',
  object: more.exists === false ? undefined : anObject('Deployment', { metadata: { labels: more.labels } }),
});

const judge = (target: Target, namespace: Read<KubeObject> = labelled(managed('true'))) => {
  const fetch: Fetch = (resource, key) =>
    Promise.resolve(resource.kind === 'Namespace' && key.name === target.namespace ? namespace : absent);
  return scopeOf(target, OWN, fetch);
};

describe('what is in scope', () => {
  test('[CO-012] a target that says so itself, whatever its namespace says', async () => {
    const target = aTarget({ labels: managed('true') });
    for (const namespace of [labelled({}), labelled(managed('false')), absent])
      expect(await judge(target, namespace)).toEqual({ kind: 'in' });
  });

  test('[CO-013] a target that says nothing, in a namespace that says so; its own false wins', async () => {
    expect(await judge(aTarget({}))).toEqual({ kind: 'in' });
    expect(await judge(aTarget({ labels: { app: 'x' } }))).toEqual({ kind: 'in' });
    expect(await judge(aTarget({ labels: managed('false') }))).toMatchObject({ kind: 'out' });
  });

  test('a target that is not there, in a namespace that says so', async () =>
    expect(await judge(aTarget({ exists: false }))).toEqual({ kind: 'in' }));

  test('a node that says so', async () =>
    expect(await judge(aTarget({ kind: 'Node', namespace: '', labels: managed('true') }))).toEqual({ kind: 'in' }));
});

describe('what is out of scope', () => {
  test('[CO-014] what says nothing in a namespace that says nothing, with what to do about it', async () =>
    expect(await judge(aTarget({}), labelled(undefined))).toEqual({
      kind: 'out',
      message: 'namespace shop is not managed: label it or the resource kubernaut.ai/managed=true to have it remediated',
    }));

  test.each(['false', 'True', 'yes', '1', ''])('what says %j: only a clear yes is one', async (value) => {
    expect((await judge(aTarget({ labels: managed(value) }))).kind).toBe('out');
    expect((await judge(aTarget({}), labelled(managed(value)))).kind).toBe('out');
  });

  test('what is in a namespace that is not there', async () =>
    expect(await judge(aTarget({ exists: false }), absent)).toMatchObject({
      kind: 'out',
      message: containing('no namespace shop'),
    }));

  test('a node that says nothing, or is not there: it has no namespace to ask', async () => {
    expect(await judge(aTarget({ kind: 'Node', namespace: '' }))).toMatchObject({
      kind: 'out',
      message: containing('Node checkout'),
    });
    expect((await judge(aTarget({ kind: 'Node', namespace: '', exists: false }))).kind).toBe('out');
  });

  test.each(['kube-system', 'sickbay-system', 'kubernaut-workflows'])('%s, whatever anything says', async (namespace) =>
    expect((await judge(aTarget({ namespace, labels: managed('true') }))).kind).toBe('out'),
  );

  test.each(['node-role.kubernetes.io/control-plane', 'node-role.kubernetes.io/master'])(
    'a Node with %s, even if it is managed',
    async (role) => {
      const labels = { ...managed('true'), [role]: '' };
      expect(await judge(aTarget({ kind: 'Node', namespace: '', labels }))).toMatchObject({ kind: 'out' });
    },
  );
});

test('a namespace that cannot be read is neither', async () =>
  expect(await judge(aTarget({}), { kind: 'unreadable', reason: 'forbidden' })).toEqual({
    kind: 'unreadable',
    reason: 'Namespace shop: forbidden',
  }));

describe('what was read before is judged alike', () => {
  const place = { kind: 'Deployment', name: 'checkout', namespace: 'shop' };
  const object = anObject('Deployment', {});

  test.each([
    labelled(managed('true')),
    labelled(managed('false')),
    labelled({}),
    absent,
    { kind: 'unreadable', reason: 'forbidden' } as const,
  ])('[CO-015] gateway and orchestrator agree, whatever the namespace: %j', async (namespace) => {
    for (const target of [object, anObject('Deployment', { metadata: { labels: managed('true') } }), undefined]) {
      const asked = await judge({ ...place, object: target }, namespace);
      const read = target ? ({ kind: 'value', value: target } as const) : absent;
      expect(judgeScope(place, { target: read, namespace }, OWN)).toEqual(asked);
    }
  });

  test('a target that cannot be read is neither in nor out: it may say no', () =>
    expect(judgeScope(place, { target: { kind: 'unreadable', reason: 'forbidden' }, namespace: labelled(managed('true')) }, OWN)).toEqual({
      kind: 'unreadable',
      reason: 'Deployment checkout: forbidden',
    }));

  test('what is never worked on need not be read', () => {
    const unreadable = { kind: 'unreadable', reason: 'forbidden' } as const;
    expect(judgeScope({ ...place, namespace: 'kube-system' }, { target: unreadable, namespace: unreadable }, OWN).kind).toBe('out');
  });

  test('the namespace is not read where the target answers, or has none', async () => {
    const fetch: Fetch = () => Promise.reject(new Error('asked'));
    await expect(scopeOf(aTarget({ labels: managed('true') }), OWN, fetch)).resolves.toEqual({ kind: 'in' });
    await expect(scopeOf(aTarget({ kind: 'Node', namespace: '' }), OWN, fetch)).resolves.toMatchObject({ kind: 'out' });
  });
});
