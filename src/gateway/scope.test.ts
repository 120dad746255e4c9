import { describe, expect, test } from 'vitest';
import type { Fetch, Read } from '../kube/index.ts';
import type { KubeObject } from '../api/meta.ts';
import { anObject } from '../testkit/fake-client.ts';
import type { Target } from './find-target.ts';
import { scopeOf } from './scope.ts';

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
  apiVersion: 'apps/v1',
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

  test('a node of the control plane, whatever it says', async () => {
    const labels = { ...managed('true'), 'node-role.kubernetes.io/control-plane': '' };
    expect(await judge(aTarget({ kind: 'Node', namespace: '', labels }))).toMatchObject({ kind: 'out' });
  });
});

test('a namespace that cannot be read is neither', async () =>
  expect(await judge(aTarget({}), { kind: 'unreadable', reason: 'forbidden' })).toEqual({
    kind: 'unreadable',
    reason: 'Namespace shop: forbidden',
  }));
