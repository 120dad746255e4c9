import { describe, expect, test } from 'vitest';
import { environmentOf } from './classify.ts';

describe('environmentOf', () => {
  const labelled = (environment: string) => ({ namespace: { name: 'shop', labels: { 'kubernaut.ai/environment': environment } } });

  test.each([
    ['production', 'Production'],
    ['Production', 'Production'],
    ['STAGING', 'Staging'],
    ['development', 'Development'],
    [' test ', 'Test'],
  ])('[CO-037] %j is %s, by the label of the namespace', (label, environment) =>
    expect(environmentOf(labelled(label))).toEqual({ environment, source: 'namespace-labels' }),
  );

  test.each([
    ['a label that says nothing known', labelled('prod-2')],
    ['a label that says Unknown', labelled('Unknown')],
    ['no labels', { namespace: { name: 'shop' } }],
    ['another label', { namespace: { name: 'shop', labels: { env: 'staging' } } }],
    ['only the workload is labelled', { workload: { kind: 'Deployment', name: 'a', labels: { 'kubernaut.ai/environment': 'test' } } }],
    ['no context', undefined],
  ])('%s: the environment is unknown, and not guessed', (_, context) =>
    expect(environmentOf(context)).toEqual({ environment: 'Unknown', source: 'default' }),
  );
});

describe('the environment of a Node (ruling 130)', () => {
  type Node = { readonly label?: string; readonly namespaces?: Readonly<Record<string, string | undefined>> };
  const aNode = ({ label, namespaces = {} }: Node) => ({
    workload: { kind: 'Node', name: 'n', ...(label !== undefined && { labels: { 'kubernaut.ai/environment': label } }) },
    podNamespaces: Object.entries(namespaces).map(([name, environment]) => ({ name, ...(environment !== undefined && { environment }) })),
    degradedMode: false,
  });

  test.each<[string, Node, ReturnType<typeof environmentOf>]>([
    ['its own label', { label: 'staging', namespaces: { a: 'production' } }, { environment: 'Staging', source: 'node-labels' }],
    ['the strictest', { namespaces: { a: 'test', b: 'Staging', c: 'development' } }, { environment: 'Staging', source: 'pod-namespaces' }],
    [
      'Production, whatever the others are',
      { namespaces: { a: undefined, b: 'production', c: 'test' } },
      { environment: 'Production', source: 'pod-namespaces' },
    ],
    [
      'unknown where one has no label: it may be production',
      { namespaces: { a: 'staging', b: undefined, c: 'prod-2' } },
      {
        environment: 'Unknown',
        source: 'default',
        hint: 'label Node n with kubernaut.ai/environment, or the namespaces with pods there: b, c',
      },
    ],
    ['unknown without pods', {}, { environment: 'Unknown', source: 'default', hint: 'label Node n with kubernaut.ai/environment' }],
    [
      'a label that says nothing known is none',
      { label: 'prod-2', namespaces: { a: 'test' } },
      { environment: 'Test', source: 'pod-namespaces' },
    ],
  ])('[CO-037] %s', (_, node, want) => expect(environmentOf(aNode(node))).toEqual(want));

  test('[CO-037] labels of the signal do not count where the Node is gone', () =>
    expect(environmentOf({ ...aNode({ label: 'test' }), degradedMode: true })).toEqual({ environment: 'Unknown', source: 'default' }));
});
