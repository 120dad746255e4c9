import { describe, expect, test } from 'vitest';
import { targetsIn } from './target-labels.ts';

const textsOf = (labels: Readonly<Record<string, string>>): readonly string[] =>
  targetsIn(labels).map(({ resource, key }) => [key.namespace, resource.kind, key.name].join('/'));

describe('the target in labels', () => {
  const cases: readonly (readonly [reason: string, labels: Readonly<Record<string, string>>, targets: readonly string[]])[] = [
    ['a workload', { namespace: 'shop', deployment: 'web' }, ['shop/Deployment/web']],
    ['no namespace means default', { statefulset: 'db' }, ['default/StatefulSet/db']],
    ['a node has none', { node: 'worker-1', namespace: 'shop' }, ['/Node/worker-1']],
    ['what manages pods goes first', { pod: 'web-1', deployment: 'web' }, ['default/Deployment/web', 'default/Pod/web-1']],
    [
      'each kind in its place',
      { node: 'n', pod: 'p', replicaset: 'r', job_name: 'j', statefulset: 's', deployment: 'd', daemonset: 'ds', cronjob: 'c' },
      [
        'default/CronJob/c',
        'default/DaemonSet/ds',
        'default/Deployment/d',
        'default/StatefulSet/s',
        'default/Job/j',
        'default/ReplicaSet/r',
        'default/Pod/p',
      ],
    ],
    ['beside a pod a node says only where it runs', { pod: 'web-1', node: 'worker-1' }, ['default/Pod/web-1']],
    ['the job that scrapes is no Job', { job: 'kube-state-metrics', pod: 'web-1' }, ['default/Pod/web-1']],
    ['nor are service, instance, endpoint and container', { service: 's', instance: 'i', endpoint: 'e', container: 'c' }, []],
    [
      'the exporter renames what the metric is about',
      { namespace: 'monitoring', pod: 'kube-state-metrics-0', exported_namespace: 'shop', exported_pod: 'web-1' },
      ['shop/Pod/web-1'],
    ],
    ['an empty label is none', { namespace: '', pod: '', exported_pod: '', deployment: 'web' }, ['default/Deployment/web']],
    ['a value that cannot be a name is passed over', { deployment: '../secrets', pod: 'Web', node: 'worker-1' }, ['/Node/worker-1']],
    ['nor one that is too long', { pod: 'a'.repeat(254) }, []],
    ['the longest name', { pod: 'a'.repeat(253) }, [`default/Pod/${'a'.repeat(253)}`]],
    ['a dotted name', { node: 'ip-10-0-0-1.eu.internal' }, ['/Node/ip-10-0-0-1.eu.internal']],
    ['a namespace that cannot be one', { namespace: 'a.b', pod: 'web', node: 'n' }, ['/Node/n']],
    ['a namespace that is too long', { namespace: 'a'.repeat(64), pod: 'web' }, []],
  ];
  test.each(cases)('%s', (_, labels, targets) => expect(textsOf(labels)).toEqual(targets));

  test('a label that every object inherits names nothing', () =>
    expect(textsOf(JSON.parse('{"__proto__":"x","constructor":"y"}') as Record<string, string>)).toEqual([]));
});
