import { describe, expect, test } from 'vitest';
import { negotiate } from './negotiate.ts';

const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const DISCOVERY = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
const PODS = '/api/v1/pods';

describe('the form of an answer', () => {
  const cases: readonly {
    readonly reason: string;
    readonly path?: string;
    readonly accept: string | undefined;
    readonly wants: readonly [form: string | undefined, notation: string];
  }[] = [
    { reason: 'nothing is said', accept: undefined, wants: [undefined, 'json'] },
    { reason: 'anything will do', accept: '*/*', wants: [undefined, 'json'] },
    { reason: 'JSON', accept: 'application/json', wants: [undefined, 'json'] },
    { reason: 'YAML', accept: 'application/yaml', wants: [undefined, 'yaml'] },
    {
      reason: 'kubectl get',
      accept: `${TABLE},application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json`,
      wants: ['table', 'json'],
    },
    { reason: 'a typed client', accept: 'application/vnd.kubernetes.protobuf,application/json', wants: [undefined, 'json'] },
    {
      reason: 'metadata',
      accept: 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json',
      wants: ['metadata', 'json'],
    },
    { reason: 'metadata of many', accept: 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1', wants: ['metadata', 'json'] },
    {
      reason: 'an old form, else whole',
      accept: 'application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json',
      wants: [undefined, 'json'],
    },
    { reason: 'spaces and capitals', accept: 'Application/JSON; as=Table; v=v1; g=meta.k8s.io', wants: ['table', 'json'] },
    { reason: 'weights decide', accept: `application/json;q=0.5,${TABLE};q=0.9`, wants: ['table', 'json'] },
    { reason: 'a weight of nothing', accept: `${TABLE};q=0,application/json`, wants: [undefined, 'json'] },
    { reason: 'kubectl’s discovery', path: '/apis', accept: `${DISCOVERY},application/json`, wants: ['discovery/v2', 'json'] },
    {
      reason: 'kubectl’s discovery before 1.30',
      path: '/api',
      accept: DISCOVERY.replace('v2', 'v2beta1'),
      wants: ['discovery/v2beta1', 'json'],
    },
    { reason: 'discovery of another path', path: PODS, accept: `${DISCOVERY},application/json`, wants: [undefined, 'json'] },
    {
      reason: 'an unknown version of discovery',
      path: '/apis',
      accept: `${DISCOVERY.replace('v2', 'v3')},application/json`,
      wants: [undefined, 'json'],
    },
    { reason: 'a log as text', path: '/api/v1/namespaces/n/pods/p/log', accept: 'text/plain', wants: [undefined, 'json'] },
    { reason: 'health as text', path: '/readyz', accept: 'text/plain', wants: [undefined, 'json'] },
  ];
  test.each(cases)('$reason', ({ path = PODS, accept, wants: [form, notation] }) => {
    expect(negotiate(path, accept)).toMatchObject({ form, notation });
  });

  test.each(['text/plain', 'application/vnd.kubernetes.protobuf', 'application/json;as=Table;v=v1;g=other', '', 'x'])(
    '%j cannot be had',
    (accept) => {
      expect(() => negotiate(PODS, accept)).toThrow(/only the following media types/);
    },
  );
});
