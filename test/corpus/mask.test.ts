import { expect, test } from 'vitest';
import { createMask } from './mask.ts';
import { anObject } from './written/build.ts';
import { aNode, aPod, running } from './written/workload.ts';

test('a recording keeps no address, no content of a Secret, and nothing of the machine', () => {
  const pod = aPod('a', running(), { status: { podIP: '10.244.1.7', hostIP: '10.244.1.1' } });
  const node = aNode('node-1');
  const objects = [
    pod,
    anObject('v1', 'Secret', 'token', { data: { token: 'aHVudGVyMg==' } }),
    { ...node, status: { ...(node['status'] as object), images: [{ names: ['x'] }], nodeInfo: { machineID: 'abc' } } },
    anObject('v1', 'ConfigMap', 'kube-root-ca.crt', { data: { 'ca.crt': 'PEM' } }),
  ];
  const logs = [{ pod: 'a', container: 'app', text: 'dial 10.244.1.7:80 from corpus-one: refused' }];
  const seen = createMask('corpus-one')({ at: 5, objects, logs });
  const text = JSON.stringify(seen);
  expect(text).not.toMatch(/10\.244|aHVudGVyMg|machineID|"images"|ca\.crt|corpus-one/);
  expect(seen.objects.map(({ kind }) => kind)).toEqual(['Pod', 'Secret', 'Node']);
  expect(seen.objects[1]).toMatchObject({ data: { token: '' } });
  expect(seen.objects[0]).toMatchObject({ status: { podIP: '192.0.2.1', hostIP: '192.0.2.2' } });
  expect(seen.logs[0]?.text).toBe('dial 192.0.2.1:80 from shop: refused');
});
